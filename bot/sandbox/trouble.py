"""Trouble on demand, as values: a rule says which calls meet it, at which moment, how often.

Without `methods` a rule holds for all but getUpdates; `EVERYTHING` includes that.
"""

from __future__ import annotations

import asyncio
import inspect
import math
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal

from bot.sandbox.clock import Clock
from bot.sandbox.errors import Drop, Fault, Json, Refused

Moment = Literal["before", "executed", "replied"]
"""Before the call is executed; after, with nobody told yet; after the reply was sent."""
EVERYTHING: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Flood:
    """429 until then, each time with the seconds that are left."""

    until: datetime


@dataclass(frozen=True, slots=True)
class Broken:
    """An answer with this status: 401, 500, 502 …"""

    status: int


@dataclass(frozen=True, slots=True)
class Reset:
    """The connection is reset. When executed: the answer is lost."""


@dataclass(frozen=True, slots=True)
class Hang:
    """No answer until the rule is lifted, then a reset."""


@dataclass(frozen=True, slots=True)
class Slow:
    """So much later, by the machine's clock: a client's timeouts go by that."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Strike:
    """Calls `do`; before the reply, the connection is then reset."""

    do: Callable[[], Any]


Effect = Flood | Broken | Reset | Hang | Slow | Strike


@dataclass(slots=True)
class Rule:
    """`skip` calls pass first, then `times` are met (None: until lifted). `met` counts them."""

    effect: Effect
    moment: Moment = "before"
    methods: frozenset[str] | None = None
    chat: int | None = None
    skip: int = 0
    times: int | None = 1
    name: str = ""
    met: int = 0
    lifted: asyncio.Event = field(default_factory=asyncio.Event)

    def meets(self, moment: Moment, method: str, params: Mapping[str, Any]) -> bool:
        """Whether it strikes this call; counts it."""
        if moment != self.moment or not self._concerns(method.lower(), params):
            return False
        if self.skip > 0:
            self.skip -= 1
            return False
        self.met += 1
        return True

    @property
    def over(self) -> bool:
        """It has met all calls it was made for."""
        return self.times is not None and self.met >= self.times

    def _concerns(self, method: str, params: Mapping[str, Any]) -> bool:
        if self.chat is not None and str(params.get("chat_id")) != str(self.chat):
            return False
        if self.methods is None:
            return method != "getupdates"
        return not self.methods or method in self.methods


class Trouble:
    """The rules in force. Each of the short words below makes one."""

    def __init__(self, clock: Clock, add_update: Callable[[Json], None]) -> None:
        self._clock = clock
        self._add_update = add_update
        self.rules: list[Rule] = []

    def make(
        self,
        effect: Effect,
        *,
        moment: Moment = "before",
        methods: Iterable[str] | None = None,
        chat: int | None = None,
        skip: int = 0,
        times: int | None = 1,
        name: str = "",
    ) -> Rule:
        """Any rule."""
        named = None if methods is None else frozenset(m.lower() for m in methods)
        rule = Rule(effect, moment, named, chat, skip, times, name)
        self.rules.append(rule)
        return rule

    def flood(self, retry_after: int, **where: Any) -> Rule:
        """429 for so long, in one `chat` or for all calls."""
        until = self._clock.now() + timedelta(seconds=retry_after)
        return self.make(Flood(until), times=None, **where)

    def broken(self, status: int = 502, **where: Any) -> Rule:
        """The next call gets this status."""
        return self.make(Broken(status), **where)

    def revoked(self) -> Rule:
        """The token is refused from now on, until lifted."""
        return self.make(Broken(401), methods=EVERYTHING, times=None)

    def reset(self, **where: Any) -> Rule:
        """The next call isn't executed and its connection is reset."""
        return self.make(Reset(), **where)

    def lose(self, **where: Any) -> Rule:
        """The next call is executed, its answer is lost."""
        return self.make(Reset(), moment="executed", **where)

    def hang(self, **where: Any) -> Rule:
        """The next call gets no answer for as long as the rule is in force."""
        return self.make(Hang(), **where)

    def slow(self, seconds: float, **where: Any) -> Rule:
        """Every call takes so much longer, until lifted."""
        return self.make(Slow(seconds), **{"times": None, **where})

    def kill(self, do: Callable[[], Any], moment: Moment = "before", **where: Any) -> Rule:
        """`do` (which kills the bot) is called at the next call, or after `skip` of them."""
        return self.make(Strike(do), moment=moment, **where)

    def unparsable(self, update: Json | None = None) -> None:
        """An update that no client of today can read."""
        self._add_update(update or {"message": {"message_id": "one", "chat": None}})

    def lift(self, rule: Rule) -> None:
        """Ends a rule; what hangs by it is reset."""
        rule.lifted.set()
        if rule in self.rules:
            self.rules.remove(rule)

    def clear(self) -> None:
        """Ends them all."""
        for rule in list(self.rules):
            self.lift(rule)

    async def meet(self, moment: Moment, method: str, params: Mapping[str, Any]) -> None:
        """Lets the rules strike a call, in the order they were made.

        Raises:
            Fault: another answer.
            Drop: the connection is reset.
        """
        for rule in list(self.rules):
            if isinstance(rule.effect, Flood) and rule.effect.until <= self._clock.now():
                self.lift(rule)
            elif rule.meets(moment, method, params):
                if rule.over:
                    self.rules.remove(rule)
                await self._strike(rule, moment)

    async def _strike(self, rule: Rule, moment: Moment) -> None:
        match rule.effect:
            case Flood(until):
                left = (until - self._clock.now()).total_seconds()
                raise Fault.flood(math.ceil(left))
            case Broken(status):
                raise Fault(status, Refused("restart" if status == 500 else "", status).body())
            case Slow(seconds):
                await asyncio.sleep(seconds)
            case Reset():
                raise Drop
            case Hang():
                if rule not in self.rules:
                    self.rules.append(_waiting(rule))
                await rule.lifted.wait()
                raise Drop
            case Strike(do):
                result = do()
                if inspect.isawaitable(result):
                    await result
                if moment != "replied":
                    raise Drop


def _waiting(rule: Rule) -> Rule:
    """Stands for a hanging call in the list, so that lifting it, or all, ends the call."""
    return Rule(rule.effect, rule.moment, frozenset({"-"}), times=None, lifted=rule.lifted)


Hook = Callable[[str, Mapping[str, Any]], Awaitable[None]]
