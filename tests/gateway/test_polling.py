from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from typing import Any

import pytest
from telegram.error import NetworkError, TimedOut

from bot.gateway.api import Api
from bot.gateway.calls import Call
from bot.gateway.line import Line, OtherPoller, TokenRefused
from bot.gateway.polling import Polling
from bot.gateway.transport import NotSent
from bot.sandbox.telegram import Telegram
from tests.gateway.conftest import HastyClock, Wire, refused
from tests.people import Person

CONFLICT = refused(
    "Conflict: terminated by other getUpdates request; make sure that only one bot instance is "
    "running",
    409,
)


class Taken:
    """What the poller handed over."""

    def __init__(self) -> None:
        self.updates: list[Any] = []

    async def receive(self, updates: Sequence[object]) -> None:
        self.updates.extend(updates)


@pytest.fixture
def taken() -> Taken:
    return Taken()


@pytest.fixture
def polling(api: Api, clock: HastyClock, taken: Taken) -> Polling:
    return Polling(api, Line(clock), clock, taken.receive, ("message", "callback_query"))


@asynccontextmanager
async def running(polling: Polling) -> AsyncIterator[asyncio.Task[None]]:
    task = asyncio.create_task(polling.run())
    try:
        yield task
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def test_updates_arrive_and_are_confirmed_after_they_were_taken(
    polling: Polling, telegram: Telegram, taken: Taken, asha: Person, wire: Wire
) -> None:
    async with running(polling):
        await telegram.until(lambda: len(telegram.updates) == 0)
        telegram.say(asha.id, "again")
        await telegram.until(lambda: len(telegram.updates) == 0)
    assert [update["message"]["text"] for update in taken.updates] == ["hello", "again"]
    assert wire.methods[0] == "deleteWebhook"
    assert wire.asked[0][1]["drop_pending_updates"] == "false"
    assert wire.asked[1][1]["allowed_updates"] == '["message", "callback_query"]'
    assert "offset" not in wire.asked[1][1]


async def test_nothing_is_confirmed_that_was_not_taken(
    api: Api, clock: HastyClock, telegram: Telegram, asha: Person
) -> None:
    async def fail(updates: Sequence[object]) -> None:
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        await Polling(api, Line(clock), clock, fail, ()).run()
    assert len(telegram.updates) == 1


async def test_cancelled_while_taking_nothing_is_confirmed(
    api: Api, clock: HastyClock, telegram: Telegram, asha: Person
) -> None:
    taking = asyncio.Event()

    async def hang(updates: Sequence[object]) -> None:
        taking.set()
        await asyncio.Event().wait()

    async with running(Polling(api, Line(clock), clock, hang, ())):
        await taking.wait()
    assert len(telegram.updates) == 1


async def test_without_a_network_it_keeps_trying_and_says_so_once_and_when_it_is_back(
    polling: Polling,
    telegram: Telegram,
    wire: Wire,
    clock: HastyClock,
    asha: Person,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO, "bot")
    trouble: list[Exception] = [NotSent("can't connect to api"), TimedOut(), NetworkError("lost")]
    wire.plan("deleteWebhook", *trouble * 7)
    async with running(polling):
        await telegram.until(lambda: len(telegram.updates) == 0)
    said = [record.getMessage() for record in caplog.records]
    assert said == [
        "Telegram can't be reached (can't connect to api). Trying until it can.",
        "Telegram can be reached again.",
    ]
    assert clock.pauses[:7] == [1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 30.0]


@pytest.mark.parametrize(("status", "said"), [(401, "Unauthorized"), (404, "Not Found")])
@pytest.mark.parametrize("method", ["deleteWebhook", "getUpdates"])
async def test_a_refused_token_ends_it_with_a_sentence_without_the_token(
    polling: Polling, telegram: Telegram, wire: Wire, status: int, said: str, method: str
) -> None:
    wire.plan(method, refused(said, status))
    with pytest.raises(TokenRefused, match="QUIZBOT_TOKEN") as caught:
        await polling.run()
    assert telegram.bot.token not in str(caught.value)


