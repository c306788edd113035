"""Short words for calls and what they answer."""

from __future__ import annotations

from typing import Any

from bot.sandbox.params import Attachment
from bot.sandbox.telegram import Telegram

KEYS = {
    "inline_keyboard": [[{"text": "A", "callback_data": "a"}, {"text": "B", "callback_data": "b"}]]
}


async def done(telegram: Telegram, method: str, **params: Any) -> Any:
    """The result of a call that must succeed."""
    status, body = await telegram.call(method, params)
    assert status == 200, body
    return body["result"]


async def refused(
    telegram: Telegram,
    method: str,
    params: dict[str, Any],
    files: dict[str, Attachment] | None = None,
) -> str:
    """The description of a call that must fail."""
    status, body = await telegram.call(method, params, files)
    assert status == body["error_code"], body
    return str(body["description"])


async def news(telegram: Telegram) -> list[dict[str, Any]]:
    """The updates that came since the last time."""
    updates: list[dict[str, Any]] = await done(telegram, "getUpdates")
    if updates:
        await done(telegram, "getUpdates", offset=updates[-1]["update_id"] + 1)
    return updates


async def messages(telegram: Telegram) -> list[dict[str, Any]]:
    """The messages among the news."""
    return [update["message"] for update in await news(telegram) if "message" in update]


PNG = bytes.fromhex("89504e470d0a1a0a0000000d49484452000000100000000808020000007f14e8c0")
"""The beginning of a picture of 16 × 8 pixels."""
