"""A request's parameters, read as leniently as Telegram's server reads them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bot.sandbox.errors import Json, Refused


@dataclass(frozen=True, slots=True)
class Attachment:
    """One file of a multipart request."""

    name: str
    mime_type: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Params:
    """Values may be JSON values, or strings as forms have them (`"true"`, `"12"`, nested JSON)."""

    values: Mapping[str, Any]
    files: Mapping[str, Attachment] = field(default_factory=dict)

    def text(self, name: str) -> str:
        """The value as text, empty if absent."""
        value = self.values.get(name)
        if value is None:
            return ""
        return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)

    def integer(self, name: str, default: int = 0) -> int:
        """The value as a number; what isn't one counts as 0, as on the real server."""
        text = self.text(name).strip()
        if not text:
            return default
        return int(text) if text.lstrip("-").isdecimal() and text.isascii() else 0

    def flag(self, name: str) -> bool:
        """True for `true`, `yes`, `1`."""
        return self.text(name).strip().lower() in {"true", "yes", "1"}

    def json(self, name: str, called: str) -> Any:
        """The value as parsed JSON, None if absent or empty; `called` names it in the error."""
        value = self.values.get(name)
        if not isinstance(value, str):
            return value
        if not value:
            return None
        try:
            return json.loads(value)
        except ValueError:
            raise Refused(f"can't parse {called} JSON object") from None

    def file(self, name: str) -> Attachment | None:
        """The file sent under this name, directly or as `attach://<part>`."""
        part = self.text(name).removeprefix("attach://") if name in self.values else name
        return self.files.get(part)


def required(value: Any, name: str, kind: type, called: str) -> Any:
    """A field of a nested object; the server's words if it is missing or of another type."""
    if name not in value:
        raise Refused(f'{called}Can\'t find field "{name}"')
    return typed(value[name], name, kind, called)


def typed(value: Any, name: str, kind: type, called: str = "") -> Any:
    """The value itself, if it is of that JSON type."""
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise Refused(f'{called}Field "{name}" must be of type {_TYPES[kind]}')
    return value


_TYPES = {str: "String", bool: "Boolean", list: "Array", dict: "Object", int: "Number"}

__all__ = ["Attachment", "Json", "Params", "required", "typed"]
