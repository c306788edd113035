"""Updates from their arrival to the end, with the process dying in between."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from telegram import Bot, Update
from telegram.ext import CallbackContext

from bot.gateway import calls
from bot.gateway.api import Api
from bot.gateway.calls import Call
from bot.gateway.finished import Finished
from bot.gateway.intake import Handling, Intake
from bot.gateway.outbox import Outbox
from bot.gateway.transport import NotSent
from bot.sandbox.telegram import Telegram
from bot.store import inbox
from bot.store.database import Store, Transaction
from tests.gateway.conftest import HastyClock, Wire, refused
from tests.people import Person

Step = Callable[[Update], Awaitable[None]]


class Rig:
    """An intake whose handler replies "seen …" to everything, and fails or dies on request."""

    def __init__(self, store: Store, bot: Bot, clock: HastyClock, most: int = 2000) -> None:
        self.store, self.clock = store, clock
        self.handled: list[int] = []
        self.before_commit: Step = _nothing
        self.after_commit: Step = _nothing
        finished = Finished(store, self.keep)
        outbox = Outbox(Api(bot), clock, finished.note)
        handling = Handling(bot, self.handle, self.apologise)
        self.intake = Intake(store, clock, outbox, finished, handling, most=most)
        self.kept: list[int] = []

    async def handle(self, update: Update) -> None:
        if update.effective_user is None:
            return
        reply = (
            *[
                Call("answerCallbackQuery", {"callback_query_id": tap.id})
                for tap in [update.callback_query]
                if tap
            ],
            Call(
                "sendMessage",
                {"chat_id": update.effective_user.id, "text": f"seen {update.update_id}"},
            ),
        )
        async with self.store.transaction() as tx:
            assert await inbox.apply(tx, update.update_id, calls.dump(reply))
            await self.before_commit(update)
            self.handled.append(update.update_id)
        await self.after_commit(update)
        self.intake.applied(update.update_id, reply)

    async def apologise(self, update: Update) -> Sequence[Call]:
        assert update.effective_user is not None
        return (Call("sendMessage", {"chat_id": update.effective_user.id, "text": "sorry"}),)

    async def keep(self, tx: Transaction, call: Call, message_id: int) -> None:
        self.kept.append(message_id)

    async def takes(self, *updates: object) -> None:
        await self.intake.receive(updates)
        await self.intake.idle()

    async def states(self) -> list[tuple[int, str]]:
        async with self.store.read() as reader:
            rows = await reader.rows("SELECT update_id, state FROM inbox ORDER BY seq")
        return [tuple(row) for row in rows]


async def _nothing(update: Update) -> None:
    return


@asynccontextmanager
async def process(path: Path, bot: Bot, clock: HastyClock) -> AsyncIterator[Rig]:
    """A run of the bot on the database; at the end of the block it dies where it is."""
    async with Store.open(path) as store:
        rig = Rig(store, bot, clock)
        yield rig
        await rig.intake.stop()


@pytest.fixture
async def rig(path: Path, ptb_bot: Bot, clock: HastyClock) -> AsyncIterator[Rig]:
    async with process(path, ptb_bot, clock) as rig:
        yield rig


def says(person: Person, update_id: int, text: str = "hello") -> dict[str, Any]:
    return {
        "update_id": update_id,
        "message": {
            "message_id": update_id,
            "date": 1_800_000_000,
            "chat": {"id": person.id, "type": "private"},
            "from": {"id": person.id, "is_bot": False, "first_name": "A"},
            "text": text,
        },
    }


def taps(person: Person, update_id: int) -> dict[str, Any]:
    return {
        "update_id": update_id,
        "callback_query": {
            "id": str(update_id),
            "chat_instance": "1",
            "data": "x",
            "from": {"id": person.id, "is_bot": False, "first_name": "A"},
        },
    }


def texts(person: Person) -> list[str]:
    return [message["text"] for message in person.received]


async def test_an_update_is_handled_answered_and_done(rig: Rig, asha: Person) -> None:
    await rig.takes(says(asha, 1), says(asha, 2))
    assert texts(asha) == ["seen 1", "seen 2"]
    assert await rig.states() == [(1, "done"), (2, "done")]


async def test_what_receive_returned_from_is_in_the_database(rig: Rig, asha: Person) -> None:
    held = asyncio.Event()

    async def wait(update: Update) -> None:
        await held.wait()

    rig.after_commit = wait
    await rig.intake.receive([says(asha, 1), says(asha, 2)])
    assert [update_id for update_id, _ in await rig.states()] == [1, 2]
    held.set()
    await rig.intake.idle()


async def test_duplicates_are_handled_once(rig: Rig, asha: Person) -> None:
    await rig.takes(says(asha, 1), says(asha, 1))
    await rig.takes(says(asha, 1), says(asha, 2))
    assert rig.handled == [1, 2]


async def test_one_person_is_served_in_order_while_another_is_not_kept_waiting(
    rig: Rig, telegram: Telegram, asha: Person, binh: Person
) -> None:
    held = asyncio.Event()

    async def wait(update: Update) -> None:
        if update.update_id == 1:
            await held.wait()

    rig.after_commit = wait
    await rig.intake.receive([says(asha, 1), says(asha, 2), says(binh, 3)])
    await telegram.until(lambda: bool(texts(binh)))
    assert texts(asha) == []
    held.set()
    await rig.intake.idle()
    assert texts(asha) == ["seen 1", "seen 2"]


async def test_a_tap_is_answered_before_anything_is_sent(
    rig: Rig, asha: Person, wire: Wire
) -> None:
    await rig.takes(taps(asha, 1))
    assert wire.methods == ["answerCallbackQuery", "sendMessage"]


@pytest.mark.parametrize(
    "trouble", [NotSent("can't connect"), refused("Too Many Requests", 429, retry_after=3)]
)
async def test_an_answer_that_failed_for_now_is_made_later(
    rig: Rig, asha: Person, wire: Wire, trouble: Exception
) -> None:
    wire.plan("answerCallbackQuery", trouble, trouble)
    await rig.takes(taps(asha, 1))
    assert wire.methods.count("answerCallbackQuery") == 3
    assert texts(asha) == ["seen 1"]
    assert await rig.states() == [(1, "done")]


async def test_an_update_that_nobody_wants_is_done_and_leaves_no_spinner(
    rig: Rig, wire: Wire, asha: Person
) -> None:
    rig.intake._handling = Handling(rig.intake._handling.bot, _nothing, rig.apologise)
    await rig.takes(says(asha, 2), taps(asha, 3))
    assert wire.methods == ["answerCallbackQuery"]
    assert await rig.states() == [(2, "done"), (3, "done")]


@pytest.mark.logs_errors
async def test_a_handler_that_fails_twice_is_tried_again_and_takes_effect_once(
    rig: Rig, asha: Person, clock: HastyClock, caplog: pytest.LogCaptureFixture
) -> None:
    tries = 0

    async def fail(update: Update) -> None:
        nonlocal tries
        tries += 1
        if tries < 3:
            raise ZeroDivisionError("so it goes")

    rig.before_commit = fail
    await rig.takes(says(asha, 1, "private words"), says(asha, 2))
    assert rig.handled == [1, 2]
    assert texts(asha) == ["seen 1", "seen 2"]
    assert clock.pauses == [1.0, 2.0]
    assert caplog.text.count("Traceback") == 1
    assert "private words" not in caplog.text


@pytest.mark.logs_errors
async def test_after_three_tries_the_person_is_told_and_the_next_update_is_handled(
    rig: Rig, asha: Person, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(update: Update) -> None:
        if update.update_id == 1:
            raise ZeroDivisionError("so it goes")

    rig.before_commit = fail
    await rig.takes(says(asha, 1), says(asha, 2))
    assert texts(asha) == ["sorry", "seen 2"]
    assert rig.handled == [2]
    assert await rig.states() == [(1, "aside"), (2, "done")]
    assert "try 3 of 3; set aside" in caplog.text


@pytest.mark.logs_errors
async def test_if_even_the_apology_fails_no_spinner_stays(
    rig: Rig, asha: Person, wire: Wire
) -> None:
    async def fail(update: Update) -> Any:
        raise ZeroDivisionError

    rig.before_commit = fail
    rig.intake._handling = Handling(rig.intake._handling.bot, rig.handle, fail)
    await rig.takes(taps(asha, 1))
    assert wire.methods == ["answerCallbackQuery"]
    assert await rig.states() == [(1, "aside")]


@pytest.mark.logs_errors
async def test_a_failure_after_the_commit_neither_repeats_nor_loses_what_was_done(
    rig: Rig, asha: Person
) -> None:
    async def fail(update: Update) -> None:
        raise ZeroDivisionError

    rig.after_commit = fail
    await rig.takes(says(asha, 1))
    assert rig.handled == [1]
    assert texts(asha) == ["seen 1"]
    assert await rig.states() == [(1, "done")]


@pytest.mark.logs_errors
async def test_an_error_that_ptb_caught_counts_as_a_failed_try(rig: Rig, asha: Person) -> None:
    context = CallbackContext[Any, Any, Any, Any].__new__(CallbackContext)
    object.__setattr__(context, "error", ZeroDivisionError())

    async def swallow(update: Update) -> None:
        await rig.intake.note_error(update, context)

    rig.intake._handling = Handling(rig.intake._handling.bot, swallow, rig.apologise)
    await rig.takes(says(asha, 1))
    assert texts(asha) == ["sorry"]


POISON = [
    {"update_id": 1, "message": {"text": "no id, no chat"}},
    {"update_id": 1, "message": 5},
    {"update_id": 1, "poll_answer": {"user": {"id": 5}}},
    {"update_id": 1, "callback_query": {"id": "1", "from": {"id": 501}}},
]


@pytest.mark.parametrize("poison", POISON)
async def test_an_update_that_ptb_cannot_parse_is_set_aside_and_stops_nobody(
    rig: Rig, asha: Person, poison: dict[str, Any]
) -> None:
    await rig.takes(poison, says(asha, 2))
    assert texts(asha) == ["seen 2"]
    assert await rig.states() == [(1, "aside"), (2, "done")]


async def test_a_tap_that_ptb_cannot_parse_is_answered_all_the_same(rig: Rig, wire: Wire) -> None:
    await rig.takes(POISON[-1])
    assert wire.asked == [("answerCallbackQuery", {"callback_query_id": "1"})]


async def test_what_is_not_even_an_update_is_ignored(rig: Rig, asha: Person) -> None:
    await rig.takes("odd", {"message": {}}, says(asha, 2))
    assert await rig.states() == [(2, "done")]


async def test_lone_surrogates_and_nul_survive_the_inbox(rig: Rig, asha: Person) -> None:
    await rig.takes(says(asha, 1, "\ud83d and \x00"))
    assert texts(asha) == ["seen 1"]


async def test_killed_after_receiving_the_next_run_handles_in_order(
    path: Path, ptb_bot: Bot, clock: HastyClock, asha: Person
) -> None:
    async with process(path, ptb_bot, clock) as first:
        first.before_commit = _for_ever
        await first.intake.receive([says(asha, 9), says(asha, 3)])
        await asyncio.sleep(0)
    async with process(path, ptb_bot, clock) as second:
        await second.intake.resume()
        await second.takes(says(asha, 9), says(asha, 4))
        assert second.handled == [9, 3, 4]
        assert texts(asha) == ["seen 9", "seen 3", "seen 4"]


async def test_killed_within_the_transaction_the_next_run_handles(
    path: Path, ptb_bot: Bot, clock: HastyClock, asha: Person
) -> None:
    async with process(path, ptb_bot, clock) as first:
        inside = asyncio.Event()

        async def die(update: Update) -> None:
            inside.set()
            await _for_ever(update)

        first.before_commit = die
        await first.intake.receive([says(asha, 1)])
        await inside.wait()
    async with process(path, ptb_bot, clock) as second:
        await second.intake.resume()
        await second.intake.idle()
        assert second.handled == [1]
        assert texts(asha) == ["seen 1"]


async def test_killed_after_the_commit_the_next_run_only_tells(
    path: Path, ptb_bot: Bot, clock: HastyClock, asha: Person, wire: Wire
) -> None:
    async with process(path, ptb_bot, clock) as first:
        committed = asyncio.Event()

        async def die(update: Update) -> None:
            committed.set()
            await _for_ever(update)

        first.after_commit = die
        await first.intake.receive([taps(asha, 1)])
        await committed.wait()
    assert texts(asha) == []
    async with process(path, ptb_bot, clock) as second:
        await second.intake.resume()
        await second.intake.idle()
        assert second.handled == []
        assert wire.methods == ["answerCallbackQuery", "sendMessage"]
        assert texts(asha) == ["seen 1"]
        assert await second.states() == [(1, "done")]


async def test_killed_while_telling_the_next_run_tells_again(
    path: Path, ptb_bot: Bot, clock: HastyClock, asha: Person, wire: Wire
) -> None:
    sending = asyncio.Event()

    async def hang() -> None:
        sending.set()
        await asyncio.Event().wait()

    wire.plan("sendMessage", hang)
    async with process(path, ptb_bot, clock) as first:
        await first.intake.receive([says(asha, 1)])
        await sending.wait()
        assert await first.states() == [(1, "applied")]
    async with process(path, ptb_bot, clock) as second:
        await second.intake.resume()
        await second.intake.idle()
        assert second.handled == []
        assert texts(asha) == ["seen 1"]


async def test_when_all_is_done_the_next_run_does_nothing(
    path: Path, ptb_bot: Bot, clock: HastyClock, asha: Person
) -> None:
    async with process(path, ptb_bot, clock) as first:
        await first.takes(says(asha, 1))
    async with process(path, ptb_bot, clock) as second:
        await second.intake.resume()
        await second.takes(says(asha, 1))
        assert second.handled == []
        assert texts(asha) == ["seen 1"]


@pytest.mark.logs_errors
async def test_failed_tries_are_counted_across_runs(
    path: Path, ptb_bot: Bot, clock: HastyClock, asha: Person
) -> None:
    async def fail(update: Update) -> None:
        raise ZeroDivisionError

    async with process(path, ptb_bot, clock) as first:
        first.before_commit = fail
        async with first.store.transaction() as tx:
            await inbox.receive(tx, [inbox.Arrival(1, asha.id, _json(says(asha, 1)))], clock.now())
            await inbox.failed(tx, 1)
            await inbox.failed(tx, 1)
    async with process(path, ptb_bot, clock) as second:
        second.before_commit = fail
        await second.intake.resume()
        await second.intake.idle()
        assert texts(asha) == ["sorry"]
        assert clock.pauses == []


async def test_a_refused_token_leaves_the_calls_to_the_next_run(
    path: Path, ptb_bot: Bot, clock: HastyClock, asha: Person, wire: Wire
) -> None:
    wire.plan("sendMessage", refused("Unauthorized", 401))
    async with process(path, ptb_bot, clock) as first:
        await first.takes(says(asha, 1))
        assert await first.states() == [(1, "applied")]
    async with process(path, ptb_bot, clock) as second:
        await second.intake.resume()
        await second.intake.idle()
        assert texts(asha) == ["seen 1"]


async def test_a_person_who_blocked_the_bot_leaves_nothing_undone(
    rig: Rig, asha: Person, telegram: Telegram
) -> None:
    telegram.block(asha.id)
    await rig.takes(says(asha, 1))
    assert await rig.states() == [(1, "done")]


async def test_many_updates_at_once_are_all_done_and_nothing_stays_behind(
    rig: Rig, telegram: Telegram
) -> None:
    people = [Person(telegram, f"P{n}") for n in range(20)]
    for person in people:
        telegram.say(person.id, "hello")
    updates = [says(people[n % 20], n) for n in range(200)]
    await asyncio.gather(*(rig.intake.receive(updates[n : n + 50]) for n in range(0, 200, 50)))
    await rig.intake.idle()
    assert sorted(rig.handled) == list(range(200))
    assert {state for _, state in await rig.states()} == {"done"}
    assert all(texts(p) == [f"seen {n}" for n in range(i, 200, 20)] for i, p in enumerate(people))
    assert len(rig.intake) == 0
    assert rig.intake._applied == {}
    assert rig.intake._errors == {}


async def _for_ever(update: Update) -> None:
    await asyncio.Event().wait()


def _json(update: dict[str, Any]) -> str:
    return json.dumps(update)


async def test_too_much_is_under_way_until_the_last_call_of_enough_updates_is_made(
    store: Store, ptb_bot: Bot, clock: HastyClock, asha: Person, wire: Wire
) -> None:
    rig = Rig(store, ptb_bot, clock, most=2)
    sending, held = asyncio.Event(), asyncio.Event()

    async def wait() -> None:
        sending.set()
        await held.wait()

    wire.plan("sendMessage", wait)
    await rig.intake.receive([says(asha, n) for n in range(4)])
    assert rig.intake.backlog.full
    waiting = asyncio.create_task(rig.intake.backlog.room())
    await sending.wait()
    assert not waiting.done()
    held.set()
    await waiting
    await rig.intake.idle()
    assert len(rig.intake.backlog) == 0


@pytest.mark.logs_errors
async def test_a_database_in_trouble_is_no_failed_try_and_everything_is_handled_after_it(
    rig: Rig, asha: Person, clock: HastyClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    trouble = 6
    transaction = rig.store.transaction

    def full(self: Store) -> Any:
        nonlocal trouble
        if trouble:
            trouble -= 1
            raise sqlite3.OperationalError("database or disk is full")
        return transaction()

    await rig.intake.receive([])
    async with rig.store.transaction() as tx:
        await inbox.receive(tx, [inbox.Arrival(1, asha.id, _json(says(asha, 1)))], clock.now())
    monkeypatch.setattr(Store, "transaction", full)
    await rig.intake.resume()
    await rig.intake.idle()
    assert texts(asha) == ["seen 1"]
    assert await rig.states() == [(1, "done")]
    assert clock.pauses == [5.0, 5.0, 5.0]
