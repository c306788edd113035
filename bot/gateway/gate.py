"""The gate that all new messages pass: so many a second, and broadcasts after everything else."""

from __future__ import annotations

from collections import deque
from typing import Generic, TypeVar

from bot.gateway.rates import TOLERANCE_S, Pace

T = TypeVar("T")


class Gate(Generic[T]):
    """Moments are seconds since 1970. Broadcasts leave half of the burst to those whom a person
    waits for, so that these find the gate open while a broadcast fills the rate."""

    def __init__(self, pace: Pace) -> None:
        self._pace = pace
        self._filled = 0.0
        self._waiting: dict[bool, deque[T]] = {True: deque(), False: deque()}
        self._inside: dict[bool, set[T]] = {True: set(), False: set()}

    def passes(self, who: T, now: float, *, urgent: bool, first: bool) -> bool:
        """Whether it may send now; else it is in line, and `next` returns it when its turn comes.
        `first`: that has happened."""
        ahead = not first and (self._waiting[True] or (not urgent and self._waiting[False]))
        if not ahead and self._due(now, urgent) <= now + TOLERANCE_S:
            self._filled = self._pace.after(self._filled, now)
            return True
        if who not in self._inside[urgent]:
            self._inside[urgent].add(who)
            self._waiting[urgent].append(who)
        return False

    def next(self, now: float) -> T | None:
        """Whose turn has come, taken out of the line."""
        for urgent in (True, False):
            if self._waiting[urgent]:
                if self._due(now, urgent) > now:
                    return None
                who = self._waiting[urgent].popleft()
                self._inside[urgent].discard(who)
                return who
        return None

    def due(self, now: float) -> float:
        """When `next` will have somebody; infinite if nobody waits."""
        for urgent in (True, False):
            if self._waiting[urgent]:
                return self._due(now, urgent)
        return float("inf")

    def _due(self, now: float, urgent: bool) -> float:
        burst = self._pace.burst if urgent else (self._pace.burst + 1) // 2
        return self._pace.due(self._filled, now, burst)
