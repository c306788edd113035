"""The one clock, passed to everything that needs the time, so tests and the demo can turn it."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Aware UTC time, and waiting for it."""

    def now(self) -> datetime:
        """The time, aware, UTC."""
        ...

    async def wait_until(self, moment: datetime) -> None:
        """Returns once `now()` is at or past `moment` (aware UTC)."""
        ...


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """The time, aware, UTC."""
        return datetime.now(UTC)

    async def wait_until(self, moment: datetime) -> None:
        """Sleeps in steps of at most a minute: the machine's clock may be set meanwhile."""
        # Nothing sets an Event when time passes.
        while (left := (moment - self.now()).total_seconds()) > 0:  # noqa: ASYNC110  (see above)
            await asyncio.sleep(min(left, 60.0))
