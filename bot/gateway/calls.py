"""What a handler wants Telegram to do, as a value: it can be stored, repeated and compared."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Upload:
    """A small text file sent along with a call."""

    field: str
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Call:
    """One Bot API call: https://core.telegram.org/bots/api.

    `keep` names what the id of the sent message is remembered for; see `Outbox`.
    `instead` is made when the message to edit is gone or can't be edited any more.
    """

    method: str
    params: Mapping[str, Any]
    upload: Upload | None = None
    keep: str | None = None
    instead: Call | None = None

    @property
    def chat_id(self) -> int | None:
        """The chat it goes to; None for a callback answer."""
        chat_id: int | None = self.params.get("chat_id")
        return chat_id


def dump(calls: tuple[Call, ...]) -> str:
    """The calls as JSON text."""
    return json.dumps([_fields(call) for call in calls], ensure_ascii=False)


def load(text: str) -> tuple[Call, ...]:
    """The calls that `dump` wrote."""
    return tuple(_call(fields) for fields in json.loads(text))


def _fields(call: Call) -> dict[str, Any]:
    """What is said of it. (`dataclasses.asdict` copies every value of every parameter.)"""
    fields: dict[str, Any] = {"method": call.method, "params": call.params}
    if call.upload is not None:
        fields["upload"] = [call.upload.field, call.upload.name, call.upload.text]
    if call.keep is not None:
        fields["keep"] = call.keep
    if call.instead is not None:
        fields["instead"] = _fields(call.instead)
    return fields


def _call(fields: dict[str, Any]) -> Call:
    upload, instead = fields.get("upload"), fields.get("instead")
    return Call(
        fields["method"],
        fields["params"],
        Upload(*upload) if upload else None,
        fields.get("keep"),
        _call(instead) if instead else None,
    )
