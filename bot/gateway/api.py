"""One `Call` through PTB's bot, answered with Telegram's raw result."""

from __future__ import annotations

import warnings
from typing import Any

from telegram import Bot, InputFile
from telegram.warnings import PTBUserWarning

from bot.gateway.calls import Call

# PTB warns at each raw call of a method that it also has a Python method for. Calls are values
# here, so raw is what they are; nothing else is silenced.
RAW_CALL_WARNING = r"Please use 'Bot\.\w+' instead of 'Bot\.do_api_request"
warnings.filterwarnings("ignore", RAW_CALL_WARNING, PTBUserWarning)


class Api:
    """Makes calls. Raises PTB's errors; `errors.classify` knows what they mean."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot

    async def make(self, call: Call, read_timeout_s: float | None = None) -> Any:
        """The raw `result`. Without a timeout the transport's own holds."""
        params = dict(call.params)
        if call.upload is not None:
            content = call.upload.text.encode()
            params[call.upload.field] = InputFile(content, filename=call.upload.name)
        if read_timeout_s is None:
            return await self._bot.do_api_request(call.method, params)
        return await self._bot.do_api_request(call.method, params, read_timeout=read_timeout_s)
