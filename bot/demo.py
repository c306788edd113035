"""`quizbot demo`: the same bot against a Bot API on loopback, with a chat page in the browser."""

from __future__ import annotations

import errno
import random
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from bot.app import serve
from bot.i18n import Catalogues
from bot.sandbox.clock import SandboxClock
from bot.sandbox.server import Server
from bot.sandbox.server import serve as serve_sandbox
from bot.sandbox.telegram import Telegram
from bot.settings import Settings
from bot.shelf import Shelf

PORTS_TRIED = 50

PEOPLE = (
    ("Emma", "en"),
    ("Asha", "hi"),
    ("Minh", "vi"),
)


async def demo(
    settings: Settings, catalogues: Catalogues, shelf: Shelf, port: int, say: Callable[[str], None]
) -> None:
    """Serves the chat page until cancelled. `say` is told its address once it can be opened.

    Everything said is kept in a temporary folder and forgotten at the end.
    """
    telegram = Telegram(SandboxClock())
    for name, language in PEOPLE:
        telegram.join(name, language)
    with tempfile.TemporaryDirectory(prefix="quizbot-demo-") as folder:
        async with _sandbox(telegram, port) as server:
            own = settings.for_demo(telegram.bot.token, server.url, Path(folder))
            address = f"{server.url}/"
            await serve(
                own,
                catalogues,
                shelf,
                telegram.clock,
                random.Random(),
                connected=lambda _: say(address),
                watch=True,
            )


@asynccontextmanager
async def _sandbox(telegram: Telegram, port: int) -> AsyncIterator[Server]:
    server = await _first_free(telegram, port)
    try:
        yield server
    finally:
        await server.close()


async def _first_free(telegram: Telegram, port: int) -> Server:
    """On the port or, if it is taken, the next free one."""
    for candidate in range(port, port + PORTS_TRIED):
        try:
            return await serve_sandbox(telegram, port=candidate)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
    return await serve_sandbox(telegram, port=0)
