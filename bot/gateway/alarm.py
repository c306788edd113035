"""One alarm for all who wait for a moment."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import timedelta

from bot.clock import Clock


class Alarm:
    """`ring` is called when the earliest moment asked for has come; moments are seconds since
    1970, as in `now`. It is to ask anew for what is not due yet."""

    def __init__(self, clock: Clock, ring: Callable[[], None]) -> None:
        self._clock, self._ring = clock, ring
        self._moment = float("inf")
        self._task: asyncio.Task[None] | None = None

    def now(self) -> float:
        """The time in seconds since 1970."""
        return self._clock.now().timestamp()

    def set(self, moment: float) -> None:
        """To ring at the moment, or earlier if that was asked for before."""
        if moment < self._moment:
            self.stop()
            self._moment = moment
            self._task = asyncio.create_task(self._wait(moment), name="alarm")

    def stop(self) -> None:
        """Rings no more."""
        if self._task is not None:
            self._task.cancel()
        self._task, self._moment = None, float("inf")

    async def _wait(self, moment: float) -> None:
        now = self._clock.now()
        await self._clock.wait_until(now + timedelta(seconds=moment - now.timestamp()))
        self._task, self._moment = None, float("inf")
        self._ring()
