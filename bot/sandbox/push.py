"""Pushes updates to the webhook, as Telegram's server does.

In order within a queue (a chat's messages, a person's taps), side by side between queues. What
isn't answered with 2xx is tried again: at once, then after 2, 4, 8 … 60 seconds or as long as
Retry-After says, until the update's own time is up.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import aiohttp

from bot.sandbox import limits
from bot.sandbox.telegram import Telegram
from bot.sandbox.updates import Waiting

_NOT_BY_REPLY = ("deletewebhook", "setwebhook", "close", "logout")


@dataclass(frozen=True, slots=True)
class Reply:
    """What the webhook answered."""

    status: int
    reason: str = ""
    retry_after: str = ""
    body: bytes = b""


Post = Callable[[str, bytes, Mapping[str, str]], Awaitable[Reply]]
"""Address, body and headers to the reply. Raises OSError (also TimeoutError, ClientError)."""


@dataclass(slots=True)
class _Retry:
    delay_s: int = 1
    fails: int = 0
    at: datetime | None = None


class Pusher:
    """One per server; idle while there is no webhook."""

    def __init__(self, telegram: Telegram, post: Post) -> None:
        self._telegram, self._post = telegram, post
        self._retries: dict[int, _Retry] = {}
        self._busy: dict[tuple[str, int], asyncio.Task[None]] = {}

    async def run(self) -> None:
        """Pushes until cancelled."""
        try:
            while True:
                rung = self._telegram.updates.changed.ticket()
                next_at = self._start()
                await self._until(rung, next_at)
        finally:
            for task in list(self._busy.values()):
                task.cancel()
            await asyncio.gather(*self._busy.values(), return_exceptions=True)

    async def _until(self, rung: asyncio.Event, moment: datetime | None) -> None:
        waits: list[asyncio.Future[Any]] = [asyncio.ensure_future(rung.wait())]
        if moment is not None:
            waits.append(asyncio.ensure_future(self._telegram.clock.wait_until(moment)))
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()

    def _start(self) -> datetime | None:
        """Starts what is due and returns when the next is."""
        webhook, now = self._telegram.world.webhook, self._telegram.clock.now()
        seen: set[tuple[str, int]] = set()
        later: list[datetime] = []
        for waiting in self._telegram.updates.waiting() if webhook.url else ():
            if waiting.queue in seen or waiting.queue in self._busy:
                continue
            seen.add(waiting.queue)
            due = self._retries.get(waiting.id, _Retry()).at
            if due is not None and due > now:
                later.append(due)
            elif len(self._busy) < webhook.connections:
                task = asyncio.create_task(self._push(waiting))
                self._busy[waiting.queue] = task
        return min(later, default=None)

    async def _push(self, waiting: Waiting) -> None:
        webhook = self._telegram.world.webhook
        headers = {"Content-Type": "application/json"}
        if webhook.secret:
            headers["X-Telegram-Bot-Api-Secret-Token"] = webhook.secret
        body = json.dumps(waiting.update, ensure_ascii=False).encode()
        try:
            reply = await self._post(webhook.url, body, headers)
        except (OSError, aiohttp.ClientError) as error:
            self._failed(waiting, _reason(error), 0)
        else:
            await self._answered(waiting, reply)
        finally:
            del self._busy[waiting.queue]
            self._telegram.bell.ring()
            self._telegram.updates.changed.ring()

    async def _answered(self, waiting: Waiting, reply: Reply) -> None:
        webhook, now = self._telegram.world.webhook, self._telegram.clock.now()
        self._telegram.log_push(waiting.update, reply.status)
        if 200 <= reply.status <= 299:
            webhook.gone_since = None
            self._forget(waiting)
            await self._call_in(reply.body)
            return
        after = reply.retry_after
        seconds = int(after) if after.isdecimal() else 0
        what = f"Wrong response from the webhook: {reply.status} {reply.reason}".rstrip()
        self._failed(waiting, what, min(seconds, limits.WEBHOOK_LONGEST_RETRY_AFTER_S))
        if reply.status != 410:
            webhook.gone_since = None
        elif webhook.gone_since is None:
            webhook.gone_since = now
        elif now - webhook.gone_since > limits.WEBHOOK_GONE_AFTER:
            webhook.close()

    def _failed(self, waiting: Waiting, what: str, retry_after_s: int) -> None:
        now = self._telegram.clock.now()
        self._telegram.world.webhook.error = (now, what)
        retry = self._retries.setdefault(waiting.id, _Retry())
        wait_s = retry_after_s
        if not retry_after_s and retry.fails:
            wait_s = retry.delay_s = min(limits.WEBHOOK_LONGEST_DELAY_S, retry.delay_s * 2)
        retry.fails += 1
        retry.at = now + timedelta(seconds=wait_s)
        if retry.at > waiting.expires_at:
            self._forget(waiting)

    def _forget(self, waiting: Waiting) -> None:
        self._telegram.updates.forget(waiting)
        self._retries.pop(waiting.id, None)

    async def _call_in(self, body: bytes) -> None:
        """A method call may come in the reply; its result is lost."""
        try:
            call: Any = json.loads(body or b"null")
        except ValueError:
            return
        method = str(call.pop("method", "")).lower() if isinstance(call, dict) else ""
        if method and not method.startswith("get") and method not in _NOT_BY_REPLY:
            await self._telegram.call(method, call)


def poster(session: aiohttp.ClientSession) -> Post:
    """Over HTTP."""
    timeout = aiohttp.ClientTimeout(total=limits.WEBHOOK_TIMEOUT_S)

    async def post(url: str, body: bytes, headers: Mapping[str, str]) -> Reply:
        async with session.post(
            url, data=body, headers=headers, timeout=timeout, allow_redirects=False
        ) as response:
            after = response.headers.get("Retry-After", "")
            return Reply(response.status, response.reason or "", after, await response.read())

    return post


def _reason(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return "Read timeout expired"
    cause = getattr(error, "os_error", error)
    return getattr(cause, "strerror", None) or "Webhook connection closed"
