"""The whole gateway under PTB's own Application."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from typing import Any

import pytest
from telegram import Update
from telegram.ext import ApplicationBuilder, CallbackContext, MessageHandler, filters

from bot.gateway import calls
from bot.gateway.calls import Call
from bot.gateway.gateway import Gateway
from bot.gateway.line import TokenRefused
from bot.gateway.transport import NotSent
from bot.sandbox.telegram import Telegram
from bot.store import inbox
from bot.store.database import Store, Transaction
from tests.gateway.conftest import HastyClock, Wire, message, refused
from tests.people import HeartRequest, Person

Context = CallbackContext[Any, Any, Any, Any]


async def keep(tx: Transaction, call: Call, message_id: int) -> None:
    raise AssertionError("nothing here is kept")


async def apologise(update: Update) -> Sequence[Call]:
    assert update.effective_user is not None
    return (Call("sendMessage", {"chat_id": update.effective_user.id, "text": "sorry"}),)


class Echo:
    """A bot that says what it hears, and fails on "fail"."""

    def __init__(self, telegram: Telegram, store: Store, clock: HastyClock) -> None:
        self._store = store
        self.application = (
            ApplicationBuilder()
            .token(telegram.bot.token)
            .request(HeartRequest(telegram))
            .get_updates_request(HeartRequest(telegram))
            .updater(None)
            .job_queue(None)
            .build()
        )
        self.application.add_handler(MessageHandler(filters.UpdateType.MESSAGE, self.echo))
        self.gateway = Gateway(
            self.application,
            store,
            clock,
            apologise=apologise,
            kept=keep,
            allowed_updates=("message", "callback_query"),
        )

    async def echo(self, update: Update, context: Context) -> None:
        assert update.message is not None
        if update.message.text == "fail":
            raise ZeroDivisionError
        params = {"chat_id": update.message.chat_id, "text": f"you said {update.message.text}"}
        reply = (Call("sendMessage", params),)
        async with self._store.transaction() as tx:
            assert await inbox.apply(tx, update.update_id, calls.dump(reply))
        self.gateway.intake.applied(update.update_id, reply)


@pytest.fixture
def echo(telegram: Telegram, wire: Wire, store: Store, clock: HastyClock) -> Echo:
    return Echo(telegram, store, clock)


@asynccontextmanager
async def running(echo: Echo) -> AsyncIterator[None]:
    await echo.gateway.connect()
    task = asyncio.create_task(echo.gateway.run())
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        await echo.gateway.stop(deadline_s=0.2)
        await echo.application.shutdown()


async def test_people_are_answered(telegram: Telegram, echo: Echo, asha: Person) -> None:
    async with running(echo):
        await telegram.until(lambda: asha.screen == "you said hello")


@pytest.mark.logs_errors
async def test_a_handler_that_fails_ends_in_an_apology_and_the_next_message_is_answered(
    telegram: Telegram, echo: Echo, asha: Person
) -> None:
    async with running(echo):
        telegram.say(asha.id, "fail")
        telegram.say(asha.id, "again")
        await telegram.until(lambda: asha.screen == "you said again")
    assert [m["text"] for m in asha.received] == ["you said hello", "sorry", "you said again"]


async def test_it_waits_for_the_network_before_it_starts(
    telegram: Telegram, echo: Echo, wire: Wire, clock: HastyClock, asha: Person
) -> None:
    wire.plan("getMe", *[NotSent("can't connect")] * 3)
    async with running(echo):
        await telegram.until(lambda: asha.screen == "you said hello")
    assert clock.pauses[:3] == [1.0, 2.0, 4.0]


async def test_a_token_refused_at_the_start_is_a_sentence_without_the_token(
    telegram: Telegram, echo: Echo, wire: Wire
) -> None:
    wire.plan("getMe", refused("Unauthorized", 401))
    with pytest.raises(TokenRefused) as caught:
        await echo.gateway.connect()
    assert telegram.bot.token not in str(caught.value)
    await echo.application.shutdown()


async def test_stopping_finishes_what_is_under_way(
    telegram: Telegram, echo: Echo, asha: Person
) -> None:
    async with running(echo):
        await telegram.until(lambda: asha.screen == "you said hello")
        echo.gateway.outbox.post([message(asha, f"{n}") for n in range(5)])
    assert [m["text"] for m in asha.received[1:]] == ["0", "1", "2", "3", "4"]


async def test_stopping_does_not_wait_beyond_the_deadline_and_the_rest_is_kept(
    echo: Echo, asha: Person, wire: Wire, store: Store
) -> None:
    sending = asyncio.Event()

    async def hang() -> None:
        sending.set()
        await asyncio.Event().wait()

    wire.plan("sendMessage", hang)
    async with running(echo):
        await sending.wait()
    async with store.read() as reader:
        [left] = await inbox.unfinished(reader)
    assert left.calls is not None
    assert "you said hello" in left.calls


async def test_what_is_kept_long_enough_is_swept(
    telegram: Telegram, echo: Echo, asha: Person, store: Store, clock: HastyClock
) -> None:
    async with store.transaction() as tx:
        await inbox.receive(tx, [inbox.Arrival(1, None, "{}")], clock.now() - timedelta(hours=26))
        await inbox.done(tx, [1])
    async with running(echo):
        await telegram.until(lambda: asha.screen == "you said hello")
    async with store.read() as reader:
        assert await reader.rows("SELECT 1 FROM inbox WHERE update_id = 1") == []
