"""The sandbox's time."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from bot.sandbox.clock import SandboxClock


async def test_it_runs_like_the_machines_clock_plus_what_it_was_moved() -> None:
    clock = SandboxClock()
    clock.forward(timedelta(days=3650))
    ahead = clock.now() - datetime.now(UTC)
    assert timedelta(days=3649) < ahead <= timedelta(days=3650)


async def test_who_waits_for_a_moment_is_woken_when_the_clock_is_moved_there() -> None:
    clock = SandboxClock()
    waiting = asyncio.create_task(clock.wait_until(clock.now() + timedelta(hours=2)))
    await asyncio.sleep(0)
    clock.forward(timedelta(hours=1))
    await asyncio.sleep(0)
    assert not waiting.done()
    clock.forward(timedelta(hours=1))
    await waiting


async def test_a_moment_that_has_passed_needs_no_waiting() -> None:
    clock = SandboxClock()
    await clock.wait_until(clock.now() - timedelta(seconds=1))
    await clock.wait_until(clock.now() + timedelta(milliseconds=1))


async def test_it_never_goes_back() -> None:
    with pytest.raises(ValueError, match="only moves forward"):
        SandboxClock().forward(timedelta(seconds=-1))
