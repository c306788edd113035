"""/help, /privacy, /mydata and /forgetme."""

from __future__ import annotations

import json

from bot import buttons
from bot.screens import privacy as screens
from bot.store import attempts, inbox, people
from bot.turn import Command, Feature, Turn

MINUTES_TO_CONFIRM = 10


async def explain(turn: Turn) -> None:
    """/help: what the bot does."""
    commands = [(command.name, command.describe(turn.lang)) for command in turn.world.commands]
    turn.send(screens.help_(turn.lang, commands))


async def privacy(turn: Turn) -> None:
    """/privacy: what is kept."""
    turn.send(screens.privacy(turn.lang))


async def mydata(turn: Turn) -> None:
    """/mydata: everything stored, as a JSON file."""
    person = turn.person
    stored = {
        "person": {
            "telegram_id": person.id,
            "language": person.locale,
            "telegram_language_code": person.language_code,
            "known_since": person.created_at.isoformat(),
        },
        "attempts": await attempts.export(turn.tx, person.id),
        "messages_being_handled": [
            json.loads(payload) for payload in await inbox.held(turn.tx, person.id)
        ],
    }
    text = json.dumps(stored, ensure_ascii=False, indent=2)
    turn.send_file("quizbot-mydata.json", text, screens.mydata(turn.lang))


async def ask_to_forget(turn: Turn) -> None:
    """/forgetme: the confirmation."""
    turn.send(screens.ask_to_forget(turn.lang, _minute(turn)))


async def forget(turn: Turn, button: buttons.Forget) -> None:
    """Everything about the person is erased, if they were asked just now."""
    if not 0 <= _minute(turn) - button.minute <= MINUTES_TO_CONFIRM:
        turn.toast(screens.asked_too_long_ago(turn.lang))
        return
    await people.forget(turn.tx, turn.person.id)
    await inbox.forget(turn.tx, turn.person.id)
    turn.edit(screens.forgotten(turn.lang))


async def keep(turn: Turn, _: buttons.Keep) -> None:
    """Nothing is erased."""
    turn.edit(screens.kept(turn.lang))


def _minute(turn: Turn) -> int:
    return int(turn.now.timestamp()) // 60


FEATURE = Feature(
    commands=(
        Command("help", explain, screens.describe_help),
        Command("privacy", privacy, screens.describe_privacy),
        Command("mydata", mydata, screens.describe_mydata),
        Command("forgetme", ask_to_forget, screens.describe_forgetme),
    ),
    buttons={buttons.Forget: forget, buttons.Keep: keep},
)
