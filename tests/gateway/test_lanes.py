from __future__ import annotations

import asyncio
import random
from collections import defaultdict
from datetime import datetime

import pytest

from bot.gateway.lanes import Lanes, Work
from tests.gateway.conftest import HastyClock


def noting(log: list[str], what: str) -> Work:
    async def work() -> None:
        log.append(what)

    return work


async def test_many_lanes_keep_their_order_and_the_cap_and_leave_nothing_behind(
    clock: HastyClock,
) -> None:
    lanes, dice = Lanes(clock, cap=7), random.Random(1)
    seen: dict[int, list[int]] = defaultdict(list)
    running, most = 0, 0

    def work(key: int, number: int) -> Work:
        async def run() -> None:
            nonlocal running, most
            running += 1
            most = max(most, running)
            for _ in range(dice.randrange(4)):
                await asyncio.sleep(0)
            seen[key].append(number)
            running -= 1

        return run

    for number in range(2000):
        lanes.put(number % 50, work(number % 50, number))
    assert len(lanes) == 50
    await lanes.idle()
    assert most == 7
    assert all(numbers == sorted(numbers) for numbers in seen.values())
    assert sum(map(len, seen.values())) == 2000
    assert len(lanes) == 0
    assert vars(lanes)["_waiting"] == {}


async def test_work_that_waits_for_its_turn_holds_no_place(clock: HastyClock) -> None:
    lanes = Lanes(clock, cap=2)
    held, log = asyncio.Event(), list[str]()

    async def slow() -> None:
        await held.wait()

    for _ in range(20):
        lanes.put(1, slow)
    lanes.put(2, noting(log, "quick"))
    for _ in range(5):
        await asyncio.sleep(0)
    assert log == ["quick"]
    held.set()
    await lanes.idle()


async def test_work_that_wants_to_run_again_keeps_its_lane_waiting_and_holds_no_place() -> None:
    moment = datetime.fromisoformat("2026-12-01T12:00:05Z")
    waiting, come, ran = asyncio.Event(), asyncio.Event(), asyncio.Event()
    log: list[str] = []

    class Clock(HastyClock):
        async def wait_until(self, until: datetime) -> None:
            assert until == moment
            waiting.set()
            await come.wait()

    async def twice() -> datetime | None:
        log.append("try")
        return moment if log.count("try") == 1 else None

    async def elsewhere() -> None:
        log.append("elsewhere")
        ran.set()

    lanes = Lanes(Clock(), cap=1)
    lanes.put(1, twice)
    lanes.put(1, noting(log, "behind it"))
    await waiting.wait()
    lanes.put(2, elsewhere)
    await ran.wait()
    come.set()
    await lanes.idle()
    assert log == ["try", "elsewhere", "try", "behind it"]


@pytest.mark.logs_errors
async def test_work_that_fails_is_logged_and_its_lane_goes_on(
    clock: HastyClock, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail() -> None:
        raise ZeroDivisionError

    log: list[str] = []
    lanes = Lanes(clock, cap=1)
    lanes.put(1, fail)
    lanes.put(1, noting(log, "next"))
    await lanes.idle()
    assert log == ["next"]
    assert "ZeroDivisionError" in caplog.text


async def test_stopping_ends_what_runs_and_what_waits(clock: HastyClock) -> None:
    lanes, log = Lanes(clock, cap=1), list[str]()

    async def for_ever() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            log.append("ended")

    lanes.put(1, for_ever)
    lanes.put(1, noting(log, "never"))
    await asyncio.sleep(0)
    await lanes.stop()
    assert log == ["ended"]
    assert len(lanes) == 0


async def test_a_lane_can_be_used_again(clock: HastyClock) -> None:
    lanes, log = Lanes(clock, cap=1), list[str]()
    for word in ("one", "two"):
        lanes.put(1, noting(log, word))
        await lanes.idle()
    assert log == ["one", "two"]
