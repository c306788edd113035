"""Long polling. An update is confirmed to Telegram only when it is safely in the inbox.

PTB's own polling confirms updates before they are handled, spins for ever on one that it can't
parse, and stays alive but deaf when the token is refused.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

from telegram.error import TimedOut

from bot.clock import Clock
from bot.gateway.api import Api
from bot.gateway.calls import Call
from bot.gateway.line import Line

log = logging.getLogger(__name__)

Receive = Callable[[Sequence[object]], Awaitable[None]]
"""Given raw updates in order; they are safe when it returns."""

_LIMIT = 100
_GRACE_S = 10.0  # beyond the time that the server was asked to wait
_PAUSES_S = (1.0, 2.0, 4.0, 8.0, 15.0, 30.0)


async def _at_once() -> None:
    return None


class Polling:
    """`timeout_s` is how long the server holds an empty poll; Telegram's limit is 50. An answer
    that isn't there `grace_s` after that never comes: the connection is dead, or is kept busy by
    something else than an answer. `room` returns when there is room for more.

    `answered_at` is when Telegram last answered.
    """

    def __init__(
        self,
        api: Api,
        line: Line,
        clock: Clock,
        receive: Receive,
        allowed_updates: Sequence[str],
        *,
        room: Callable[[], Awaitable[None]] = _at_once,
        timeout_s: int = 30,
        grace_s: float = _GRACE_S,
    ) -> None:
        self._api, self._line, self._clock = api, line, clock
        self._receive, self._room = receive, room
        self.answered_at: datetime | None = None
        self._params = {
            "limit": _LIMIT,
            "timeout": timeout_s,
            "allowed_updates": list(allowed_updates),
        }
        self._within_s = timeout_s + grace_s

    async def run(self) -> None:
        """Polls until it is cancelled. Raises TokenRefused or OtherPoller."""
        # What is waiting there is what learners did while the bot was down: never dropped.
        await self._ask(Call("deleteWebhook", {"drop_pending_updates": False}))
        offset: int | None = None
        while True:
            await self._room()
            params = self._params if offset is None else {**self._params, "offset": offset}
            updates = await self._ask(Call("getUpdates", params))
            if updates:
                await self._take(updates)
                offset = updates[-1]["update_id"] + 1

    async def _take(self, updates: Sequence[object]) -> None:
        """Returns when they are safe, however long the database is in trouble."""
        tries = 0
        while True:
            try:
                return await self._receive(updates)
            except sqlite3.Error as error:
                tries += 1
                if tries == 1:
                    log.error(
                        "updates can't be stored (%s); none is confirmed, trying until they can",
                        error,
                    )
                pause = timedelta(seconds=_PAUSES_S[min(tries, len(_PAUSES_S)) - 1])
                await self._clock.wait_until(self._clock.now() + pause)

    async def _ask(self, call: Call) -> Any:
        async def ask() -> Any:
            # The transport gives up after so much silence; this also if single bytes trickle in.
            try:
                async with asyncio.timeout(self._within_s + 1):
                    return await self._api.make(call, self._within_s)
            except TimeoutError:
                raise TimedOut("no answer in time") from None

        answer = await self._line.until_answered(ask)
        self.answered_at = self._clock.now()
        return answer
