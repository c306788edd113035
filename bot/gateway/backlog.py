"""How many updates are under way, and whether that is enough for now."""

from __future__ import annotations

import asyncio


class Backlog:
    """More than `most` are too many: what is left with Telegram is safe there, and takes no
    memory here."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._count = 0
        self._room = asyncio.Event()
        self._room.set()

    def enter(self) -> None:
        """One more."""
        self._count += 1
        if self.full:
            self._room.clear()

    def leave(self) -> None:
        """One less."""
        self._count -= 1
        if not self.full:
            self._room.set()

    @property
    def full(self) -> bool:
        """Whether no more should come."""
        return self._count > self._most

    async def room(self) -> None:
        """Returns when there is room for more."""
        await self._room.wait()

    def __len__(self) -> int:
        """How many are under way."""
        return self._count
