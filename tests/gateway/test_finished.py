from __future__ import annotations

import sqlite3

import pytest

from bot.gateway.calls import Call
from bot.gateway.finished import Finished
from bot.store import inbox
from bot.store.database import Store, Transaction
from tests.gateway.conftest import HastyClock

SEND = Call("sendMessage", {}, keep="question:1")


class Notes:
    """What was remembered; it can fail."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.kept: list[int] = []
        self.done_before: list[int] = []
        self.trouble: Exception | None = None

    async def keep(self, tx: Transaction, call: Call, message_id: int) -> None:
        if self.trouble is not None:
            raise self.trouble
        assert call is SEND
        self.kept.append(message_id)
        self.done_before = [id_ for (id_,) in await tx.rows(_DONE)]


_DONE = "SELECT update_id FROM inbox WHERE state = 'done' ORDER BY seq"


@pytest.fixture
def notes(store: Store) -> Notes:
    return Notes(store)


@pytest.fixture
async def finished(store: Store, notes: Notes, clock: HastyClock) -> Finished:
    async with store.transaction() as tx:
        arrivals = [inbox.Arrival(n, None, "{}") for n in range(1, 1001)]
        for start in range(0, 1000, 100):
            await inbox.receive(tx, arrivals[start : start + 100], clock.now())
    return Finished(store, notes.keep)


async def done(store: Store) -> list[int]:
    async with store.read() as reader:
        return [id_ for (id_,) in await reader.rows(_DONE)]


async def test_a_message_id_is_remembered_together_with_the_end_of_its_update(
    finished: Finished, notes: Notes, store: Store
) -> None:
    finished.note(SEND, 77)
    finished.add(1)
    assert len(finished) == 1
    await finished.idle()
    assert notes.kept == [77]
    assert notes.done_before == []
    assert await done(store) == [1]


async def test_more_than_fit_into_one_batch_are_all_done(finished: Finished, store: Store) -> None:
    for n in range(1, 1001):
        finished.add(n)
    await finished.idle()
    assert await done(store) == list(range(1, 1001))


@pytest.mark.logs_errors
async def test_what_could_not_be_written_is_written_with_the_next(
    finished: Finished, notes: Notes, store: Store
) -> None:
    notes.trouble = sqlite3.OperationalError("database or disk is full")
    finished.note(SEND, 77)
    finished.add(1)
    await finished.idle()
    assert await done(store) == []
    notes.trouble = None
    finished.add(2)
    await finished.idle()
    assert notes.kept == [77]
    assert await done(store) == [1, 2]
