"""Calls on their way to Telegram: in order for each chat, side by side between chats, no faster
than Telegram lets a bot speak.

What somebody waits for goes before broadcasts. A chat that must wait (its rate, a 429, a
back-off) keeps its own later calls waiting and nobody else's. What waits is no task: ten
thousand chats that a broadcast goes to cost a few megabytes.
"""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Callable, Hashable, Sequence
from itertools import count

from bot.clock import Clock
from bot.gateway import errors
from bot.gateway.alarm import Alarm
from bot.gateway.api import Api
from bot.gateway.calls import Call
from bot.gateway.delivery import Delivery, Note, Queue, report
from bot.gateway.errors import Trouble
from bot.gateway.gate import Gate
from bot.gateway.rates import TOLERANCE_S, Paces, Rates, sends


class Outbox:
    """`cap` is how many calls are made at once."""

    def __init__(
        self, api: Api, clock: Clock, note: Note, rates: Rates | None = None, cap: int = 256
    ) -> None:
        self.api, self._note, self._rates = api, note, rates or Rates()
        self._places = asyncio.Semaphore(cap)
        self._alarm = Alarm(clock, self._rung)
        self._chats: dict[Hashable, _Chat] = {}
        self._paces = Paces()
        self._gate = Gate[_Chat](self._rates.overall)
        self._sleepers: list[tuple[float, int, _Chat]] = []
        self._numbers = count()  # among equal moments, the first come
        self._tasks: set[asyncio.Task[None]] = set()
        self._idle = asyncio.Event()
        self._idle.set()

    def post(
        self,
        calls: Sequence[Call],
        on_done: Callable[[], None] = lambda: None,
        *,
        broadcast: bool = False,
    ) -> None:
        """Makes the calls when their chats' turns come. `on_done` is called when no more will
        become of any of them; never, if they should be made again by a next run of the bot.

        A broadcast is what nobody waits for: it yields to everything else.
        """
        by_chat: dict[Hashable, list[Call]] = {}
        for call in calls:
            call = self._paid(call) if broadcast else call
            by_chat.setdefault(_key(call), []).append(call)
        if not by_chat:
            on_done()
        done = on_done if len(by_chat) == 1 else _Parts(len(by_chat), on_done).done
        for key, theirs in by_chat.items():
            self._put(key, Delivery(theirs, done), urgent=not broadcast)

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
        return len(self._chats)

    async def idle(self) -> None:
        """Returns when nothing is under way."""
        await self._idle.wait()

    async def stop(self) -> None:
        """Ends everything where it is."""
        self._alarm.stop()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._chats.clear()
        self._idle.set()

    def _paid(self, call: Call) -> Call:
        if not (self._rates.paid and sends(call)):
            return call
        params = {**call.params, "allow_paid_broadcast": True}
        return Call(call.method, params, call.upload, call.keep, call.instead)

    def _put(self, key: Hashable, delivery: Delivery, *, urgent: bool) -> None:
        chat = self._chats.get(key)
        if chat is None:
            chat = self._chats[key] = _Chat(key)
            self._idle.clear()
        chat.put(delivery, urgent=urgent)
        self._go(chat)

    def _go(self, chat: _Chat, *, first: bool = False) -> None:
        """Sees to it that the chat's next call is made, now or when it may be. `first`: its turn
        at the gate has come."""
        if not chat.at_work and (delivery := self._admitted(chat, first=first)) is not None:
            chat.at_work = True
            task = asyncio.create_task(self._work(chat, delivery))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _work(self, chat: _Chat, delivery: Delivery | None) -> None:
        try:
            while delivery is not None:
                async with self._places:
                    pause_s = await delivery.make(self.api, self._note)
                if pause_s is not None:
                    chat.quiet_until = self._alarm.now() + pause_s
                delivery = self._admitted(chat)
        finally:
            chat.at_work = False

    def _admitted(self, chat: _Chat, *, first: bool = False) -> Delivery | None:
        """What may make its next call now. None: there is nothing, or the chat must wait and will
        be woken."""
        urgent, delivery = chat.first()
        if delivery is None:
            self._forget(chat)
            return None
        call, now = delivery.calls[0], self._alarm.now()
        pace = self._rates.of(call)
        due = max(chat.quiet_until, self._paces.due(chat.key, pace, now))
        if due > now + TOLERANCE_S:
            self._sleep(chat, due)
            return None
        if sends(call) and not self._gate.passes(chat, now, urgent=urgent, first=first):
            self._alarm.set(self._gate.due(now))
            return None
        self._paces.note(chat.key, pace, now)
        return delivery

    def _sleep(self, chat: _Chat, moment: float) -> None:
        if chat.sleeps_until != moment:
            chat.sleeps_until = moment
            heapq.heappush(self._sleepers, (moment, next(self._numbers), chat))
        self._alarm.set(moment)

    def _rung(self) -> None:
        now = self._alarm.now() + TOLERANCE_S
        while self._sleepers and self._sleepers[0][0] <= now:
            _, _, rested = heapq.heappop(self._sleepers)
            rested.sleeps_until = 0.0
            self._go(rested)
        while (admitted := self._gate.next(now)) is not None:
            self._go(admitted, first=True)
        self._alarm.set(self._gate.due(now))
        if self._sleepers:
            self._alarm.set(self._sleepers[0][0])

    def _forget(self, chat: _Chat) -> None:
        if self._chats.get(chat.key) is chat:
            del self._chats[chat.key]
        if not self._chats:
            self._idle.set()


class _Chat:
    """What waits for one chat. Moments are seconds since 1970."""

    __slots__ = ("at_work", "broadcasts", "key", "quiet_until", "sleeps_until", "urgent")

    def __init__(self, key: Hashable) -> None:
        self.key = key
        self.at_work = False
        self.quiet_until = self.sleeps_until = 0.0
        self.urgent: Queue | None = None
        self.broadcasts: Queue | None = None

    def put(self, delivery: Delivery, *, urgent: bool) -> None:
        """At the end of one of the two queues."""
        if urgent:
            self.urgent = self.urgent or Queue()
            self.urgent.put(delivery)
        else:
            self.broadcasts = self.broadcasts or Queue()
            self.broadcasts.put(delivery)

    def first(self) -> tuple[bool, Delivery | None]:
        """Whether somebody waits for what is due, and what it is."""
        if self.urgent is not None and (delivery := self.urgent.first()) is not None:
            return True, delivery
        return False, self.broadcasts.first() if self.broadcasts is not None else None


class _Parts:
    def __init__(self, count: int, on_done: Callable[[], None]) -> None:
        self._left, self._on_done = count, on_done

    def done(self) -> None:
        self._left -= 1
        if self._left == 0:
            self._on_done()


def _key(call: Call) -> Hashable:
    return call.params.get("chat_id") or call.params.get("callback_query_id")
