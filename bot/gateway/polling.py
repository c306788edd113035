"""Long polling. An update is confirmed to Telegram only when it is safely in the inbox.

PTB's own polling confirms updates before they are handled, spins for ever on one that it can't
parse, and stays alive but deaf when the token is refused.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any

from bot.gateway.api import Api
from bot.gateway.calls import Call
from bot.gateway.line import Line

log = logging.getLogger(__name__)

Receive = Callable[[Sequence[object]], Awaitable[None]]
"""Given raw updates in order; they are safe when it returns."""

_LIMIT = 100
_GRACE_S = 10.0  # beyond the time that the server was asked to wait


class Polling:
    """`timeout_s` is how long the server holds an empty poll; Telegram's limit is 50."""

    def __init__(
        self,
        api: Api,
        line: Line,
        receive: Receive,
        allowed_updates: Sequence[str],
        timeout_s: int = 30,
    ) -> None:
        self._api, self._line, self._receive = api, line, receive
        self._params = {
            "limit": _LIMIT,
            "timeout": timeout_s,
            "allowed_updates": list(allowed_updates),
        }
        self._read_timeout_s = timeout_s + _GRACE_S

    async def run(self) -> None:
        """Polls until it is cancelled. Raises TokenRefused or OtherPoller."""
        # What is waiting there is what learners did while the bot was down: never dropped.
        await self._ask(Call("deleteWebhook", {"drop_pending_updates": False}))
        offset: int | None = None
        while True:
            params = self._params if offset is None else {**self._params, "offset": offset}
            updates = await self._ask(Call("getUpdates", params))
            if updates:
                await self._receive(updates)
                offset = updates[-1]["update_id"] + 1

    async def _ask(self, call: Call) -> Any:
        return await self._line.until_answered(partial(self._api.make, call, self._read_timeout_s))
