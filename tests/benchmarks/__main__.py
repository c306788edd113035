"""How fast the bot is, beside bare handlers on the same machine in the same run.

python -m tests.benchmarks [--quick] [--only a,b,…] [--people N --answers M]
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import sqlite3
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from bot.store.database import Store
from tests.benchmarks import data
from tests.benchmarks.processes import Stub, Subject, stub, subject
from tests.benchmarks.stub import Outcome, Run

PARTS = "fabcde"


@dataclass(frozen=True)
class Extent:
    """How long and how much."""

    seconds: float
    grid: tuple[tuple[float, int], ...]
    people: int
    answers: int
    active: int
    files: tuple[int, int]
    fan_out_rate: int


FULL = Extent(
    6.0,
    tuple((latency, people) for latency in (0, 50, 200) for people in (1, 50, 500)),
    *(100_000, 2_000_000, 10_000, (200, 20), 100),
)
QUICK = Extent(2.5, ((0, 500), (50, 500)), 2_000, 40_000, 1_000, (20, 20), 100)


def say(*cells: object) -> None:
    """One row of a table."""
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def head(title: str, *columns: str) -> None:
    """The beginning of a table."""
    print(f"\n### {title}\n", flush=True)
    say(*columns)
    say(*("--:" if n else "---" for n in range(len(columns))))


class Bench:
    """One run of all. `floor` is what bare PTB on our transport did at 50 ms with 500 people."""

    def __init__(self, extent: Extent, folder: Path) -> None:
        self._extent, self._folder = extent, folder
        self._floors: dict[str, tuple[Outcome, float]] = {}

    def folder(self, name: str) -> Path:
        """A data folder with the quiz."""
        folder = self._folder / name
        folder.mkdir()
        data.write_quiz(folder / "quizzes")
        return folder

    async def measured(self, bot: Subject, telegram: Stub, run: Run) -> tuple[Outcome, float]:
        """What came of it, and the bot's processor time for a tap in ms."""
        await telegram.begin(run)
        before = bot.cpu_s
        outcome = await telegram.measure()
        cpu_ms = (bot.cpu_s - before) / max(1, outcome.taps) * 1000
        await telegram.settle()
        return outcome, cpu_ms

    def row(self, name: str, run: Run, outcome: Outcome, cpu_ms: float) -> None:
        """One line of figures, with its ratios to the floors where these were measured."""
        rate = outcome.taps / outcome.seconds
        ratios = []
        for floor in ("aiogram", "ptb-aiohttp"):
            found = self._floors.get(f"{floor} {run.latency_ms:g}")
            bare = found[0].taps / found[0].seconds if found and run.people == 500 else 0
            ratios.append(f"{rate / bare:.2f}" if bare else "")
        say(
            name,
            f"{run.latency_ms:g}",
            run.people,
            f"{rate:.0f}",
            *ratios,
            f"{outcome.p50_ms:.1f}",
            f"{outcome.p99_ms:.1f}",
            f"{cpu_ms:.2f}",
            f"{outcome.stub_cpu_s / outcome.seconds:.0%}",
        )

    def table(self, title: str) -> None:
        """The columns of `row`."""
        head(
            title,
            *("bot", "API latency, ms", "people", "taps/s", "× aiogram", "× PTB on our transport"),
            *("tap→answer p50, ms", "p99, ms", "CPU per tap, ms", "stub's CPU"),
        )

    async def floors(self) -> None:
        """(f) Bare handlers that make the same calls."""
        self.table("(f) Floors: bare handlers, nothing stored")
        latencies = sorted({latency for latency, _ in self._extent.grid})
        for name in ("aiogram", "ptb-aiohttp", "ptb"):
            folder = self.folder(name)
            async with stub() as telegram, subject(name, telegram, folder) as bot:
                for n, latency in enumerate(latencies if name != "ptb" else [50]):
                    run = Run(500, self._extent.seconds, latency, 0, (n + 2) * 10**6)
                    outcome, cpu_ms = await self.measured(bot, telegram, run)
                    self._floors[f"{name} {latency:g}"] = outcome, cpu_ms
                    self.row(name, run, outcome, cpu_ms)

    async def taps(self) -> None:
        """(a) Taps, stored durably."""
        self.table("(a) quizbot: every tap stored durably before it is answered")
        folder = self.folder("taps")
        async with stub() as telegram, subject("ours", telegram, folder) as bot:
            for n, (latency, people) in enumerate(self._extent.grid):
                run = Run(people, self._extent.seconds, latency, 0, (n + 2) * 10**6)
                self.row("quizbot", run, *await self.measured(bot, telegram, run))
            run = Run(500, self._extent.seconds, 50, 200, 10**8)
            self.row("quizbot at 200 taps/s", run, *await self.measured(bot, telegram, run))

    async def grown(self) -> None:
        """(b) The same with a database that has grown."""
        people, answers = self._extent.people, self._extent.answers
        self.table(f"(b) The same with {people:,} people and {answers:,} answers stored")
        folder = self.folder("grown")
        path = folder / "quizbot.sqlite3"
        async with Store.open(path):
            pass
        per_answer = await asyncio.to_thread(data.fill, path, people, answers)
        async with stub() as telegram, subject("ours", telegram, folder) as bot:
            for latency in (0, 50):
                run = Run(500, self._extent.seconds, latency, 0, (latency + 2) * 10**6)
                self.row("quizbot", run, *await self.measured(bot, telegram, run))
            run = Run(500, self._extent.seconds, 50, 200, 10**8)
            self.row("quizbot at 200 taps/s", run, *await self.measured(bot, telegram, run))
        print(
            f"\nThe file: {path.stat().st_size / 2**20:.0f} MiB, {per_answer:.0f} bytes an answer."
        )

    async def fan_out(self) -> None:
        """(c) Ten thousand chats due at once, while people tap."""
        rate = self._extent.fan_out_rate
        head(
            f"(c) 10 000 chats due at once at {rate} messages/s, 50 people tap 20 times a second",
            *("", "tap→answer p50, ms", "p99, ms", "tap→screen p50, ms", "p99, ms", "sent/s"),
            "of the rate",
        )
        seconds = 3 * self._extent.seconds
        settings = {"QUIZBOT_RATE_TOTAL": rate}
        async with (
            stub() as telegram,
            subject("ours", telegram, self.folder("fan"), **settings) as bot,
        ):
            for name in ("idle", "broadcast"):
                await telegram.begin(Run(50, seconds, 50, 20, 10**8))
                if name == "broadcast":
                    bot.broadcast()
                outcome = await telegram.measure()
                # Questions and explanations count against the rate too: about one a tap.
                sent = outcome.broadcasts / outcome.broadcast_s if outcome.broadcast_s else 0
                total = sent + len_rate(outcome)
                say(
                    name,
                    *(f"{t:.1f}" for t in (outcome.p50_ms, outcome.p99_ms)),
                    *(f"{t:.1f}" for t in (outcome.screen_p50_ms, outcome.screen_p99_ms)),
                    f"{total:.0f}",
                    f"{total / rate:.0%}" if sent else "",
                )

    async def memory(self) -> None:
        """(d) Memory after many people were active."""
        head("(d) Memory", "", "MB")
        async with stub() as telegram, subject("ours", telegram, self.folder("mem")) as bot:
            say("after the start", f"{bot.memory_mb:.0f}")
            await telegram.begin(Run(self._extent.active, 120, 0, 0, taps_each=5))
            await telegram.measure()
            say(f"after {self._extent.active:,} people tapped five times", f"{bot.memory_mb:.0f}")

    async def start(self) -> None:
        """(e) From the start to the first poll."""
        quizzes, languages = self._extent.files
        head("(e) Start to the first poll", "", "seconds")
        async with stub() as telegram:
            async with subject("ours", telegram, self.folder("one")) as bot:
                say("1 quiz", f"{bot.start_s:.2f}")
            folder = self.folder("many")
            for n in range(quizzes):
                data.write_quiz(folder / "quizzes", f"quiz-{n}", languages)
            for again in ("", ", again"):
                async with subject("ours", telegram, folder) as bot:
                    say(f"{quizzes} quizzes × {languages} languages{again}", f"{bot.start_s:.2f}")


