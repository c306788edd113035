"""/language: one choice for the interface and the quizzes."""

from __future__ import annotations

from bot import buttons
from bot.i18n import match
from bot.screens import language as screens
from bot.screens import question as question_screens
from bot.screens.question import Asking
from bot.store import attempts, people
from bot.turn import Command, Feature, Turn


async def ask(turn: Turn) -> None:
    """Every language, by its own name."""
    names = turn.world.languages()
    turn.send(screens.languages(turn.lang, names, _current(turn)))


async def speak(turn: Turn, button: buttons.Speak) -> None:
    """The choice is kept; the list and the open question are drawn again in that language."""
    names = turn.world.languages()
    if button.locale not in names:
        turn.toast(screens.not_spoken(turn.lang))
        return
    await people.speak(turn.tx, turn.person.id, button.locale)
    turn.speech = turn.world.speech(button.locale)
    turn.toast(screens.chosen(turn.lang, names[button.locale]))
    turn.edit(screens.languages(turn.lang, names, button.locale))
    await _redraw_question(turn)


def _current(turn: Turn) -> str:
    return match(turn.speech.wanted, turn.world.languages()) or turn.lang.locale


async def _redraw_question(turn: Turn) -> None:
    """The question that waits for an answer, where it stands."""
    for attempt in await attempts.open_ones(turn.tx, turn.person.id):
        quiz, asked = turn.world.quizzes.get(attempt.quiz_id), attempt.asked
        if quiz is None or asked is None or attempt.message_id is None:
            continue
        question = quiz.by_id.get(asked.question_id)
        waiting = asked.question_id not in attempt.answers
        if waiting and question is not None and question.fingerprint == asked.fingerprint:
            asking = Asking.of(turn.speech, quiz, attempt, question)
            turn.redraw(question_screens.question(turn.lang, asking), attempt.message_id)


FEATURE = Feature(
    commands=(Command("language", ask, screens.describe_language),),
    buttons={buttons.Speak: speak},
)
