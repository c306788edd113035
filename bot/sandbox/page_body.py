"""What the chat page sends, read field by field; what is wrong is told in a sentence."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from aiohttp import web

from bot.sandbox.errors import Json


class Body:
    """The JSON object of a request. Each reader raises HTTPBadRequest for another type."""

    def __init__(self, values: Json) -> None:
        self._values = values

    @classmethod
    async def of(cls, request: web.Request) -> Body:
        """The body of this request."""
        try:
            values = json.loads(await request.text())
        except ValueError:
            raise web.HTTPBadRequest(text="The body is not JSON.") from None
        if not isinstance(values, dict):
            raise web.HTTPBadRequest(text="The body is not a JSON object.")
        return cls(values)

    def number(self, name: str) -> int:
        """A whole number."""
        return int(self._typed(name, int, "a number"))

    def maybe(self, name: str) -> int | None:
        """A whole number, or nothing."""
        return None if self._values.get(name) is None else self.number(name)

    def text(self, name: str) -> str:
        """A text."""
        return str(self._typed(name, str, "text"))

    def flag(self, name: str) -> bool:
        """true or false."""
        return bool(self._typed(name, bool, "true or false"))

    def texts(self, name: str) -> list[str]:
        """A list of texts."""
        values = self._typed(name, list, "a list")
        if not all(isinstance(value, str) for value in values):
            raise web.HTTPBadRequest(text=f"The field {name} must be a list of texts.")
        return list(values)

    def numbers(self, name: str) -> list[int]:
        """A list of whole numbers; left out, an empty one."""
        values = self._values.get(name, [])
        if not isinstance(values, list) or not all(type(value) is int for value in values):
            raise web.HTTPBadRequest(text=f"The field {name} must be a list of numbers.")
        return values

    def given(self, name: str) -> bool:
        """Whether the field is there."""
        return self._values.get(name) is not None

    def _typed(self, name: str, kind: type, called: str) -> Any:
        value = self._values.get(name)
        if type(value) is not kind:
            raise web.HTTPBadRequest(text=f"The field {name} must be {called}.")
        return value


def done(act: Callable[[], Json]) -> web.Response:
    """Acts and answers; a ValueError is an impossible act."""
    try:
        return web.json_response(act())
    except ValueError as error:
        raise web.HTTPBadRequest(text=f"{error}.") from None
