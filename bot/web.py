"""The HTTP server for what comes in. It knows routes and limits; what they do is passed in."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager

from aiohttp import web

log = logging.getLogger(__name__)

Take = Callable[[str, bytes], Awaitable[int]]
"""Given the secret that came along and the body; returns the HTTP status."""

_SECRET = "X-Telegram-Bot-Api-Secret-Token"  # https://core.telegram.org/bots/api#setwebhook
_LARGEST = 2**20  # an update is some kilobytes
_END_WITHIN_S = 1.0


class CannotListen(Exception):
    """The address can't be had. The text is one sentence for the operator."""


@asynccontextmanager
async def serving(listen: tuple[str, int], webhooks: Mapping[str, Take]) -> AsyncIterator[str]:
    """Serves until the block ends, and gives its address, `http://host:port`. `webhooks` are
    what takes updates, by path. Raises CannotListen."""
    host, port = listen
    app = web.Application(client_max_size=_LARGEST)
    for path, take in webhooks.items():
        app.router.add_post(path, _Hook(take).answer)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=_END_WITHIN_S)
    await runner.setup()
    try:
        await _listen(runner, host, port)
        host, port = runner.addresses[0][:2]
        address = f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
        log.info("listening at %s", address)
        yield address
    finally:
        await runner.cleanup()


async def _listen(runner: web.AppRunner, host: str, port: int) -> None:
    try:
        await web.TCPSite(runner, host, port).start()
    except OSError as error:
        raise CannotListen(
            f"QUIZBOT_LISTEN: can't listen at {host}:{port} ({error.strerror}): "
            "choose another host:port, or end what is there."
        ) from error


class _Hook:
    def __init__(self, take: Take) -> None:
        self._take = take

    async def answer(self, request: web.Request) -> web.Response:
        """One update. Whatever follows `application/json`, as a charset, is of no matter."""
        if request.content_type != "application/json":
            return web.Response(status=415)
        status = await self._take(request.headers.get(_SECRET, ""), await request.read())
        return web.Response(status=status, headers={"Retry-After": "1"} if status == 503 else None)
