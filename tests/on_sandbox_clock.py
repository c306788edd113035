"""`python -m tests.on_sandbox_clock` is `quizbot run`, but lives by the sandbox's clock.

The sandbox is the Bot API server at QUIZBOT_API_URL, in another process: `now()` asks it and
blocks until it answers.
"""

from __future__ import annotations

import asyncio
import http.client
import json
import os
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

import aiohttp

from bot import cli

_PATIENCE_S = 5.0
_PAUSE_S = 0.2  # before asking again a sandbox that isn't there


class RemoteClock:
    """The time of the sandbox served at this address; while it is away, what it was last plus
    what passed since."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=_PATIENCE_S)
        self._ahead = timedelta()

    def now(self) -> datetime:
        """The time, aware, UTC."""
        for _ in range(2):  # a kept connection may have been closed meanwhile
            try:
                self._connection.request("GET", "/sandbox/clock")
                told = json.load(self._connection.getresponse())["now"]
            except (OSError, http.client.HTTPException):
                self._connection.close()
            else:
                now = datetime.fromisoformat(told)
                self._ahead = now - datetime.now(UTC)
                return now
        return datetime.now(UTC) + self._ahead

    async def wait_until(self, moment: datetime) -> None:
        """Returns once `now()` is at or past `moment` (aware UTC)."""
        if self.now() >= moment:
            return
        async with aiohttp.ClientSession(self._url) as session:
            while self.now() < moment:
                try:
                    async with session.get(
                        "/sandbox/clock/wait", params={"until": moment.isoformat()}
                    ) as response:
                        await response.read()
                except aiohttp.ClientError:
                    await asyncio.sleep(_PAUSE_S)


if __name__ == "__main__":
    cli.main(["run"], RemoteClock(os.environ["QUIZBOT_API_URL"]))
