"""Updates of which nothing is left to do, marked so in the inbox in batches."""

from __future__ import annotations

import asyncio
import logging

from bot.store import inbox
from bot.store.database import Store

log = logging.getLogger(__name__)

_BATCH = 500  # well below the number of parameters that SQLite takes


class Finished:
    """What comes in while one batch is written makes up the next: no update waits for a timer,
    and under load one commit serves many. What a kill loses here is only made again."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._ids: list[int] = []
        self._writing: asyncio.Task[None] | None = None

    def add(self, update_id: int) -> None:
        """To be marked soon."""
        self._ids.append(update_id)
        if self._writing is None:
            self._writing = asyncio.create_task(self._write(), name="finished updates")

    def __len__(self) -> int:
        """1 while something is being marked, else 0."""
        return int(self._writing is not None)

    async def idle(self) -> None:
        """Returns when all are marked."""
        while self._writing is not None:
            await asyncio.wait((self._writing,))

    async def _write(self) -> None:
        try:
            while self._ids:
                batch, self._ids = self._ids[:_BATCH], self._ids[_BATCH:]
                async with self._store.transaction() as tx:
                    await inbox.done(tx, batch)
        except Exception:
            log.exception(
                "updates could not be marked as done; the next run makes their calls again"
            )
        finally:
            self._writing = None
