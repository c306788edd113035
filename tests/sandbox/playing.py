"""What a bot says and does, for tests of the page that play it themselves."""

from __future__ import annotations

from typing import Any

from bot.sandbox.telegram import Telegram
from tests.people import Person


async def called(telegram: Telegram, method: str, **params: Any) -> Any:
    """The result of a call the bot makes."""
    _, body = await telegram.call(method, params)
    assert body["ok"], body
    return body["result"]


async def sent(telegram: Telegram, person: Person, text: str, *rows: Any, **params: Any) -> int:
    """Sends a message with these rows of buttons; its id."""
    if rows:
        params["reply_markup"] = {"inline_keyboard": list(rows)}
    params = {"chat_id": person.id, "text": text, "parse_mode": "HTML"} | params
    message_id: int = (await called(telegram, "sendMessage", **params))["message_id"]
    return message_id


def key(text: str, **more: Any) -> dict[str, Any]:
    """A callback button."""
    return {"text": text, "callback_data": "x"} | more


async def answered(telegram: Telegram, person: Person, text: str, **more: Any) -> None:
    """Answers the newest tap, once it has arrived."""
    await telegram.until(lambda: any(tap.answer is None for tap in person.account.taps))
    tap = person.account.taps[-1]
    await called(telegram, "answerCallbackQuery", callback_query_id=tap.id, text=text, **more)


async def heard(telegram: Telegram, person: Person, text: str) -> None:
    """Returns when the person has written this."""
    await telegram.until(lambda: any(m.get("text") == text for m in person.messages))
