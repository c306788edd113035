from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.store import inbox
from bot.store.database import Store
from bot.store.inbox import Arrival, Unfinished

NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)
PERSON = 501


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "quizbot.sqlite3"


@pytest.fixture
async def store(path: Path) -> AsyncIterator[Store]:
    async with Store.open(path) as store:
        yield store


async def receive(store: Store, *update_ids: int, person_id: int = PERSON) -> set[int]:
    arrivals = [Arrival(id_, person_id, f'{{"update_id": {id_}}}') for id_ in update_ids]
    async with store.transaction() as tx:
        return await inbox.receive(tx, arrivals, NOW)


async def left(store: Store) -> list[Unfinished]:
    async with store.read() as reader:
        return await inbox.unfinished(reader)


async def rows(store: Store, what: str) -> list[tuple[object, ...]]:
    async with store.read() as reader:
        return [tuple(row) for row in await reader.rows(f"SELECT {what} FROM inbox ORDER BY seq")]


async def test_a_duplicate_is_not_new_within_a_batch_or_later_or_when_done(store: Store) -> None:
    assert await receive(store, 5, 6, 5) == {5, 6}
    assert await receive(store, 6, 7) == {7}
    async with store.transaction() as tx:
        await inbox.done(tx, [5, 6, 7])
    assert await receive(store, 5, 6, 7) == set()


async def test_ids_may_jump_down_after_a_quiet_week(store: Store) -> None:
    assert await receive(store, 900_000) == {900_000}
    assert await receive(store, 17) == {17}
    assert [row.update_id for row in await left(store)] == [900_000, 17]


async def test_nothing_received_is_nothing_new(store: Store) -> None:
    assert await receive(store) == set()


async def test_after_reopening_each_state_is_what_was_committed(path: Path) -> None:
    async with Store.open(path) as store:
        await receive(store, 1, 2, 3, 4)
        async with store.transaction() as tx:
            assert await inbox.apply(tx, 2, "[calls of 2]")
            assert await inbox.apply(tx, 3, "[calls of 3]")
            await inbox.done(tx, [3])
            await inbox.set_aside(tx, 4, NOW)
    async with Store.open(path) as store:
        assert await left(store) == [
            Unfinished(1, '{"update_id": 1}', None),
            Unfinished(2, '{"update_id": 2}', "[calls of 2]"),
        ]
        assert await rows(store, "update_id, state") == [
            (1, "received"),
            (2, "applied"),
            (3, "done"),
            (4, "aside"),
        ]


async def test_an_update_is_applied_only_once(store: Store) -> None:
    await receive(store, 1)
    async with store.transaction() as tx:
        assert await inbox.apply(tx, 1, "first")
    async with store.transaction() as tx:
        assert not await inbox.apply(tx, 1, "second")
        assert not await inbox.apply(tx, 99, "unknown")
        assert await inbox.applied_calls(tx, 1) == "first"
        assert await inbox.applied_calls(tx, 99) is None


async def test_an_update_that_is_done_holds_nothing_of_anybody(store: Store) -> None:
    await receive(store, 1)
    async with store.transaction() as tx:
        await inbox.apply(tx, 1, "calls")
        await inbox.done(tx, [1])
    assert await rows(store, "update_id, state, person_id, payload, calls") == [
        (1, "done", None, None, None)
    ]


async def test_failed_tries_are_counted_and_nothing_else_is_changed(store: Store) -> None:
    await receive(store, 1)
    async with store.transaction() as tx:
        assert [await inbox.failed(tx, 1) for _ in range(3)] == [1, 2, 3]
    assert await left(store) == [Unfinished(1, '{"update_id": 1}', None)]


async def test_an_applied_update_can_neither_fail_nor_be_set_aside(store: Store) -> None:
    await receive(store, 1)
    async with store.transaction() as tx:
        await inbox.apply(tx, 1, "calls")
        assert await inbox.failed(tx, 1) is None
        await inbox.set_aside(tx, 1, NOW)
    assert await rows(store, "state, tries") == [("applied", 0)]


async def test_what_was_set_aside_is_not_done_by_the_way(store: Store) -> None:
    await receive(store, 1)
    async with store.transaction() as tx:
        await inbox.set_aside(tx, 1, NOW)
        await inbox.done(tx, [1])
    assert await rows(store, "state") == [("aside",)]


@pytest.mark.parametrize(
    ("after", "kept"),
    [
        (timedelta(hours=25), ["received", "applied", "done", "aside"]),
        (timedelta(hours=25, milliseconds=1), ["received", "applied", "aside"]),
        (timedelta(days=7), ["received", "applied", "aside"]),
        (timedelta(days=7, milliseconds=1), ["received", "applied"]),
        (timedelta(days=3650), ["received", "applied"]),
    ],
)
async def test_what_is_done_is_kept_25_hours_and_what_was_set_aside_7_days(
    store: Store, after: timedelta, kept: list[str]
) -> None:
    await receive(store, 1, 2, 3, 4)
    async with store.transaction() as tx:
        await inbox.apply(tx, 2, "calls")
        await inbox.done(tx, [3])
        await inbox.set_aside(tx, 4, NOW)
    async with store.transaction() as tx:
        assert await inbox.sweep(tx, NOW + after) == 4 - len(kept)
    assert [row[0] for row in await rows(store, "state")] == kept


async def test_to_forget_a_person_deletes_what_was_set_aside_of_them_only(store: Store) -> None:
    await receive(store, 1, 2)
    await receive(store, 3, person_id=777)
    async with store.transaction() as tx:
        for update_id in (1, 3):
            await inbox.set_aside(tx, update_id, NOW)
        await inbox.forget(tx, PERSON)
        await inbox.done(tx, [2])
    assert await rows(store, "update_id, person_id") == [(2, None), (3, 777)]


async def test_what_is_kept_whole_of_a_person_can_be_shown_to_them(store: Store) -> None:
    await receive(store, 1, 2)
    await receive(store, 3, person_id=777)
    async with store.transaction() as tx:
        await inbox.done(tx, [1])
        assert await inbox.held(tx, PERSON) == ['{"update_id": 2}']


async def test_many_updates_at_once_fit_in_one_statement(store: Store) -> None:
    ids = range(1, 1001)
    assert await receive(store, *ids) == set(ids)
    async with store.transaction() as tx:
        await inbox.done(tx, ids)
    assert await left(store) == []
