"""Which links Telegram accepts, and how it writes them."""

from __future__ import annotations

import re

from bot.sandbox.errors import Refused

_HOST = re.compile(r"(?:[^/?#\s@]*@)?(?P<host>[^/?#\s:@]+)(?P<port>:\d{1,5})?(?P<path>[/?#]\S*)?")


def check_link(url: str) -> str:
    """The link as Telegram keeps it: host in lower case, a path, `http://` if it had no scheme.

    Raises:
        Refused: with the reason only; the caller says whose URL it was.
    """
    if not url:
        raise Refused("URL host is empty")
    if re.match(r"(?:tg|ton|tonsite):", url, re.IGNORECASE):
        return url
    scheme, rest = _split(url)
    found = _HOST.fullmatch(rest)
    if found is None or "." not in found["host"].strip("."):
        raise Refused("Wrong HTTP URL")
    path = found["path"] or "/"
    path = path if path.startswith("/") else f"/{path}"
    return f"{scheme}://{found['host'].lower()}{found['port'] or ''}{path}"


def checked_link(url: str) -> str | None:
    """The link as Telegram keeps it, or None where it silently drops it."""
    try:
        return check_link(url)
    except Refused:
        return None


def _split(url: str) -> tuple[str, str]:
    scheme, mark, rest = url.partition("://")
    if not mark:
        return "http", url
    if scheme.lower() not in {"http", "https"}:
        raise Refused("Unsupported URL protocol")
    return scheme.lower(), rest
