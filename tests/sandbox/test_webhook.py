"""Updates that are pushed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from datetime import timedelta
from typing import Any

import aiohttp
import pytest
from aiohttp import web

from bot.sandbox.clock import SandboxClock
from bot.sandbox.push import Pusher, Reply
from bot.sandbox.server import Server
from bot.sandbox.telegram import Telegram
from tests.people import Person
from tests.sandbox.asking import done, refused

URL = "http://127.0.0.1:9/hook"


class Hook:
    """A webhook. `replies` are given in turn, then 200; `held` ones wait for `let_go`."""

    def __init__(self, telegram: Telegram) -> None:
        self.telegram = telegram
        self.got: list[dict[str, Any]] = []
        self.headers: list[Mapping[str, str]] = []
        self.replies: list[Reply | Exception] = []
        self.holds: Callable[[dict[str, Any]], bool] = lambda _: False
        self.let_go = asyncio.Event()

    async def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> Reply:
        update = json.loads(body)
        self.got.append(update)
        self.headers.append(headers)
        self.telegram.bell.ring()
        if self.holds(update):
            await self.let_go.wait()
        reply = self.replies.pop(0) if self.replies else Reply(200)
        if isinstance(reply, Exception):
            raise reply
        return reply

    def has_got(self, tries: int) -> Callable[[], bool]:
        """Whether it was tried so often by now."""
        return lambda: len(self.got) >= tries

    def texts(self) -> list[str]:
        return [u["message"]["text"] if "message" in u else u["callback_query"]["data"]
                for u in self.got]  # fmt: skip


@pytest.fixture
async def hook(telegram: Telegram) -> AsyncIterator[Hook]:
    hook = Hook(telegram)
    pushing = asyncio.create_task(Pusher(telegram, hook.post).run())
    await done(telegram, "setWebhook", url=URL, secret_token="s3cret_-")
    yield hook
    pushing.cancel()
    await asyncio.gather(pushing, return_exceptions=True)


async def test_updates_are_pushed_with_the_secret(telegram: Telegram, hook: Hook) -> None:
    learner = Person(telegram, "Asha")
    await learner.says("/start")
    await telegram.until(lambda: len(telegram.updates) == 0)
    assert hook.texts() == ["/start"]
    assert hook.headers[0] == {
        "Content-Type": "application/json",
        "X-Telegram-Bot-Api-Secret-Token": "s3cret_-",
    }


async def test_a_chat_waits_for_itself_only_and_taps_wait_for_their_person(
    telegram: Telegram, hook: Hook
) -> None:
    asha, lan = Person(telegram, "Asha"), Person(telegram, "Lan")
    hook.holds = lambda update: update.get("message", {}).get("text") == "one"
    for text in ("one", "two"):
        await asha.says(text)
        await lan.says(f"{text} of Lan")
    await asha.forges("tap")
    await telegram.until(lambda: len(telegram.updates) == 2)
    assert sorted(hook.texts()) == ["one", "one of Lan", "tap", "two of Lan"]
    hook.let_go.set()
    await telegram.until(lambda: len(telegram.updates) == 0)
    assert hook.texts()[-1] == "two"


async def test_no_more_connections_than_asked_for(telegram: Telegram, hook: Hook) -> None:
    telegram.world.webhook.connections = 2
    hook.holds = lambda _: True
    for number in range(5):
        await Person(telegram, f"P{number}").says("hi")
    await telegram.until(lambda: len(hook.got) == 2)
    hook.let_go.set()
    await telegram.until(lambda: len(telegram.updates) == 0)
    assert len(hook.got) == 5


async def test_a_failed_push_is_tried_again_ever_later(
    telegram: Telegram, hook: Hook, clock: SandboxClock
) -> None:
    hook.replies = [Reply(500, "Oops"), OSError(111, "Connection refused"), Reply(502), Reply(200)]
    await Person(telegram, "Asha").says("hi")
    await telegram.until(lambda: len(hook.got) == 2 and not hook.holds(hook.got[-1]))
    await telegram.until(lambda: (telegram.world.webhook.error or ("", ""))[1] != "")
    info = await done(telegram, "getWebhookInfo")
    assert (info["url"], info["pending_update_count"]) == (URL, 1)
    assert info["last_error_message"] == "Connection refused"
    clock.forward(timedelta(seconds=2))
    await telegram.until(lambda: len(hook.got) == 3)
    clock.forward(timedelta(seconds=3.9))
    await telegram.until(lambda: True)
    assert len(hook.got) == 3
    clock.forward(timedelta(seconds=0.2))
    await telegram.until(lambda: len(telegram.updates) == 0)


async def test_retry_after_is_heeded(telegram: Telegram, hook: Hook, clock: SandboxClock) -> None:
    hook.replies = [Reply(503, "Busy", retry_after="100"), Reply(200)]
    await Person(telegram, "Asha").says("hi")
    await telegram.until(lambda: telegram.world.webhook.error is not None)
    clock.forward(timedelta(seconds=99))
    await telegram.until(lambda: True)
    assert len(hook.got) == 1
    clock.forward(timedelta(seconds=2))
    await telegram.until(lambda: len(telegram.updates) == 0)


async def test_a_tap_is_given_up_after_150_seconds(
    telegram: Telegram, hook: Hook, clock: SandboxClock
) -> None:
    learner = Person(telegram, "Asha")
    hook.replies = [Reply(500), Reply(500, retry_after="3600")]
    await learner.forges("x")
    await telegram.until(lambda: len(telegram.updates) == 0)
    assert len(hook.got) == 2


async def test_410_for_a_day_ends_the_webhook(
    telegram: Telegram, hook: Hook, clock: SandboxClock
) -> None:
    gone = Reply(410, "Gone", retry_after="3600")
    hook.replies = [gone] * 40
    await Person(telegram, "Asha").says("hi")
    for hour in range(1, 25):
        await telegram.until(hook.has_got(hour))
        clock.forward(timedelta(hours=1))
    await telegram.until(lambda: telegram.world.webhook.url == "")


async def test_a_call_may_come_in_the_reply(telegram: Telegram, hook: Hook) -> None:
    learner = Person(telegram, "Asha")
    call = {"method": "sendMessage", "chat_id": learner.id, "text": "by reply"}
    hook.replies = [Reply(200, body=json.dumps(call).encode()), Reply(200, body=b"OK")]
    await learner.says("/start")
    await telegram.until(lambda: learner.screen == "by reply")
    await learner.says("again")
    await telegram.until(lambda: len(telegram.updates) == 0)


async def test_polling_and_webhook_exclude_each_other(
    telegram: Telegram, clock: SandboxClock
) -> None:
    polling = asyncio.create_task(telegram.call("getUpdates", {"timeout": 50}))
    await telegram.until(lambda: telegram.updates.polled)
    await done(telegram, "setWebhook", url=URL, max_connections=500, allowed_updates=["message"])
    status, body = await polling
    assert (status, body["description"]) == (409, "Conflict: terminated by setWebhook request")
    assert await refused(telegram, "getUpdates", {}) == (
        "Conflict: can't use getUpdates method while webhook is active;"
        " use deleteWebhook to delete the webhook first"
    )
    info = await done(telegram, "getWebhookInfo")
    assert (info["max_connections"], info["allowed_updates"]) == (100, ["message"])
    status, body = await telegram.call("setWebhook", {"url": URL})
    assert (status, body["parameters"]) == (429, {"retry_after": 1})
    clock.forward(timedelta(seconds=1))
    await done(telegram, "setWebhook", url="", drop_pending_updates=True)
    assert await done(telegram, "getUpdates") == []


STRICT = [
    ("http://example.com/", "An HTTPS URL must be provided for webhook"),
    ("https://example.com:8080/", "Webhook can be set up only on ports 80, 88, 443 or 8443"),
    ("https://127.0.0.1/", "IP address 127.0.0.1 is reserved"),
    ("https://localhost:8443/", "IP address 127.0.0.1 is reserved"),
    ("https://192.168.1.5/", "IP address 192.168.1.5 is reserved"),
    ("https://[2001:db8::1]/", "IPv6-only addresses are not allowed"),
    ("ftp://example.com/", "invalid webhook URL specified"),
    ("https://[evil", "invalid webhook URL specified"),
    ("https://example.com:8443/hook", None),
    ("https://8.8.8.8/hook", None),
]


@pytest.mark.parametrize(("url", "why"), STRICT)
async def test_addresses_are_checked_strictly_by_a_switch(
    clock: SandboxClock, url: str, why: str | None
) -> None:
    telegram = Telegram(clock, strict_webhooks=True)
    status, body = await telegram.call("setWebhook", {"url": url})
    assert body.get("description") == (why and f"Bad Request: bad webhook: {why}")
    assert status == (400 if why else 200)


@pytest.mark.parametrize(
    ("secret", "why"),
    [("x" * 257, "secret token is too long"),
     ("with space", "secret token contains unallowed characters")],
)  # fmt: skip
async def test_secrets_are_checked(telegram: Telegram, secret: str, why: str) -> None:
    params = {"url": URL, "secret_token": secret}
    assert await refused(telegram, "setWebhook", params) == f"Bad Request: {why}"


async def test_over_http(telegram: Telegram, server: Server, learner: Person) -> None:
    got: asyncio.Queue[Any] = asyncio.Queue()

    async def receive(request: web.Request) -> web.Response:
        got.put_nowait((await request.json(), request.headers["Content-Type"]))
        return web.Response()

    app = web.Application()
    app.router.add_post("/hook", receive)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    url = f"http://127.0.0.1:{runner.addresses[0][1]}/hook"
    async with aiohttp.ClientSession(f"{server.url}/bot{telegram.bot.token}/") as client:
        async with client.post("setWebhook", json={"url": url}) as response:
            assert (await response.json())["ok"]
        update, kind = await got.get()
    assert (update["message"]["text"], kind) == ("/start", "application/json")
    await runner.cleanup()
    await learner.says("nobody there")
    await telegram.until(lambda: telegram.world.webhook.error is not None)
