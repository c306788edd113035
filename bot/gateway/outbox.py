"""Calls on their way to Telegram: in order for each chat, side by side between chats.

What is repeated after trouble:

- edits, deletions and answers: after any temporary trouble, they mean the same the second time;
- a send: only when it certainly did not arrive (no connection, or 429). When the connection broke
  or no answer came in time, nobody can know, and Telegram offers no way to ask; it is not sent
  again, because a message too many is there for good while one that is missing is healed by the
  person's next tap.

A chat that waits (429, back-off) keeps its later calls waiting and nobody else's. Pacing by rates
belongs where a delivery takes its next call: `_Delivery.step` may return when to go on.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Hashable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from telegram.error import TelegramError

from bot.clock import Clock
from bot.gateway import errors
from bot.gateway.api import Api
from bot.gateway.calls import Call
from bot.gateway.errors import Trouble
from bot.gateway.lanes import Lanes

log = logging.getLogger(__name__)

Kept = Callable[[Call, int], Awaitable[None]]
"""Told the message id that a call with `keep` brought back."""

_REPEATABLE = ("edit", "delete", "answer", "set", "get", "pin", "unpin")
_PAUSES_S = (1.0, 2.0, 4.0, 8.0, 15.0, 30.0)
# Two minutes in all. Without a connection there is no end to it: nothing else could
# be done meanwhile.
_MOST_TRIES = 8


class Outbox:
    """`cap` is how many chats are written to at once."""

    def __init__(self, api: Api, clock: Clock, kept: Kept, cap: int = 64) -> None:
        self.api, self.clock, self.kept = api, clock, kept
        self._lanes = Lanes(clock, cap)

    def post(self, calls: Sequence[Call], on_done: Callable[[], None] = lambda: None) -> None:
        """Makes the calls when their chats' turns come. `on_done` is called when no more will
        become of any of them; never, if they should be made again by a next run of the bot."""
        by_chat: dict[Hashable, list[Call]] = {}
        for call in calls:
            by_chat.setdefault(_lane(call), []).append(call)
        if not by_chat:
            on_done()
        parts = _Parts(len(by_chat), on_done)
        for chat, theirs in by_chat.items():
            self._lanes.put(chat, _Delivery(self, theirs, parts.done).step)

    async def make_at_once(self, call: Call, timeout_s: float) -> bool:
        """One try, before all that waits. False: temporary trouble, so `post` it."""
        try:
            async with asyncio.timeout(timeout_s):
                await self.api.make(call)
        except TimeoutError:
            return False
        except Exception as error:  # classified and reported
            trouble = errors.classify(error)
            if trouble in (Trouble.FLOOD, Trouble.NOT_SENT, Trouble.MAYBE_SENT):
                return False
            report(call, trouble, error)
        return True

    def __len__(self) -> int:
        """How many chats have calls under way."""
        return len(self._lanes)

    async def idle(self) -> None:
        """Returns when nothing is under way."""
        await self._lanes.idle()

    async def stop(self) -> None:
        """Ends everything where it is."""
        await self._lanes.stop()


class _Delivery:
    """The calls of one batch to one chat."""

    def __init__(self, outbox: Outbox, calls: Sequence[Call], on_done: Callable[[], None]) -> None:
        self._outbox, self._on_done = outbox, on_done
        self._calls = deque(calls)
        self._tries = 0

    async def step(self) -> datetime | None:
        """Makes the calls; returns when to go on if it must wait in between."""
        while self._calls:
            call = self._calls[0]
            try:
                result = await self._outbox.api.make(call)
            except Exception as error:  # classified, and reported unless it is benign
                if (pause_s := self._after(call, error)) is not None:
                    return self._outbox.clock.now() + timedelta(seconds=pause_s)
            else:
                self._next()
                await self._keep(call, result)
        self._on_done()
        return None

    def _after(self, call: Call, error: Exception) -> float | None:
        """Settles what becomes of the calls; returns the pause in seconds, if one is needed."""
        trouble = errors.classify(error)
        match trouble:
            case Trouble.FLOOD:
                return errors.retry_after_s(error)
            case Trouble.NOT_SENT:
                return self._pause_s()
            case Trouble.MAYBE_SENT if _repeatable(call) and self._tries < _MOST_TRIES:
                return self._pause_s()
            case Trouble.TOKEN:
                # Polling ends the run for the same reason; the next one makes them again.
                self._calls.clear()
                self._on_done = lambda: None
            case Trouble.GONE | Trouble.NO_RIGHTS:
                self._calls.clear()
            case Trouble.TARGET_GONE if call.instead is not None:
                self._next(call.instead)
                return None
            case Trouble.MIGRATED if (chat_id := errors.new_chat_id(error)) is not None:
                self._next(replace(call, params={**call.params, "chat_id": chat_id}))
            case _:
                self._next()
        report(call, trouble, error)
        return None

    def _next(self, instead: Call | None = None) -> None:
        self._calls.popleft()
        self._tries = 0
        if instead is not None:
            self._calls.appendleft(instead)

    def _pause_s(self) -> float:
        self._tries += 1
        return _PAUSES_S[min(self._tries, len(_PAUSES_S)) - 1]

    async def _keep(self, call: Call, result: Any) -> None:
        if call.keep is None or not isinstance(result, dict):
            return
        try:
            await self._outbox.kept(call, result["message_id"])
        except Exception:
            log.exception("%s: the message id could not be kept", call.method)


class _Parts:
    def __init__(self, count: int, on_done: Callable[[], None]) -> None:
        self._left, self._on_done = count, on_done

    def done(self) -> None:
        self._left -= 1
        if self._left == 0:
            self._on_done()


def report(call: Call, trouble: Trouble, error: BaseException) -> None:
    """One line about a call that was given up: the method and the error, never the contents."""
    say = partial(log.log, _LEVELS.get(trouble, logging.WARNING))
    if trouble is Trouble.BUG and not isinstance(error, TelegramError):
        say("%s to %s failed", call.method, call.chat_id, exc_info=error)
    else:
        say("%s to %s: %s (%s)", call.method, call.chat_id, errors.brief(error), trouble.name)


_LEVELS = {
    Trouble.BENIGN: logging.DEBUG,
    Trouble.TARGET_GONE: logging.INFO,
    Trouble.GONE: logging.INFO,
    Trouble.BUG: logging.ERROR,
}


def _lane(call: Call) -> Hashable:
    return call.params.get("chat_id") or call.params.get("callback_query_id")


def _repeatable(call: Call) -> bool:
    return call.method.startswith(_REPEATABLE)
