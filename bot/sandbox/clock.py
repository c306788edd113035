"""The sandbox's time: the machine's, plus an offset that can be moved forward."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """Aware UTC time, and waiting for it."""

    def now(self) -> datetime:
        """The time, aware, UTC."""
        ...

    async def wait_until(self, moment: datetime) -> None:
        """Returns once `now()` is at or past `moment` (aware UTC)."""
        ...


class Bell:
    """Wakes everyone who listens at that moment, any number of times."""

    def __init__(self) -> None:
        self._next = asyncio.Event()

    def ring(self) -> None:
        """Wakes all who wait now."""
        rung, self._next = self._next, asyncio.Event()
        rung.set()

    async def heard(self) -> None:
        """Returns at the next ring."""
        await self._next.wait()

    def ticket(self) -> asyncio.Event:
        """Is set at the next ring, also when that comes before anyone waits for it."""
        return self._next


class SandboxClock:
    """Runs like the machine's clock; `forward` moves it ahead and wakes who waits for it."""

    def __init__(self, offset: timedelta = timedelta()) -> None:
        self._offset = offset
        self._moved = Bell()

    def now(self) -> datetime:
        """The time, aware, UTC."""
        return datetime.now(UTC) + self._offset

    def forward(self, by: timedelta) -> None:
        """Moves the time ahead; it never goes back."""
        if by < timedelta():
            raise ValueError("the sandbox's clock only moves forward")
        self._offset += by
        self._moved.ring()

    async def wait_until(self, moment: datetime) -> None:
        """Returns once `now()` is at or past `moment`, also when the clock is moved there."""
        while (left := (moment - self.now()).total_seconds()) > 0:
            try:
                async with asyncio.timeout(min(left, 60.0)):
                    await self._moved.heard()
            except TimeoutError:
                continue
