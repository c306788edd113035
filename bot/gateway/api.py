"""One `Call` over PTB's connection, answered with Telegram's raw result."""

from __future__ import annotations

from typing import Any

from telegram import Bot, InputFile
from telegram.request import BaseRequest, RequestData

# RequestData is made of these, and PTB's own way to make them takes values apart that calls never
# have. Public in all but the place that it is imported from.
from telegram.request._requestparameter import RequestParameter

from bot.gateway.calls import Call


class Api:
    """Makes calls. Raises PTB's errors; `errors.classify` knows what they mean."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot

    async def make(self, call: Call, read_timeout_s: float | None = None) -> Any:
        """The raw `result`. Without a timeout the transport's own holds."""
        parameters = [RequestParameter(name, value, None) for name, value in call.params.items()]
        if call.upload is not None:
            content = call.upload.text.encode()
            file = InputFile(content, filename=call.upload.name)
            parameters.append(RequestParameter.from_input(call.upload.field, file))
        return await self._bot.request.post(
            f"{self._bot.base_url}/{call.method}",
            RequestData(parameters),
            read_timeout=BaseRequest.DEFAULT_NONE if read_timeout_s is None else read_timeout_s,
        )
