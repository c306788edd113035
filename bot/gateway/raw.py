"""A raw update, as far as it must be understood before PTB parses it: whose is it?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from bot.gateway.calls import Call

# Written by Telegram in place of a person: an anonymous administrator, a channel's post.
_NOBODY = frozenset({1087968824, 136817688})
_LARGEST_ID = 2**63 - 1  # what the database holds


@dataclass(frozen=True, slots=True)
class Raw:
    """`person_id` is None if nobody or somebody anonymous sent it. `lane` is the person, else the
    chat, else 0: updates of one lane are handled in order."""

    id: int
    fields: Mapping[str, Any]
    person_id: int | None
    lane: int
    callback_id: str | None

    @property
    def empty_answer(self) -> tuple[Call, ...]:
        """What ends the spinner and says nothing; no call if it is not a tap."""
        if self.callback_id is None:
            return ()
        return (Call("answerCallbackQuery", {"callback_query_id": self.callback_id}),)


def read(fields: object) -> Raw | None:
    """None: it is not even an update with an id. Everything else may be missing or odd."""
    if not isinstance(fields, dict) or (id_ := _id(fields.get("update_id"))) is None:
        return None
    bodies = [body for body in fields.values() if isinstance(body, dict)]
    person_id = _first(_people(bodies))
    return Raw(id_, fields, person_id, person_id or _first(_chats(bodies)) or 0, _tap(fields))


def _people(bodies: list[dict[str, Any]]) -> Iterator[int | None]:
    for body in bodies:
        for field in ("from", "user"):
            person_id = _id_in(body.get(field))
            yield None if person_id in _NOBODY else person_id


def _chats(bodies: list[dict[str, Any]]) -> Iterator[int | None]:
    for body in bodies:
        yield _id_in(body.get("chat"))
        if isinstance(message := body.get("message"), dict):
            yield _id_in(message.get("chat"))


def _tap(fields: dict[str, Any]) -> str | None:
    tap = fields.get("callback_query")
    id_ = tap.get("id") if isinstance(tap, dict) else None
    return id_ if isinstance(id_, str) else None


def _first(ids: Iterator[int | None]) -> int | None:
    return next((id_ for id_ in ids if id_ is not None), None)


def _id_in(value: object) -> int | None:
    return _id(value.get("id")) if isinstance(value, dict) else None


def _id(value: object) -> int | None:
    return value if type(value) is int and abs(value) <= _LARGEST_ID else None
