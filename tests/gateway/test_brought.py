from __future__ import annotations

import asyncio
import json
import logging
import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress

import pytest

from bot.gateway.api import Api
from bot.gateway.line import Line, TokenRefused
from bot.gateway.webhook import Target, Webhook
from bot.sandbox.telegram import Telegram
from tests.gateway.conftest import HastyClock, Wire, refused

URL = "http://127.0.0.1:9/hook"
SECRET = "open-sesame"
ALLOWED = ("message", "callback_query")


class Inbox:
    """Where updates go; it can be slow, out of order, or full."""

    def __init__(self) -> None:
        self.batches: list[Sequence[object]] = []
        self.held: asyncio.Event | None = None
        self.trouble: Exception | None = None
        self.full = False

    async def receive(self, updates: Sequence[object]) -> None:
        if self.held is not None:
            await self.held.wait()
        if self.trouble is not None:
            raise self.trouble
        self.batches.append(updates)


@pytest.fixture
def inbox() -> Inbox:
    return Inbox()


@pytest.fixture
def webhook(api: Api, clock: HastyClock, inbox: Inbox) -> Webhook:
    return made(api, clock, inbox)


def made(api: Api, clock: HastyClock, inbox: Inbox, secret: str = SECRET) -> Webhook:
    target = Target(URL, secret)
    return Webhook(api, Line(clock), clock, inbox.receive, lambda: inbox.full, target, ALLOWED)


@asynccontextmanager
async def running(webhook: Webhook, telegram: Telegram) -> AsyncIterator[None]:
    task = asyncio.create_task(webhook.run())
    try:
        await telegram.until(lambda: webhook.answered_at is not None)
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


def update(id_: int) -> bytes:
    return json.dumps({"update_id": id_, "message": {}}).encode()


async def test_an_update_is_acknowledged_only_when_it_is_safe(
    webhook: Webhook, inbox: Inbox
) -> None:
    inbox.held = asyncio.Event()
    taking = asyncio.create_task(webhook.take(SECRET, update(1)))
    for _ in range(10):
        await asyncio.sleep(0)
    assert not taking.done()
    inbox.held.set()
    assert await taking == 200
    assert inbox.batches == [[json.loads(update(1))]]


async def test_what_comes_during_one_commit_makes_up_the_next(
    webhook: Webhook, inbox: Inbox
) -> None:
    inbox.held = asyncio.Event()
    first = asyncio.create_task(webhook.take(SECRET, update(1)))
    await asyncio.sleep(0)
    more = [asyncio.create_task(webhook.take(SECRET, update(n))) for n in range(2, 30)]
    await asyncio.sleep(0)
    inbox.held.set()
    assert await asyncio.gather(first, *more) == [200] * 29
    assert [len(batch) for batch in inbox.batches] == [1, 28]


@pytest.mark.parametrize("secret", ["", "open-sesam", "open-sesame ", "öpen"])
async def test_a_wrong_secret_is_refused(webhook: Webhook, inbox: Inbox, secret: str) -> None:
    assert await webhook.take(secret, update(1)) == 403
    assert inbox.batches == []


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"7", b"\xff", b"[" * 100_000])
async def test_what_is_no_json_object_is_refused(
    webhook: Webhook, inbox: Inbox, body: bytes
) -> None:
    assert await webhook.take(SECRET, body) == 400
    assert inbox.batches == []


@pytest.mark.logs_errors
async def test_when_the_store_fails_nothing_is_acknowledged_and_the_next_is(
    webhook: Webhook, inbox: Inbox, caplog: pytest.LogCaptureFixture
) -> None:
    inbox.trouble = sqlite3.OperationalError("database or disk is full")
    assert await webhook.take(SECRET, update(1)) == 503
    assert "database or disk is full" in caplog.text
    inbox.trouble = None
    assert await webhook.take(SECRET, update(1)) == 200


async def test_with_too_much_to_do_nothing_is_taken(webhook: Webhook, inbox: Inbox) -> None:
    inbox.full = True
    assert await webhook.take(SECRET, update(1)) == 503
    assert inbox.batches == []


async def test_it_is_set_once_and_not_again_at_the_next_start(
    webhook: Webhook,
    telegram: Telegram,
    wire: Wire,
    api: Api,
    clock: HastyClock,
    inbox: Inbox,
) -> None:
    async with running(webhook, telegram):
        pass
    async with running(made(api, clock, inbox), telegram):
        pass
    assert wire.methods.count("setWebhook") == 1
    params = dict(wire.asked[wire.methods.index("setWebhook")][1])
    assert params == {
        "url": URL,
        "max_connections": "40",
        "allowed_updates": '["message", "callback_query"]',
        "secret_token": SECRET,
        "drop_pending_updates": "false",
    }
    assert telegram.world.webhook.url == URL


async def test_it_is_set_again_when_somebody_took_it_away(
    webhook: Webhook, telegram: Telegram, wire: Wire
) -> None:
    async with running(webhook, telegram):
        await telegram.call("deleteWebhook", {})
        await telegram.until(lambda: wire.methods.count("setWebhook") == 2)
    assert telegram.world.webhook.url == URL


async def test_a_changed_secret_is_told_after_the_first_refusal(
    webhook: Webhook, telegram: Telegram, wire: Wire, api: Api, clock: HastyClock, inbox: Inbox
) -> None:
    async with running(webhook, telegram):
        pass
    changed = made(api, clock, inbox, secret="new-one")
    async with running(changed, telegram):
        assert await changed.take(SECRET, update(1)) == 403
        await telegram.until(lambda: telegram.world.webhook.secret == "new-one")


async def test_a_refused_token_ends_it(webhook: Webhook, wire: Wire) -> None:
    wire.plan("getWebhookInfo", refused("Unauthorized", 401))
    with pytest.raises(TokenRefused):
        await webhook.run()


async def test_the_secret_is_in_no_repr_and_no_log(
    webhook: Webhook, telegram: Telegram, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "bot")
    async with running(webhook, telegram):
        await webhook.take("wrong", update(1))
    assert SECRET not in caplog.text
    assert SECRET not in repr(Target(URL, SECRET))
