"""The real bot: `python -m bot run` as a process of its own, on a Telegram served over HTTP."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import bot
from bot.sandbox.telegram import Telegram

PATIENCE_S = 60.0  # how long anything may take on a busy machine before a test gives up
_TROUBLE = (" ERROR ", " CRITICAL ", "Traceback (most recent call last)")


@dataclass(frozen=True, slots=True)
class Life:
    """One run of the process. `ended` becomes its exit code (-9 when it was killed), after the
    last line of its output was heard."""

    pid: int
    ended: asyncio.Task[int]


Hear = Callable[[str], None]
Launch = Callable[[Mapping[str, str], Path, Hear], Awaitable[Life]]
"""Starts `quizbot run` with this environment, in this folder. `Hear` is told what it prints."""


async def cold(environment: Mapping[str, str], folder: Path, hear: Hear) -> Life:
    """As an operator starts it."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", "run"),
        cwd=folder,
        env=environment,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )

    async def end() -> int:
        assert process.stdout is not None
        async for line in process.stdout:
            hear(line.decode())
        return await process.wait()

    return Life(process.pid, asyncio.create_task(end()))


class BotProcess:
    """The bot on one data folder, over all its lives. `output` is all that it ever printed, both
    streams."""

    def __init__(
        self,
        telegram: Telegram,
        url: str,
        folder: Path,
        launch: Launch = cold,
        **settings: str | Path,
    ) -> None:
        self.telegram, self.folder = telegram, folder
        self.data = folder / "data"
        self.data.mkdir(exist_ok=True)
        self.output = ""
        self.kills = 0
        self._launch = launch
        self._life: Life | None = None
        self._environment = {
            "PATH": os.environ["PATH"],
            # The folder it runs in is not the checkout.
            "PYTHONPATH": str(Path(bot.__file__).parents[1]),
            "QUIZBOT_TOKEN": telegram.bot.token,
            "QUIZBOT_API_URL": url,
            "QUIZBOT_DATA_DIR": str(self.data),
            "QUIZBOT_LOG_LEVEL": "DEBUG",
            "QUIZBOT_LISTEN": "127.0.0.1:0",
            "QUIZBOT_RATE_TOTAL": "10000",
            "QUIZBOT_RATE_CHAT": "10000",
            "QUIZBOT_RATE_GROUP": "10000",
        } | {name: str(value) for name, value in settings.items()}

    @property
    def database(self) -> Path:
        """The database's file."""
        return self.data / "quizbot.sqlite3"

    @property
    def alive(self) -> bool:
        """Whether it runs right now."""
        return self._life is not None and not self._life.ended.done()

    async def start(self) -> None:
        """Returns when it polls. Raises AssertionError if it ends instead."""
        await self.launch()
        await self.telegram.until(
            lambda: self.telegram.updates.polled or not self.alive, PATIENCE_S
        )
        assert self.alive, self.output

    async def launch(self) -> None:
        """Returns at once."""
        assert not self.alive
        self._life = await self._launch(self._environment, self.folder, self._hear)
        self._life.ended.add_done_callback(self._died)

    async def kill(self) -> None:
        """kill -9. Returns when it is dead."""
        assert self.alive
        self.kills += 1
        assert await self._signal(signal.SIGKILL) == -signal.SIGKILL

    async def stop(self) -> int:
        """SIGTERM. Returns the exit code."""
        return await self._signal(signal.SIGTERM)

    def hang_up(self) -> None:
        """SIGHUP."""
        assert self._life is not None
        os.kill(self._life.pid, signal.SIGHUP)

    async def ended(self) -> int:
        """The exit code, when it has ended."""
        assert self._life is not None
        async with asyncio.timeout(PATIENCE_S):
            return await asyncio.shield(self._life.ended)

    async def prints(self, text: str) -> None:
        """Returns once it has printed this."""
        await self.telegram.until(lambda: text in self.output or not self.alive, PATIENCE_S)
        assert text in self.output, self.output

    @asynccontextmanager
    async def kept_running(self) -> AsyncIterator[None]:
        """Starts it again whenever it was killed, until the block ends."""
        keeping = asyncio.create_task(self._keep())
        try:
            yield
        finally:
            keeping.cancel()
            with suppress(asyncio.CancelledError):
                await keeping

    def check_output(self, *expected: str) -> None:
        """The token is nowhere in it, and no trouble but lines with one of these texts."""
        token = self.telegram.bot.token
        for secret in (token, token.partition(":")[2], quote(token), quote(token, safe="")):
            assert secret not in self.output
        trouble = [
            line
            for line in self.output.splitlines()
            if any(mark in line for mark in _TROUBLE)
            and not any(text in line for text in expected)
        ]
        assert trouble == [], self.output

    async def bury(self) -> None:
        """Kills it if it still runs: the end of a test."""
        if self.alive:
            await self._signal(signal.SIGKILL)

    async def _keep(self) -> None:
        while True:
            code = await self.ended_some_time()
            assert code == -signal.SIGKILL, self.output
            await self.launch()

    async def ended_some_time(self) -> int:
        """Like `ended`, with no end to the patience."""
        assert self._life is not None
        return await asyncio.shield(self._life.ended)

    async def _signal(self, number: signal.Signals) -> int:
        assert self._life is not None
        os.kill(self._life.pid, number)
        return await self.ended()

    def _hear(self, text: str) -> None:
        self.output += text
        self.telegram.bell.ring()

    def _died(self, _: asyncio.Task[int]) -> None:
        # Its poll still hangs in the server, which notices nothing.
        self.telegram.updates.release()
        self.telegram.bell.ring()
