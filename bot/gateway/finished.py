"""What is left to write down once calls were made, in batches: the ids of messages that came of
them, and the updates of which nothing is left to do."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Awaitable, Callable

from bot.gateway.calls import Call
from bot.store import inbox
from bot.store.database import Store, Transaction

log = logging.getLogger(__name__)

Kept = Callable[[Transaction, Call, int], Awaitable[None]]
"""Remembers the message id that a call with `keep` brought back."""

_BATCH = 500  # well below the number of parameters that SQLite takes


class Finished:
    """What comes in while one batch is written makes up the next: no update waits for a timer,
    and under load one commit serves many. What a kill loses here is only made again."""

    def __init__(self, store: Store, kept: Kept) -> None:
        self._store, self._kept = store, kept
        self._ids: list[int] = []
        self._messages: list[tuple[Call, int]] = []
        self._writing: asyncio.Task[None] | None = None

    def add(self, update_id: int) -> None:
        """To be marked soon."""
        self._ids.append(update_id)
        self._start()

    def note(self, call: Call, message_id: int) -> None:
        """To be remembered soon, and no later than that the call's update is done."""
        self._messages.append((call, message_id))
        self._start()

    def __len__(self) -> int:
        """1 while something is being written, else 0."""
        return int(self._writing is not None)

    async def idle(self) -> None:
        """Returns when all is written."""
        while self._writing is not None:
            await asyncio.wait((self._writing,))

    def _start(self) -> None:
        if self._writing is None:
            self._writing = asyncio.create_task(self._write(), name="finished updates")

    async def _write(self) -> None:
        try:
            while self._ids or self._messages:
                messages, self._messages = self._messages, []
                ids, self._ids = self._ids[:_BATCH], self._ids[_BATCH:]
                try:
                    await self._write_down(messages, ids)
                except sqlite3.Error:
                    self._messages, self._ids = messages + self._messages, ids + self._ids
                    raise
        except Exception:
            log.exception(
                "what came of calls could not be written down; with the next ones, or the next "
                "run makes them again"
            )
        finally:
            self._writing = None

    async def _write_down(self, messages: list[tuple[Call, int]], ids: list[int]) -> None:
        async with self._store.transaction() as tx:
            for call, message_id in messages:
                await self._kept(tx, call, message_id)
            if ids:
                await inbox.done(tx, ids)
