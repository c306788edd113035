"""The sandbox's time over HTTP: read, moved forward, and waited for by another process."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

from aiohttp import web

from bot.sandbox.clock import Clock, SandboxClock
from bot.sandbox.errors import Json
from bot.sandbox.page_body import Body, done

LONGEST_WAIT_S = 25.0


class ClockRoutes:
    """Three handlers. Only a SandboxClock can be moved."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._closing = asyncio.Event()

    async def now(self, request: web.Request) -> web.Response:
        """What time it is."""
        return web.json_response(self._told())

    async def forward(self, request: web.Request) -> web.Response:
        """Moves it ahead."""
        seconds = (await Body.of(request)).number("forward_s")

        def forward() -> Json:
            if not isinstance(self._clock, SandboxClock):
                raise ValueError("this sandbox's clock can't be moved")
            self._clock.forward(timedelta(seconds=seconds))
            return self._told()

        return done(forward)

    async def wait(self, request: web.Request) -> web.Response:
        """Answers once the time has come, at the latest after 25 seconds of the machine's."""
        try:
            moment = datetime.fromisoformat(request.query.get("until", ""))
        except ValueError:
            raise web.HTTPBadRequest(text="`until` is a time such as 2026-01-31T09:00Z.") from None
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        waits = [
            asyncio.ensure_future(self._clock.wait_until(moment)),
            asyncio.ensure_future(self._closed()),
        ]
        try:
            await asyncio.wait(waits, timeout=LONGEST_WAIT_S, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for waiting in waits:
                waiting.cancel()
        return web.json_response(self._told())

    async def close(self, _: web.Application) -> None:
        """A shutdown doesn't wait for those who wait."""
        self._closing.set()

    async def _closed(self) -> None:
        await self._closing.wait()

    def _told(self) -> Json:
        return {"now": self._clock.now().isoformat()}
