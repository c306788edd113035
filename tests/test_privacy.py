"""What is kept, handed out and erased."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta

from bot.sandbox.clock import SandboxClock
from bot.sandbox.telegram import Telegram
from tests.conftest import Running
from tests.people import Person
from tests.seen import seen

Join = Callable[[str, str | None], Person]


async def answered(person: Person) -> None:
    """One answer given."""
    await person.follows("capitals")
    await person.taps("Start")
    await person.taps("Paris")


async def rows_about(bot: Running, person: Person) -> dict[str, int]:
    """How many rows of each table have the person's id in any column."""
    found = {}
    async with bot.store.read() as reader:
        tables = await reader.rows("SELECT name FROM sqlite_master WHERE type = 'table'")
        for (table,) in tables:
            rows = await reader.rows(f"SELECT * FROM {table}")
            count = sum(any(str(person.id) in str(value) for value in row) for row in rows)
            if count:
                found[table] = count
    return found


async def test_mydata_is_everything_stored_as_json(learner: Person, telegram: Telegram) -> None:
    await answered(learner)
    await learner.says("/mydata")
    document = learner.received[-1]["document"]
    stored = next(iter(telegram.world.files.values()))
    data = json.loads(stored.file.content)
    assert document["file_name"] == "quizbot-mydata.json"
    assert data["person"]["telegram_id"] == learner.id
    assert data["attempts"][0]["answers"][0]["chosen"] == ["paris"]
    assert data["attempts"][0]["answers"][0]["credit"] == 1.0


async def test_forgetme_leaves_nothing_after_a_confirmation(
    bot: Running, learner: Person, join: Join
) -> None:
    other = join("Minh", "vi")
    await answered(learner)
    await other.says("/start")
    await learner.says("/forgetme")
    assert await rows_about(bot, learner) != {}
    await learner.taps("Erase everything")
    assert "erased" in learner.screen
    assert await rows_about(bot, learner) == {}
    assert await rows_about(bot, other) != {}


async def test_keeping_everything(bot: Running, learner: Person) -> None:
    await answered(learner)
    await learner.says("/forgetme")
    await learner.taps("Keep everything")
    assert learner.screen == "Nothing was erased."
    assert "attempts" in await rows_about(bot, learner)


async def test_an_old_confirmation_erases_nothing(
    bot: Running, learner: Person, clock: SandboxClock
) -> None:
    await answered(learner)
    await learner.says("/forgetme")
    clock.forward(timedelta(minutes=12))
    await learner.taps("Erase everything")
    assert "too long ago" in str(learner.toast)
    assert "attempts" in await rows_about(bot, learner)


async def test_buttons_of_erased_attempts_mean_nothing_to_anybody(
    learner: Person, join: Join
) -> None:
    await answered(learner)
    question = learner.received[-2]
    data = question["reply_markup"]["inline_keyboard"][0][0]["callback_data"]
    await learner.says("/forgetme")
    await learner.taps("Erase everything")
    await learner.forges(data, on=question)
    assert "out of date" in str(learner.toast)
    other = join("Minh", "en")
    await other.follows("capitals")
    await other.taps("Start")
    await learner.forges(data, on=question)
    assert "out of date" in str(learner.toast)


async def test_after_forgetting_start_is_the_first_contact_again(learner: Person) -> None:
    await learner.says("/start")
    await learner.says("/forgetme")
    await learner.taps("Erase everything")
    await learner.says("/start")
    assert any("🌐" in label for label in learner.buttons)


async def test_what_was_said_is_not_kept_once_it_is_handled(bot: Running, learner: Person) -> None:
    await learner.says("my secret words")
    async with bot.store.read() as reader:
        rows = await reader.rows("SELECT * FROM inbox")
    assert len(rows) == 1
    assert not any("secret" in str(value) for row in rows for value in row)


async def test_help_and_privacy(learner: Person) -> None:
    await learner.says("/help")
    assert [line.split(" ")[0] for line in seen(learner)[2:]] == [
        "/start", "/quiz", "/language", "/help", "/privacy", "/mydata", "/forgetme",
    ]  # fmt: skip
    await learner.says("/privacy")
    assert "/forgetme" in learner.screen
