"""What the server answers instead of a result, and how a hook makes it misbehave."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Json = dict[str, Any]

_NAMES = {
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not Found",
    409: "Conflict",
    413: "Request Entity Too Large",
    429: "Too Many Requests",
    500: "Internal Server Error",
    502: "Bad Gateway",
}


class Refused(Exception):
    """A method answers with an error. `what` is the part behind "Bad Request: "."""

    def __init__(
        self, what: str, status: int = 400, parameters: Mapping[str, int] | None = None
    ) -> None:
        super().__init__(what)
        self.status = status
        self.what = what
        self.parameters = parameters

    def body(self) -> Json:
        """The JSON body of the answer."""
        name = _NAMES[self.status]
        description = f"{name}: {_lowered(self.what)}" if self.what else name
        body: Json = {"ok": False, "error_code": self.status, "description": description}
        return body | ({"parameters": dict(self.parameters)} if self.parameters else {})


def _lowered(what: str) -> str:
    """The first letter in lower case, unless a constant such as BUTTON_DATA_INVALID follows."""
    return what if what[1:2].isupper() or what[1:2] == "_" else what[:1].lower() + what[1:]


class Fault(Exception):
    """Raised by a hook: the client gets this answer, whatever the method did or would do."""

    def __init__(self, status: int, body: Mapping[str, Any]) -> None:
        super().__init__(f"{status} {body}")
        self.status = status
        self.body = dict(body)

    @classmethod
    def flood(cls, retry_after: int) -> Fault:
        """429, to be obeyed for `retry_after` seconds."""
        after = {"retry_after": retry_after}
        return cls(429, Refused(f"retry after {retry_after}", 429, after).body())

    @classmethod
    def restarting(cls) -> Fault:
        """500, as while the server restarts."""
        return cls(500, Refused("restart", 500).body())

    @classmethod
    def gateway(cls) -> Fault:
        """502, as when Telegram's data centre is in trouble."""
        return cls(502, Refused("", 502).body())


class Drop(Exception):
    """Raised by a hook: the connection is reset instead of an answer."""