def len_rate(outcome: Outcome) -> float:
    """Messages a second that people got by tapping: one each."""
    return outcome.taps / outcome.seconds


def machine() -> str:
    """What this ran on, and how busy that was."""
    model = next(
        line.partition(": ")[2]
        for line in Path("/proc/cpuinfo").read_text().splitlines()
        if line.startswith("model name")
    )
    load = os.getloadavg()[0]
    return (
        f"{os.cpu_count()} × {model}, {platform.system()} {platform.release()}, Python "
        f"{platform.python_version()}, SQLite {sqlite3.sqlite_version}; load average before the "
        f"start {load:.1f}"
    )


async def main(args: argparse.Namespace) -> None:
    """Runs the parts asked for."""
    extent = QUICK if args.quick else FULL
    if args.people:
        extent = Extent(
            **{
                **extent.__dict__,
                "people": args.people,
                "answers": args.answers or 20 * args.people,
            }
        )
    print(machine(), flush=True)
    with tempfile.TemporaryDirectory(prefix="quizbot-bench-", dir=args.folder) as folder:
        bench = Bench(extent, Path(folder))
        parts = {
            "f": bench.floors,
            "a": bench.taps,
            "b": bench.grown,
            "c": bench.fan_out,
            "d": bench.memory,
            "e": bench.start,
        }
        for part in PARTS:
            if part in args.only:
                await parts[part]()


def parse(argv: list[str]) -> argparse.Namespace:
    """What is to be measured."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks")
    parser.add_argument("--quick", action="store_true", help="less of everything: under a minute")
    parser.add_argument("--only", default=PARTS, help="the parts, as in --only ae")
    parser.add_argument("--people", type=int, help="in the grown database (100000)")
    parser.add_argument("--answers", type=int, help="in the grown database (2000000)")
    parser.add_argument("--folder", type=Path, help="where the databases lie: a real disk")
    return parser.parse_args(argv)


if __name__ == "__main__":
    asyncio.run(main(parse(sys.argv[1:])))
