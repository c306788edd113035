"""/language: one choice for the interface and the quizzes."""

from __future__ import annotations

from bot import buttons, tongue
from bot.i18n import match
from bot.screens import language as screens
from bot.turn import Command, Feature, Turn


async def ask(turn: Turn) -> None:
    """Every language, by its own name."""
    names = turn.world.languages()
    current = match(turn.speech.wanted, names) or turn.lang.locale
    turn.send(screens.languages(turn.lang, names, current))


async def speak(turn: Turn, button: buttons.Speak) -> None:
    """The choice is kept; the list and the open questions are drawn again in that language."""
    if await tongue.speak(turn, button.locale):
        turn.edit(screens.languages(turn.lang, turn.world.languages(), button.locale))
        await tongue.redraw_questions(turn)


FEATURE = Feature(
    commands=(Command("language", ask, screens.describe_language),),
    buttons={buttons.Speak: speak},
)
