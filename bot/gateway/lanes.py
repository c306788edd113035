"""Work strictly in order within a lane, side by side between lanes.

PTB's own update processor takes its semaphore before an update waits for its turn, so one
learner's twenty queued taps stall everybody. Here only work that really runs holds a place.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Hashable
from datetime import datetime

from bot.clock import Clock

log = logging.getLogger(__name__)

Work = Callable[[], Awaitable[datetime | None]]
"""A piece of work. It returns None, or when it wants to be run once more: its lane waits for it,
without holding a place."""


class Lanes:
    """At most `cap` pieces of work run at once. A lane exists only while it has work."""

    def __init__(self, clock: Clock, cap: int) -> None:
        self._clock = clock
        self._places = asyncio.Semaphore(cap)
        self._waiting: dict[Hashable, deque[Work]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def put(self, key: Hashable, work: Work) -> None:
        """At the end of the lane."""
        if (lane := self._waiting.get(key)) is not None:
            lane.append(work)
            return
        self._waiting[key] = deque((work,))
        task = asyncio.create_task(self._run(key), name=f"lane {key}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def __len__(self) -> int:
        """How many lanes are at work."""
        return len(self._tasks)

    async def idle(self) -> None:
        """Returns when no lane has work."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def stop(self) -> None:
        """Ends everything where it is."""
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _run(self, key: Hashable) -> None:
        lane = self._waiting[key]
        try:
            while lane:
                await self._finish(lane.popleft())
        finally:
            del self._waiting[key]

    async def _finish(self, work: Work) -> None:
        try:
            while (again := await self._once(work)) is not None:
                await self._clock.wait_until(again)
        except Exception:
            # Whatever it left undone is still in the inbox. The lane must go on.
            log.exception("a piece of work failed")

    async def _once(self, work: Work) -> datetime | None:
        async with self._places:
            return await work()
