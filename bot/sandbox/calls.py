"""API calls as the log pane of the page shows them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from bot.sandbox.errors import Json

_SECRET = ("secret_token", "certificate")


def described(method: str, params: Mapping[str, Any], answer: Json | None) -> Json:
    """The event of one call; `answer` None: the connection was reset instead."""
    shown = {name: _shown(value) for name, value in params.items() if name not in _SECRET}
    return {"type": "call", "method": method, "params": shown, "answer": answer}


def redacted(event: Json, token: str) -> Json:
    """The event without the bot's token, wherever it may stand."""
    text = json.dumps(event, ensure_ascii=False)
    if token not in text:
        return event
    told: Json = json.loads(text.replace(token, "<token>"))
    return told


def _shown(value: Any) -> Any:
    """Nested JSON of a form is shown as the object it is."""
    if not isinstance(value, str) or not value.startswith(("{", "[")):
        return value
    try:
        return json.loads(value)
    except ValueError:
        return value
