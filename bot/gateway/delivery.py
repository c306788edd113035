"""What is on its way to one chat, and what becomes of each call that meets trouble.

What is repeated:

- edits, deletions and answers: after any temporary trouble, they mean the same the second time;
- a send: only when it certainly did not arrive (no connection, or 429). When the connection broke
  or no answer came in time, nobody can know, and Telegram offers no way to ask; it is not sent
  again, because a message too many is there for good while one that is missing is healed by the
  person's next tap.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from telegram.error import TelegramError

from bot.gateway import errors
from bot.gateway.api import Api
from bot.gateway.calls import Call
from bot.gateway.errors import Trouble

log = logging.getLogger(__name__)

Note = Callable[[Call, int], None]
"""Told the message id that a call with `keep` brought back."""

_REPEATABLE = ("edit", "delete", "answer", "set", "get", "pin", "unpin")
_PAUSES_S = (1.0, 2.0, 4.0, 8.0, 15.0, 30.0)
# Two minutes in all. Without a connection there is no end to it: nothing else could
# be done meanwhile.
_MOST_TRIES = 8


class Delivery:
    """The calls of one batch to one chat. `on_done` is called after the last of them, but not if
    they are left to the next run of the bot."""

    __slots__ = ("_calls", "_on_done", "_tries")

    def __init__(self, calls: Sequence[Call], on_done: Callable[[], None]) -> None:
        self._calls = deque(calls)
        self._on_done = on_done
        self._tries = 0

    @property
    def calls(self) -> Sequence[Call]:
        """Those not made yet, in order."""
        return self._calls

    def skip(self) -> None:
        """Leaves the next call out."""
        self._next()

    async def make(self, api: Api, note: Note) -> float | None:
        """One try at the next call. Returns for how many seconds the chat should get nothing, if
        it must be tried again."""
        call = self._calls[0]
        try:
            result = await api.make(call)
        except Exception as error:  # classified, and reported unless it is benign
            return self._after(call, error)
        if call.keep is not None and isinstance(result, dict):
            note(call, result["message_id"])
        self._next()
        return None

    def _after(self, call: Call, error: Exception) -> float | None:
        trouble = errors.classify(error)
        match trouble:
            case Trouble.FLOOD:
                return errors.retry_after_s(error)
            case Trouble.NOT_SENT:
                return self._pause_s()
            case Trouble.MAYBE_SENT if _repeatable(call) and self._tries < _MOST_TRIES:
                return self._pause_s()
            case Trouble.TOKEN:
                # Receiving ends the run for the same reason; the next one makes them again.
                self._calls.clear()
            case Trouble.GONE | Trouble.NO_RIGHTS:
                self._calls.clear()
                self._on_done()
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
        elif not self._calls:
            self._on_done()

    def _pause_s(self) -> float:
        self._tries += 1
        return _PAUSES_S[min(self._tries, len(_PAUSES_S)) - 1]


class Queue:
    """Deliveries to one chat, in order. An edit is left out when a newer one of the same message
    waits behind it: nobody would see it for long, and in a group each counts."""

    __slots__ = ("_deliveries", "_newest")

    def __init__(self) -> None:
        self._deliveries: deque[Delivery] = deque()
        self._newest: dict[int, Call] = {}

    def put(self, delivery: Delivery) -> None:
        """At the end."""
        self._deliveries.append(delivery)
        for call in delivery.calls:
            if (message_id := _edited(call)) is not None:
                self._newest[message_id] = call

    def first(self) -> Delivery | None:
        """The one whose next call is due; None: there is nothing left."""
        while self._deliveries:
            delivery = self._deliveries[0]
            while delivery.calls and self._superseded(delivery.calls[0]):
                delivery.skip()
            if delivery.calls:
                return delivery
            self._deliveries.popleft()
        return None

    def _superseded(self, call: Call) -> bool:
        if (message_id := _edited(call)) is None:
            return False
        newer = self._newest.get(message_id, call)
        if newer is call:
            self._newest.pop(message_id, None)
            return False
        # The newer one must say all that this one would, also where the message is gone.
        return call.keep is None and (call.instead is None or newer.instead is not None)


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


def _edited(call: Call) -> int | None:
    """The message whose text the call replaces."""
    return call.params.get("message_id") if call.method == "editMessageText" else None


def _repeatable(call: Call) -> bool:
    return call.method.startswith(_REPEATABLE)