async def test_another_poller_is_named_once_and_given_a_minute(
    polling: Polling, wire: Wire, clock: HastyClock, caplog: pytest.LogCaptureFixture
) -> None:
    wire.plan("getUpdates", *[CONFLICT] * 50)
    started = clock.now()
    with pytest.raises(OtherPoller, match="for a minute"):
        await polling.run()
    assert timedelta(minutes=1) <= clock.now() - started <= timedelta(minutes=1.5)
    assert caplog.text.count("Another process receives") == 1


async def test_a_conflict_that_passes_is_survived(
    polling: Polling, telegram: Telegram, wire: Wire, asha: Person
) -> None:
    wire.plan("getUpdates", *[CONFLICT] * 4)
    async with running(polling):
        await telegram.until(lambda: len(telegram.updates) == 0)


async def test_polls_that_succeed_in_between_do_not_hide_a_conflict(
    api: Api, clock: HastyClock, wire: Wire
) -> None:
    line = Line(clock)

    async def poll_now_and_then() -> None:
        while True:
            wire.plan("getUpdates", CONFLICT)
            await line.until_answered(lambda: api.make(Call("getUpdates", {})))

    with pytest.raises(OtherPoller):
        await poll_now_and_then()


async def test_a_flood_is_obeyed(
    polling: Polling, telegram: Telegram, wire: Wire, clock: HastyClock, asha: Person
) -> None:
    wire.plan("getUpdates", refused("Too Many Requests: retry after 9", 429, retry_after=9))
    async with running(polling):
        await telegram.until(lambda: len(telegram.updates) == 0)
    assert clock.pauses[0] == 9.0  # the next may be the long poll's own


@pytest.mark.logs_errors
async def test_an_answer_that_makes_no_sense_is_logged_once_and_tried_again(
    polling: Polling,
    telegram: Telegram,
    wire: Wire,
    asha: Person,
    caplog: pytest.LogCaptureFixture,
) -> None:
    wire.plan("getUpdates", *[refused("Bad Request: what is that")] * 3)
    async with running(polling):
        await telegram.until(lambda: len(telegram.updates) == 0)
    assert len([r for r in caplog.records if r.levelno == logging.ERROR]) == 1


@pytest.mark.logs_errors
async def test_a_full_disk_is_said_once_nothing_is_confirmed_and_nothing_lost(
    api: Api,
    clock: HastyClock,
    telegram: Telegram,
    wire: Wire,
    asha: Person,
    taken: Taken,
    caplog: pytest.LogCaptureFixture,
) -> None:
    waiting = [sqlite3.OperationalError("database or disk is full")] * 4
    polls: list[int] = []

    async def receive(updates: Sequence[object]) -> None:
        polls.append(len(telegram.updates))
        if waiting:
            raise waiting.pop()
        await taken.receive(updates)

    async with running(Polling(api, Line(clock), clock, receive, ())):
        await telegram.until(lambda: len(telegram.updates) == 0)
    assert polls == [1] * 5
    assert len(taken.updates) == 1
    assert clock.pauses[:4] == [1.0, 2.0, 4.0, 8.0]
    assert caplog.text.count("can't be stored (database or disk is full)") == 1


async def test_a_connection_that_says_nothing_is_given_up_and_the_poll_made_anew(
    api: Api, clock: HastyClock, telegram: Telegram, wire: Wire, asha: Person, taken: Taken
) -> None:
    async def hang() -> None:
        await asyncio.Event().wait()

    wire.plan("getUpdates", hang)
    polling = Polling(api, Line(clock), clock, taken.receive, (), grace_s=-30.99)
    async with running(polling):
        await telegram.until(lambda: bool(taken.updates))
        assert polling.answered_at is not None


async def test_with_too_much_to_do_nothing_more_is_fetched(
    api: Api, clock: HastyClock, telegram: Telegram, wire: Wire, asha: Person, taken: Taken
) -> None:
    room = asyncio.Event()

    async def wait_for_room() -> None:
        await room.wait()

    polling = Polling(api, Line(clock), clock, taken.receive, (), room=wait_for_room)
    async with running(polling):
        for _ in range(50):
            await asyncio.sleep(0)
        assert "getUpdates" not in wire.methods
        room.set()
        await telegram.until(lambda: len(telegram.updates) == 0)
