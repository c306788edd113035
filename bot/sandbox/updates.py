"""The queue of updates, delivered as Telegram's server delivers them.

An update stays until a later `offset` confirms it or its time is up; only one poller at a time;
`allowed_updates` is remembered.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.sandbox import limits
from bot.sandbox.clock import Bell, Clock
from bot.sandbox.errors import Json, Refused

# Only sent to those who ask for them by name.
_ON_REQUEST = frozenset({"chat_member", "message_reaction", "message_reaction_count"})


@dataclass(frozen=True, slots=True)
class Waiting:
    """An update that was not confirmed yet."""

    update: Json
    expires_at: datetime
    queue: tuple[str, int]

    @property
    def id(self) -> int:
        """Its update_id."""
        update_id: int = self.update["update_id"]
        return update_id


class Unparsable(Json):
    """An update that is wrong on purpose."""


class Updates:
    """The queue of one bot. The bell is rung at every poll; `changed` at every new update and
    whenever there is another reason to look after those that wait."""

    def __init__(self, clock: Clock, bell: Bell, first_id: int = 700_000_001) -> None:
        self._clock = clock
        self._bell = bell
        self.changed = Bell()
        self._next_id = first_id
        self._queue: deque[Waiting] = deque()
        self._allowed: frozenset[str] | None = None
        self._poller: asyncio.Future[str] | None = None

    def __len__(self) -> int:
        """How many updates wait for confirmation."""
        self._expire()
        return len(self._queue)

    @property
    def polled(self) -> bool:
        """Whether a client waits in a long poll right now."""
        return self._poller is not None and not self._poller.done()

    @property
    def allowed(self) -> list[str]:
        """The kinds asked for by name; empty: all but those only sent on request."""
        return sorted(self._allowed or ())

    def add(self, kind: str, payload: Json) -> None:
        """Queues an update, unless this bot doesn't want its kind."""
        if not (kind in self._allowed if self._allowed else kind not in _ON_REQUEST):
            return
        kept = limits.CALLBACK_KEPT if kind == "callback_query" else limits.UPDATE_KEPT
        self._put({"update_id": self._next_id, kind: payload}, kept, _queue_of(kind, payload))

    def add_unparsable(self, update: Json) -> None:
        """Queues an update as it is, whatever it is."""
        wrong = Unparsable({"update_id": self._next_id} | update)
        self._put(wrong, limits.UPDATE_KEPT, ("update", self._next_id))

    def _put(self, update: Json, kept: timedelta, queue: tuple[str, int]) -> None:
        self._next_id += 1
        self._queue.append(Waiting(update, self._clock.now() + kept, queue))
        self._end_poll("")
        self._bell.ring()
        self.changed.ring()

    def waiting(self) -> list[Waiting]:
        """All that were not confirmed yet, oldest first."""
        self._expire()
        return list(self._queue)

    def forget(self, waiting: Waiting) -> None:
        """One was delivered, or is given up."""
        if waiting in self._queue:
            self._queue.remove(waiting)

    def end_poll(self, why: str) -> None:
        """Ends a waiting poll with a 409 that says why."""
        self._end_poll(why)

    def allow(self, kinds: Sequence[str]) -> None:
        """From now on only these kinds; none named: the default."""
        self._allowed = frozenset(kinds) or None

    def drop(self) -> None:
        """Forgets all that wait."""
        self._queue.clear()

    def release(self) -> None:
        """Ends a waiting poll with what there is, as a server does that shuts down."""
        self._end_poll("")

    def _end_poll(self, why_not: str) -> None:
        if self._poller is not None and not self._poller.done():
            self._poller.set_result(why_not)

    async def poll(self, offset: int, limit: int, timeout_s: int) -> list[Json]:
        """Confirms all before `offset` (negative: all but the last ones) and returns what follows.

        Raises:
            Refused: 409, as soon as another poller comes.
        """
        self._end_poll(_OTHER_POLLER)
        self._confirm(offset)
        if not len(self) and timeout_s > 0:
            await self._wait(min(timeout_s, limits.POLL_TIMEOUT_S))
        self._expire()
        limit = limit if 1 <= limit <= limits.UPDATES else limits.UPDATES
        return [waiting.update for waiting, _ in zip(self._queue, range(limit), strict=False)]

    def _confirm(self, offset: int) -> None:
        if offset < 0:
            while len(self._queue) > -offset:
                self._queue.popleft()
        while self._queue and self._queue[0].id < offset:
            self._queue.popleft()
        self._bell.ring()

    def _expire(self) -> None:
        now = self._clock.now()
        if any(waiting.expires_at <= now for waiting in self._queue):
            self._queue = deque(w for w in self._queue if w.expires_at > now)

    async def _wait(self, timeout_s: int) -> None:
        poller = self._poller = asyncio.get_running_loop().create_future()
        until = self._clock.now() + timedelta(seconds=timeout_s)
        timer = asyncio.ensure_future(self._clock.wait_until(until))
        try:
            await asyncio.wait({poller, timer}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            timer.cancel()
            if self._poller is poller:
                self._poller = None
        if poller.done() and (why_not := poller.result()):
            raise Refused(why_not, 409)


_OTHER_POLLER = (
    "terminated by other getUpdates request; make sure that only one bot instance is running"
)


def _queue_of(kind: str, payload: Json) -> tuple[str, int]:
    """Within a queue a webhook gets updates in order: a person's taps, a chat's other updates."""
    if kind == "callback_query":
        return ("person", payload["from"]["id"])
    return ("chat", payload["chat"]["id"])
