"""Bots forked from a process that has imported everything: a restart costs no second.

Run as a program it is that process: it reads one line for each bot to start, and answers with its
process id at once and its exit code at its end. Only one bot lives at a time.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import bot
from tests.process.bot_process import Hear, Life

_ROOT = Path(bot.__file__).parents[1]


class Nursery:
    """Launches bots without delay, one at a time. It serves all tests of a run."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            (sys.executable, "-m", __name__),
            cwd=_ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._lives = 0
        self._life: Life | None = None

    async def launch(self, environment: Mapping[str, str], folder: Path, hear: Hear) -> Life:
        """As `bot_process.cold` does; what it prints is heard when it has ended."""
        self._lives += 1
        output = folder / f"output-{self._lives}"
        wanted = {"env": dict(environment), "cwd": str(folder), "output": str(output)}
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(wanted) + "\n")
        self._process.stdin.flush()
        pid = await self._line()

        async def end() -> int:
            code = await self._line()
            hear(output.read_text())
            return code

        self._life = Life(pid, asyncio.create_task(end()))
        return self._life

    async def empty(self) -> None:
        """Ends the bot that lives: the end of a test."""
        if self._life is not None and not self._life.ended.done():
            os.kill(self._life.pid, signal.SIGKILL)
            await self._life.ended

    def close(self) -> None:
        """The end of the run."""
        self._process.communicate()

    async def _line(self) -> int:
        assert self._process.stdout is not None
        return int(await asyncio.to_thread(self._process.stdout.readline))


def main() -> None:
    """One bot after the other, until there are no more lines."""
    import bot.cli  # noqa: F401  (what takes the time; the children find it there)

    for line in sys.stdin:
        pid = os.fork()
        if pid == 0:
            _live(json.loads(line))
        _tell(pid)
        _, status = os.waitpid(pid, 0)
        _tell(os.waitstatus_to_exitcode(status))


def _tell(number: int) -> None:
    print(number, flush=True)


def _live(wanted: Mapping[str, Any]) -> None:
    from bot.cli import main as run

    os.environ.clear()
    os.environ.update(wanted["env"])
    os.chdir(wanted["cwd"])
    output = os.open(wanted["output"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for inherited, own in ((0, nothing), (1, output), (2, output)):
        os.dup2(own, inherited)
    run(["run"])  # which exits


if __name__ == "__main__":
    main()
