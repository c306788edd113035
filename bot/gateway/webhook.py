"""Updates that Telegram brings. It is told "got it" only when they are safely in the inbox.

Whatever else it hears, it brings the update again, for as long as an update is kept: so a full
disk or too much work lose nothing.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import logging
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from bot.clock import Clock
from bot.gateway.api import Api
from bot.gateway.calls import Call
from bot.gateway.line import Line
from bot.gateway.polling import Receive

log = logging.getLogger(__name__)

_LOOK_EVERY = timedelta(minutes=5)
_LOOK_AGAIN = timedelta(seconds=10)  # at most so often, whatever is brought
_CONNECTIONS = 40


@dataclass(frozen=True, slots=True)
class Target:
    """Where Telegram is to bring updates."""

    url: str
    secret: str = field(repr=False)


class Webhook:
    """`full` says whether there is too much to do already. `answered_at` is when Telegram last
    brought something or answered a question."""

    def __init__(
        self,
        api: Api,
        line: Line,
        clock: Clock,
        receive: Receive,
        full: Callable[[], bool],
        target: Target,
        allowed_updates: Sequence[str],
    ) -> None:
        self._api, self._line, self._clock, self._target = api, line, clock, target
        self._receive, self._full = receive, full
        self._wanted = {
            "url": target.url,
            "max_connections": _CONNECTIONS,
            "allowed_updates": list(allowed_updates),
        }
        self._arrived: list[tuple[object, asyncio.Future[bool]]] = []
        self._storing: asyncio.Task[None] | None = None
        self._refused = asyncio.Event()
        self.answered_at: datetime | None = None

    async def run(self) -> None:
        """Tells Telegram where to bring updates, and sees to it now and then that it stays so.
        What waits there, from polling too, is kept. Raises TokenRefused."""
        while True:
            await self._see_to_it()
            self.answered_at = self._clock.now()
            await self._clock.wait_until(self._clock.now() + _LOOK_AGAIN)
            await self._refused_or_late()

    async def take(self, secret: str, body: bytes) -> int:
        """One update; returns the HTTP status. 200: it is safe."""
        if not hmac.compare_digest(secret.encode(), self._target.secret.encode()):
            self._refused.set()
            return 403
        try:
            update = json.loads(body)
        except (ValueError, RecursionError):
            return 400
        if not isinstance(update, dict):
            return 400
        if self._full():
            return 503
        self.answered_at = self._clock.now()
        return 200 if await self._stored(update) else 503

    async def _see_to_it(self) -> None:
        there = await self._ask(Call("getWebhookInfo", {}))
        same = all(_plain(there.get(name)) == _plain(self._wanted[name]) for name in self._wanted)
        # What secret Telegram has isn't told; one that was changed here shows in refusals.
        if not same or self._refused.is_set() or "403" in there.get("last_error_message", ""):
            self._refused.clear()
            params = {**self._wanted, "secret_token": self._target.secret}
            await self._ask(Call("setWebhook", {**params, "drop_pending_updates": False}))
            log.info("Telegram brings updates to %s", self._target.url)

    async def _refused_or_late(self) -> None:
        late = self._clock.wait_until(self._clock.now() + _LOOK_EVERY)
        waits = [asyncio.ensure_future(late), asyncio.ensure_future(self._refused.wait())]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()

    async def _stored(self, update: object) -> bool:
        """What comes while one commit is under way makes up the next."""
        stored: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._arrived.append((update, stored))
        if self._storing is None:
            self._storing = asyncio.create_task(self._store(), name="updates brought")
        return await stored

    async def _store(self) -> None:
        try:
            while self._arrived:
                batch, self._arrived = self._arrived, []
                safe = await self._received([update for update, _ in batch])
                for _, stored in batch:
                    if not stored.done():
                        stored.set_result(safe)
        finally:
            self._storing = None

    async def _received(self, updates: Sequence[object]) -> bool:
        try:
            await self._receive(updates)
        except sqlite3.Error as error:
            log.error("updates can't be stored (%s); Telegram will bring them again", error)
            return False
        return True

    async def _ask(self, call: Call) -> Any:
        return await self._line.until_answered(partial(self._api.make, call))


def _plain(value: object) -> object:
    return sorted(value) if isinstance(value, list) else value
