"""The processes of a benchmark: the stub with the people, and the bot under test."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import aiohttp

from tests.benchmarks.bots import TOKEN
from tests.benchmarks.stub import Outcome, Run

_TICK = os.sysconf("SC_CLK_TCK")


class Stub:
    """The Bot API server."""

    def __init__(self, port: int, session: aiohttp.ClientSession) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self._session = session

    async def begin(self, run: Run) -> None:
        """Makes people tap; returns when all of them do."""
        await self._ask("/begin", asdict(run))

    async def measure(self) -> Outcome:
        """What comes of it."""
        return Outcome(**await self._ask("/measure", None))

    async def settle(self) -> None:
        """Returns when the calls of the run are made."""
        await self._ask("/settle", None)

    async def polled(self, more_than: int = 0) -> int:
        """How many polls there were, once there are more than so many."""
        # Nothing in this process tells.
        while (polls := int(await self._ask("/polls", None))) <= more_than:  # noqa: ASYNC110  (another process)
            await asyncio.sleep(0.005)
        return polls

    async def _ask(self, path: str, body: Any) -> Any:
        timeout = aiohttp.ClientTimeout(total=None)
        async with self._session.post(self.url + path, json=body, timeout=timeout) as response:
            return json.loads(await response.read())


class Subject:
    """The bot's process."""

    def __init__(self, process: asyncio.subprocess.Process, start_s: float) -> None:
        self._process, self.start_s = process, start_s

    @property
    def cpu_s(self) -> float:
        """Processor time so far."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICK

    @property
    def memory_mb(self) -> float:
        """Resident memory, now."""
        for line in Path(f"/proc/{self._process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1]) / 1024
        return 0.0

    def broadcast(self) -> None:
        """Ten thousand chats at once; only ours knows how."""
        self._process.send_signal(signal.SIGUSR1)


@asynccontextmanager
async def stub() -> AsyncIterator[Stub]:
    """A fresh one."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.benchmarks.stub"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    port = int(await process.stdout.readline())
    try:
        async with aiohttp.ClientSession() as session:
            yield Stub(port, session)
    finally:
        process.kill()
        await process.wait()


@asynccontextmanager
async def subject(name: str, stub: Stub, folder: Path, **settings: Any) -> AsyncIterator[Subject]:
    """The bot, polling."""
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(Path.cwd()),
        "QUIZBOT_TOKEN": TOKEN,
        "QUIZBOT_API_URL": stub.url,
        "QUIZBOT_DATA_DIR": str(folder),
        "QUIZBOT_QUIZ_DIR": str(folder / "quizzes"),
        "QUIZBOT_LOG_LEVEL": "WARNING",
        "QUIZBOT_RATE_TOTAL": "1000000",
        "QUIZBOT_RATE_CHAT": "1000000",
    } | {key: str(value) for key, value in settings.items()}
    polls, began = await stub.polled(-1), time.perf_counter()
    log = (folder / f"{name}.log").open("wb")
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.benchmarks.bots", name, stub.url),
        env=environment,
        stdout=log,
        stderr=log,
    )
    try:
        try:
            async with asyncio.timeout(180):
                await stub.polled(polls)
        except TimeoutError:
            said = (folder / f"{name}.log").read_text()
            raise RuntimeError(f"{name} does not poll; it says:\n{said}") from None
        yield Subject(process, time.perf_counter() - began)
    finally:
        log.close()
        if process.returncode is None:
            process.kill()
        await process.wait()
