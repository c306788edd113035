"""The app in a process of its own, on the sandbox's time."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bot.sandbox.clock import SandboxClock
from bot.sandbox.server import Server
from bot.sandbox.telegram import Telegram

ROOT = Path(__file__).parents[2]
WAITS = """
import asyncio, sys
from datetime import timedelta
from tests.on_sandbox_clock import RemoteClock

async def main():
    clock = RemoteClock(sys.argv[1])
    begun = clock.now()
    print(begun.isoformat(), flush=True)
    await clock.wait_until(begun + timedelta(days=3650))
    print(clock.now().isoformat(), flush=True)

asyncio.run(main())
"""


@asynccontextmanager
async def python(*arguments: str, **environment: str) -> AsyncIterator[asyncio.subprocess.Process]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, *arguments, cwd=ROOT, stdout=asyncio.subprocess.PIPE,
        env={k: v for k, v in os.environ.items() if not k.startswith("QUIZBOT_")} | environment,
    )  # fmt: skip
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def test_another_process_has_the_sandboxs_time_and_waits_by_it(
    server: Server, clock: SandboxClock
) -> None:
    clock.forward(timedelta(days=100))
    async with python("-c", WAITS, server.url) as process:
        assert process.stdout is not None
        begun = datetime.fromisoformat((await process.stdout.readline()).decode().strip())
        assert timedelta(days=99) < begun - datetime.now(UTC) < timedelta(days=101)
        clock.forward(timedelta(days=3649))
        clock.forward(timedelta(days=2))
        ended = datetime.fromisoformat((await process.stdout.readline()).decode().strip())
        assert ended - begun >= timedelta(days=3650)
        assert await process.wait() == 0


async def test_the_bot_runs_on_it_and_stops_as_usual(
    server: Server, telegram: Telegram, tmp_path: Path
) -> None:
    environment = {
        "QUIZBOT_TOKEN": telegram.bot.token,
        "QUIZBOT_API_URL": server.url,
        "QUIZBOT_DATA_DIR": str(tmp_path),
    }
    async with python("-m", "tests.on_sandbox_clock", **environment) as process:
        await telegram.until(lambda: telegram.updates.polled, timeout_s=60)
        process.terminate()
        assert await process.wait() == 0
