"""What goes wrong around a learner: failing handlers, lost calls, odd and forged input."""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import AsyncIterator, Callable, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from bot.app import App
from bot.gateway.line import OtherPoller
from bot.i18n import Catalogues
from bot.quiz.quiz import Quiz
from bot.sandbox.clock import SandboxClock
from bot.sandbox.errors import Drop, Fault
from bot.sandbox.people import Tap
from bot.sandbox.telegram import Telegram
from bot.settings import Settings
from bot.store import attempts
from bot.store.database import Store
from tests.conftest import TOKEN, Running, running
from tests.people import HeartRequest, Person

Join = Callable[[str, str | None], Person]
Json = dict[str, Any]

PAYLOADS = 10_000 if "QUIZBOT_TESTS_KILLS" in os.environ else 1_600  # all in a long run
AT_ONCE = 200
MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None


class ImpatientClock(SandboxClock):
    """Waits of less than half a minute are over at once: those between two tries."""

    async def wait_until(self, moment: datetime) -> None:
        left = moment - self.now()
        if timedelta() < left < timedelta(seconds=25):
            self.forward(left)
        await super().wait_until(moment)


@pytest.fixture
def telegram() -> Telegram:
    """One whose calls are not held against the Bot API: there are too many here."""
    return Telegram(ImpatientClock(), token=TOKEN)


class Trouble:
    """Calls of one method that go wrong: the next one, or that to one chat."""

    def __init__(self, error: Exception, method: str, chat_id: int | None = None) -> None:
        self.calls = 0
        self._error, self._method, self._chat_id = error, method, chat_id

    async def __call__(self, method: str, params: Mapping[str, Any]) -> None:
        """As a hook of the Telegram's."""
        if method != self._method or self._chat_id not in (None, int(params.get("chat_id", 0))):
            return
        self.calls += 1
        if self.calls == 1:
            raise self._error


async def begin(person: Person, quiz: str = "capitals") -> None:
    """To the first question."""
    await person.follows(quiz)
    await person.taps("Start")


async def states(bot: Running) -> list[tuple[str, int]]:
    """State and tries of each update that is kept whole."""
    async with bot.store.read() as reader:
        rows = await reader.rows("SELECT state, tries FROM inbox WHERE payload IS NOT NULL")
    return [tuple(row) for row in rows]


def texts(person: Person) -> list[str]:
    return [message["text"] for message in person.received]


# A handler that fails


def fail(*_: object) -> None:
    raise ZeroDivisionError("a bug")


