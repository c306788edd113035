"""How fast Telegram lets a bot speak: over all, in a private chat, in a group.

https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this: about 30 messages
a second over all, one a second in a chat ("short bursts that go over this limit" are allowed), 20
a minute in a group. What it really allows isn't told: its 429 has the last word.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass, field

from bot.gateway.calls import Call

TOLERANCE_S = 0.001  # of moments, which are floating-point numbers
"""What is due so soon is due."""

_FEW = 1000  # so many chats are remembered before looking which of them are at rest
_SENDS = ("send", "copy", "forward")
_NO_MESSAGE = "sendChatAction"

# Someone who taps as fast as they can read needs two messages for a question: its explanation
# and the next one. Five at once are two and a half questions ahead of one message a second.
_CHAT_BURST = 5
# Of the messages that a group may get in a minute, so many at once.
_GROUP_BURST_SHARE = 4
# So much of a second's messages may overtake the even flow, if a person waits for them.
_TOTAL_BURST_SHARE = 4


@dataclass(frozen=True, slots=True)
class Pace:
    """`burst` at once, then one each `every_s`.

    What is remembered of a chat is one number, its `filled`: the moment (seconds) at which all
    that was made will have been paid for.
    """

    every_s: float
    burst: int

    def due(self, filled: float, now: float, burst: int | None = None) -> float:
        """When the next one may be made, maybe in the past."""
        return self._sane(filled, now) - self.every_s * ((burst or self.burst) - 1)

    def after(self, filled: float, now: float) -> float:
        """What `filled` becomes by making one now."""
        return max(self._sane(filled, now), now) + self.every_s

    def _sane(self, filled: float, now: float) -> float:
        """More than a whole burst ahead: the clock was set back. That is no reason to wait."""
        return filled if filled <= now + self.every_s * (self.burst + 1) else now


@dataclass(frozen=True)
class Rates:
    """Messages per second over all and in a private chat, and per minute in a group, where edits
    count too. `paid`: broadcasts are paid for in Stars and may go faster."""

    total: float = 30
    chat: float = 1
    group: float = 20
    paid: bool = False

    overall: Pace = field(init=False, repr=False)
    private: Pace = field(init=False, repr=False)
    grouped: Pace = field(init=False, repr=False)

    def __post_init__(self) -> None:
        burst = max(1, int(self.total / _TOTAL_BURST_SHARE))
        object.__setattr__(self, "overall", Pace(1 / self.total, burst))
        burst = max(_CHAT_BURST, math.ceil(self.chat))
        object.__setattr__(self, "private", Pace(1 / self.chat, burst))
        # No minute has more than the rate, the one with the burst included.
        burst = max(1, int(self.group / _GROUP_BURST_SHARE))
        object.__setattr__(self, "grouped", Pace(60 / (self.group - burst + 1), burst))

    def of(self, call: Call) -> Pace | None:
        """The pace of the call's chat; None: the call doesn't count there."""
        chat_id = call.chat_id
        if chat_id is None:
            return None
        if isinstance(chat_id, int) and chat_id > 0:
            return self.private if sends(call) else None
        return self.grouped if sends(call) or call.method.startswith("edit") else None


class Paces:
    """What is remembered of the chats that recently got something."""

    def __init__(self) -> None:
        self._filled: dict[Hashable, float] = {}
        self._look_at = _FEW

    def due(self, chat: Hashable, pace: Pace | None, now: float) -> float:
        """When the chat may get the next one, maybe in the past."""
        filled = self._filled.get(chat) if pace is not None else None
        return pace.due(filled, now) if pace is not None and filled is not None else 0.0

    def note(self, chat: Hashable, pace: Pace | None, now: float) -> None:
        """It gets one now."""
        if pace is None:
            return
        self._filled[chat] = pace.after(self._filled.get(chat, 0.0), now)
        if len(self._filled) > self._look_at:
            self._filled = {key: filled for key, filled in self._filled.items() if filled > now}
            self._look_at = _FEW + 2 * len(self._filled)

    def __len__(self) -> int:
        """How many are remembered."""
        return len(self._filled)


def sends(call: Call) -> bool:
    """Whether a new message comes of it, which counts over all."""
    return call.method.startswith(_SENDS) and call.method != _NO_MESSAGE
