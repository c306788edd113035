"""Where updates are pushed to, as a value."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from bot.sandbox import limits


@dataclass(slots=True)
class Webhook:
    """`url` empty: there is none. `gone_since`: HTTP 410 and nothing else since then."""

    url: str = ""
    secret: str = ""
    connections: int = limits.DEFAULT_CONNECTIONS
    set_at: datetime | None = None
    gone_since: datetime | None = None
    error: tuple[datetime, str] | None = None

    def close(self) -> None:
        """There is none any more."""
        self.url = self.secret = ""
        self.gone_since = self.error = None