@pytest.mark.logs_errors
async def test_who_taps_a_button_whose_handler_fails_is_told_and_may_tap_again(
    bot: Running,
    learner: Person,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    await learner.follows("capitals")
    with monkeypatch.context() as broken:
        broken.setattr(attempts, "begin", fail)
        await learner.taps("Start")
    assert learner.toast == "Something went wrong on my side. Please try again in a moment."
    assert await states(bot) == [("aside", 3)]
    assert [r.exc_info is not None for r in caplog.records if "failed, try" in r.message] == [
        True,
        False,
        False,
    ]
    await learner.taps("Start")
    assert "1/3" in learner.screen
    assert await states(bot) == [("aside", 3)]


@pytest.mark.logs_errors
async def test_who_writes_what_makes_a_handler_fail_is_told_in_their_language(
    bot: Running, join: Join, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = join("Minh", "vi")
    with monkeypatch.context() as broken:
        broken.setattr(attempts, "standings", fail)
        await person.says("/start")
    assert len(person.received) == 1
    assert "/quiz" in person.screen
    assert not person.screen.isascii()
    assert await states(bot) == [("aside", 3)]
    await person.says("/start")
    assert any("🌐" in label for label in person.buttons)


@pytest.mark.logs_errors
async def test_a_failing_handler_holds_up_nobody_else(
    bot: Running, learner: Person, join: Join, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin_ = attempts.begin

    async def fail_for_one(tx: Any, person_id: int, *more: Any) -> Any:
        if person_id == learner.id:
            raise ZeroDivisionError("a bug")
        return await begin_(tx, person_id, *more)

    other = join("Minh", "en")
    await learner.follows("capitals")
    await other.follows("capitals")
    monkeypatch.setattr(attempts, "begin", fail_for_one)
    await asyncio.gather(learner.taps("Start"), other.taps("Start"))
    assert "1/3" in other.screen
    assert "1/3" not in learner.screen


# Updates that nothing can be made of


def raw_message(person: Person, text: str = "/start", **more: Any) -> Json:
    """A command as Telegram delivers it."""
    entities = [{"type": "bot_command", "offset": 0, "length": len(text)}]
    message = {"message_id": 900, "date": 1_796_000_000, "from": person.account.user, "text": text}
    return message | {"chat": person.account.chat.place, "entities": entities} | more


def raw_tap(bot: Running, person: Person, data: str) -> Json:
    """A tap that a person made and the sandbox waits to see answered."""
    tap = Tap("4711", person.id, 1, data, bot.telegram.clock.now())
    bot.telegram.world.taps[tap.id] = tap
    person.account.taps.append(tap)
    return {"id": tap.id, "from": person.account.user, "chat_instance": "1", "data": data}


async def receive(bot: Running, *updates: Json) -> None:
    """Takes them in beside those of the sandbox."""
    numbered = [{"update_id": n} | update for n, update in enumerate(updates, start=1)]
    await bot.app.gateway.intake.receive(numbered)
    await bot.settled()


async def test_updates_of_a_kind_nobody_knows_are_ignored(bot: Running, learner: Person) -> None:
    await learner.says("/start")
    count = len(learner.messages)
    await receive(
        bot,
        {"telepathy": {"from": learner.account.user, "thought": "42"}},
        {"poll": {"id": "1"}},
        {"edited_message": raw_message(learner)},
        {"channel_post": raw_message(learner)},
        {},
    )
    assert len(learner.messages) == count
    await learner.says("/start")
    assert "Welcome" in learner.screen


async def test_an_edited_command_does_not_run_again(bot: Running, learner: Person) -> None:
    await learner.says("/start")
    await receive(bot, {"edited_message": raw_message(learner, edit_date=1_796_000_001)})
    assert len(learner.received) == 1


async def test_an_update_that_cannot_be_parsed_is_set_aside_and_the_next_is_answered(
    bot: Running, learner: Person
) -> None:
    await receive(
        bot,
        {"message": {"from": learner.account.user, "chat": "nowhere"}},
        {"message": {"from": 7}},
        {"callback_query": "x"},
    )
    assert {state for state, _ in await states(bot)} <= {"aside"}
    await learner.says("/start")
    assert "Welcome" in learner.screen


async def test_a_tap_that_cannot_be_parsed_is_answered(bot: Running, learner: Person) -> None:
    await learner.says("/start")
    tap = raw_tap(bot, learner, "x")
    del tap["chat_instance"]
    await receive(bot, {"callback_query": tap | {"message": {"chat": 5}}})
    assert await states(bot) == [("aside", 0)]
    assert None not in learner.answers_to_taps


async def test_what_is_not_even_an_update_is_ignored(bot: Running, learner: Person) -> None:
    await bot.app.gateway.intake.receive([None, [], "x", {"update_id": "1"}, {"update_id": 2**70}])
    await learner.says("/start")
    assert "Welcome" in learner.screen


async def test_messages_in_groups_are_ignored_and_taps_there_answered(
    bot: Running, learner: Person
) -> None:
    await learner.says("/start")
    called = len(bot.telegram.log)
    group = {"id": -1001234567890, "type": "supergroup", "title": "A team"}
    message = raw_message(learner, chat=group)
    tap = raw_tap(bot, learner, "c:0") | {"message": message}
    await receive(bot, {"message": message}, {"callback_query": tap})
    made = [call.method for call in list(bot.telegram.log)[called:]]
    assert [method for method in made if method != "getUpdates"] == ["answerCallbackQuery"]
    assert None not in learner.answers_to_taps


# Calls that go wrong


async def test_429_in_one_chat_holds_up_nobody_else_and_is_obeyed(
    bot: Running, telegram: Telegram, join: Join
) -> None:
    slow, other = join("Asha", "en"), join("Minh", "en")
    await slow.says("/start")
    await other.says("/start")
    flood = Trouble(Fault.flood(3600), "sendMessage", slow.id)
    telegram.before = flood
    telegram.say(slow.id, "/help")
    telegram.say(slow.id, "/privacy")
    await telegram.until(lambda: flood.calls == 1)
    telegram.say(other.id, "/help")
    await telegram.until(lambda: len(other.received) == 2)
    assert len(slow.received) == 1
    assert flood.calls == 1
    telegram.clock.forward(timedelta(hours=1))  # type: ignore[attr-defined]  # SandboxClock
    await bot.settled()
    assert len(slow.received) == 3
    assert "/language" in texts(slow)[1]


async def test_a_message_whose_answer_was_lost_is_not_sent_again(
    telegram: Telegram, learner: Person
) -> None:
    lost = telegram.after = Trouble(Drop(), "sendMessage")
    await learner.says("/start")
    assert len(learner.received) == 1
    assert lost.calls == 1


async def test_a_question_whose_answer_was_lost_can_be_tapped(
    telegram: Telegram, learner: Person
) -> None:
    await learner.follows("capitals")
    telegram.after = Trouble(Drop(), "sendMessage")
    await learner.taps("Start")
    await learner.taps("Paris")
    assert learner.toast == "✅ Correct!"
    assert len(learner.received) == 3


@pytest.mark.parametrize("error", [Drop(), Fault.gateway()])
async def test_an_edit_that_got_lost_is_made_again(
    telegram: Telegram, learner: Person, error: Exception
) -> None:
    await begin(learner)
    lost = telegram.before = Trouble(error, "editMessageText")
    await learner.taps("Lyon")
    assert lost.calls == 2
    assert "❌ Lyon" in [
        row[0]["text"] for row in learner.received[-2]["reply_markup"]["inline_keyboard"]
    ]
    assert "Paris is the capital." in learner.screen


@pytest.mark.parametrize("error", [Drop(), Fault.gateway(), Fault.flood(2)])
async def test_an_answer_to_a_tap_that_got_lost_is_made_again(
    telegram: Telegram, learner: Person, error: Exception
) -> None:
    await begin(learner)
    lost = telegram.before = Trouble(error, "answerCallbackQuery")
    await learner.taps("Paris")
    assert lost.calls == 2
    assert learner.toast == "✅ Correct!"


async def test_an_explanation_that_got_lost_is_made_up_for_by_going_on(
    telegram: Telegram, learner: Person
) -> None:
    await begin(learner)
    telegram.before = Trouble(Fault.gateway(), "sendMessage")
    await learner.taps("Paris")
    assert len(learner.received) == 2
    await learner.says("/quiz")
    await learner.taps("Capitals")
    assert "Capital of Japan?" in learner.screen


async def test_who_blocks_the_bot_gets_nothing_more_and_comes_back_to_their_place(
    bot: Running, telegram: Telegram, learner: Person
) -> None:
    await begin(learner)
    question = learner.received[-1]
    refused = telegram.before = Counted("sendMessage", "editMessageText")
    telegram.tap_data(learner.id, question["message_id"], payload(question, "Paris"))
    telegram.block(learner.id)
    await bot.settled()
    assert refused.calls <= 2
    assert await states(bot) == []
    await learner.unblocks()
    await learner.says("/quiz")
    assert "1/3" in learner.buttons[0]


class Counted:
    """How often these methods were called."""

    def __init__(self, *methods: str) -> None:
        self.calls = 0
        self._methods = methods

    async def __call__(self, method: str, _: Mapping[str, Any]) -> None:
        """As a hook of the Telegram's."""
        self.calls += method in self._methods


def payload(message: Json, label: str) -> str:
    """What the button with this label sends."""
    rows = message["reply_markup"]["inline_keyboard"]
    return next(str(b["callback_data"]) for row in rows for b in row if b["text"] == label)


# Somebody else


class Rival:
    """Another process that polls with the same token; ten seconds pass at each conflict."""

    def __init__(self, telegram: Telegram) -> None:
        self._telegram = telegram
        telegram.after = self._after

    async def poll(self) -> None:
        """Again and again, until cancelled."""
        while True:
            await self._telegram.call("getUpdates", {"timeout": 50})
            await asyncio.sleep(0)

    async def _after(self, method: str, _: Mapping[str, Any]) -> None:
        if not self._telegram.log[-1].answer["ok"]:
            self._telegram.clock.forward(timedelta(seconds=10))  # type: ignore[attr-defined]  # SandboxClock


async def test_another_process_on_the_same_token_is_named_and_ends_the_bot_after_a_minute(
    telegram: Telegram,
    catalogues: Catalogues,
    shelf: dict[str, Quiz],
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    settings = Settings(token=TOKEN, api_url="http://sandbox", data_dir=tmp_path)
    rival = asyncio.create_task(Rival(telegram).poll())
    async with Store.open(tmp_path / "quizbot.sqlite3") as store:
        app = App(
            settings, store, catalogues, shelf, telegram.clock, random.Random(7),
            request=lambda: HeartRequest(telegram),
        )  # fmt: skip
        began = telegram.clock.now()
        with pytest.raises(OtherPoller, match="stop it"):
            await app.run(lambda _: None)
    rival.cancel()
    said = [r.getMessage() for r in caplog.records if "Another process" in r.getMessage()]
    assert len(said) == 1
    assert timedelta(minutes=1) <= telegram.clock.now() - began < timedelta(minutes=3)


# Forged payloads


@pytest.fixture
async def quick_bot(
    telegram: Telegram, catalogues: Catalogues, shelf: dict[str, Quiz]
) -> AsyncIterator[Running]:
    """The bot with its database in memory: thousands of updates don't wait for a disk."""
    with TemporaryDirectory(dir=MEMORY) as folder:
        async with running(telegram, catalogues, shelf, Path(folder)) as it:
            yield it


@pytest.mark.timeout(900)  # the long run's ten thousand, on a busy machine too
async def test_forged_payloads_are_all_answered_and_nothing_fails(
    quick_bot: Running, telegram: Telegram
) -> None:
    bot = quick_bot
    dice = random.Random(20_260_901)
    people = [bot.person(f"P{n}") for n in range(20)]
    for person in people:
        await begin(person)
    for label in ("Paris", "Next ▸", "Tokyo"):
        await people[0].taps(label)
    await people[1].says("/language")
    await people[2].says("/forgetme")
    await begin(people[3], "several")
    genuine = [data for person in people for data in payloads(person)]
    for _ in range(PAYLOADS // AT_ONCE):
        for _ in range(AT_ONCE):
            person = dice.choice(people)
            telegram.tap_data(person.id, dice.randint(1, 4), mutated(dice, genuine))
        await bot.settled()
    taps = [tap for person in people for tap in person.account.taps]
    assert len(taps) > PAYLOADS
    assert [tap.data for tap in taps if tap.answer is None or tap.refused] == []
    async with bot.store.read() as reader:
        assert await reader.rows("SELECT 1 FROM inbox WHERE state <> 'done'") == []


def payloads(person: Person) -> list[str]:
    """Every payload that a button of theirs has."""
    rows = [m.get("reply_markup", {}).get("inline_keyboard", []) for m in person.received]
    buttons = [button for keyboard in rows for row in keyboard for button in row]
    return [button["callback_data"] for button in buttons if "callback_data" in button]


def mutated(dice: random.Random, genuine: list[str]) -> str:
    """One to three changes to what a button might send, at most 64 bytes."""
    data = dice.choice(genuine)
    for _ in range(dice.randint(1, 3)):
        data = dice.choice(CHANGES)(dice, data, dice.choice(genuine))
    return data.encode()[:64].decode(errors="ignore") or " "


def _other_field(dice: random.Random, data: str, other: str) -> str:
    fields, others = data.split(":"), other.split(":")
    fields[dice.randrange(len(fields))] = dice.choice(others)
    return ":".join(fields)


def _odd_field(dice: random.Random, data: str, _: str) -> str:
    fields = data.split(":")
    odd = ("", "0", "-1", "1", "zzzzzzzzzzzzz", "1y2p0ij32e8e7", "a" * 40, "½", "😀", "\x00", "en")
    fields[dice.randrange(len(fields))] = dice.choice(odd)
    return ":".join(fields)


def _longer(_: random.Random, data: str, other: str) -> str:
    return f"{data}:{other}"


def _shorter(dice: random.Random, data: str, _: str) -> str:
    return data[: dice.randrange(len(data) + 1)]


def _one_character(dice: random.Random, data: str, _: str) -> str:
    at = dice.randrange(len(data) + 1)
    return (
        data[:at]
        + chr(dice.choice((dice.randrange(32, 127), dice.randrange(1, 0xD7FF))))
        + data[at + 1 :]
    )


def _as_it_is(_: random.Random, data: str, __: str) -> str:
    return data


CHANGES = (_other_field, _odd_field, _longer, _shorter, _one_character, _as_it_is)
