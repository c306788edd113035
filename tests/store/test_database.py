from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from tempfile import gettempdir

import pytest

from bot.store import folder as data_folder
from bot.store import migrations
from bot.store.database import NewerDatabase, Store, StoreError, from_ms, to_ms

ADD = "INSERT INTO inbox (update_id, received_at) VALUES (?, 0)"
COUNT = "SELECT count(*) FROM inbox"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "quizbot.sqlite3"


@pytest.fixture
async def store(path: Path) -> AsyncIterator[Store]:
    async with Store.open(path) as store:
        yield store


async def committed(store: Store) -> int:
    async with store.read() as reader:
        [(count,)] = await reader.rows(COUNT)
    return int(count)


async def test_what_a_transaction_wrote_is_there_after_reopening(path: Path) -> None:
    async with Store.open(path) as store, store.transaction() as tx:
        assert await tx.insert(ADD, (7,)) == 1
        assert await tx.execute("UPDATE inbox SET tries = 2") == 1
    async with Store.open(path) as store, store.read() as reader:
        row = await reader.row("SELECT update_id, tries FROM inbox")
        assert row is not None
        assert tuple(row) == (7, 2)
        assert await reader.row("SELECT 1 FROM inbox WHERE update_id = 8") is None


async def write_and_fail(store: Store) -> None:
    async with store.transaction() as tx:
        await tx.execute(ADD, (1,))
        raise ZeroDivisionError


async def test_an_exception_undoes_the_whole_block(store: Store) -> None:
    with pytest.raises(ZeroDivisionError):
        await write_and_fail(store)
    assert await committed(store) == 0
    async with store.transaction() as tx:
        await tx.execute(ADD, (1,))
    assert await committed(store) == 1


async def test_a_reader_sees_only_what_is_committed(store: Store) -> None:
    async with store.transaction() as tx:
        await tx.execute(ADD, (1,))
        assert await committed(store) == 0
    assert await committed(store) == 1


async def test_a_reader_sees_the_same_all_along_its_block(store: Store) -> None:
    async with store.read() as reader:
        before = (await reader.rows(COUNT))[0][0]
        async with store.transaction() as tx:
            await tx.execute(ADD, (1,))
        assert (await reader.rows(COUNT))[0][0] == before == 0


async def test_a_reader_cannot_write(store: Store) -> None:
    async with store.read() as reader:
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            await reader.rows(ADD, (1,))


@pytest.mark.parametrize("turns", range(12))
async def test_a_transaction_cancelled_anywhere_leaves_nothing_and_stands_in_nobodys_way(
    store: Store, turns: int
) -> None:
    inside = asyncio.Event()

    async def write() -> None:
        async with store.transaction() as tx:
            inside.set()
            await tx.execute(ADD, (1,))
            await tx.execute(ADD, (2,))

    task = asyncio.create_task(write())
    if turns:
        await inside.wait()
    for _ in range(turns):
        await asyncio.sleep(0)
    task.cancel()
    finished = not isinstance(
        (await asyncio.gather(task, return_exceptions=True))[0], BaseException
    )
    seen = await committed(store)
    assert seen in ({2} if finished else {0, 2})
    async with store.transaction() as tx:
        await tx.execute(ADD, (3,))
    assert await committed(store) == seen + 1


async def test_cancelling_a_waiting_transaction_does_not_disturb_the_one_at_work(
    store: Store,
) -> None:
    async def write(update_id: int) -> None:
        async with store.transaction() as tx:
            await tx.execute(ADD, (update_id,))

    async with store.transaction() as tx:
        await tx.execute(ADD, (1,))
        waiting = asyncio.create_task(write(2))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        await tx.execute(ADD, (3,))
    async with store.read() as reader:
        assert [row[0] for row in await reader.rows("SELECT update_id FROM inbox")] == [1, 3]


async def test_transactions_of_many_tasks_run_one_after_the_other(store: Store) -> None:
    async def count_up() -> None:
        async with store.transaction() as tx:
            row = await tx.row("SELECT tries FROM inbox")
            assert row is not None
            await tx.execute("UPDATE inbox SET tries = ?", (row[0] + 1,))

    async with store.transaction() as tx:
        await tx.execute(ADD, (1,))
    await asyncio.gather(*(count_up() for _ in range(30)))
    async with store.read() as reader:
        [(tries,)] = await reader.rows("SELECT tries FROM inbox")
    assert tries == 30


async def test_a_nested_transaction_is_refused_instead_of_waiting_for_ever(store: Store) -> None:
    with pytest.raises(RuntimeError, match="inside a block"):
        async with store.transaction(), store.transaction():
            pass
    assert await committed(store) == 0


async def test_a_transaction_is_of_no_use_after_its_block(store: Store) -> None:
    async with store.transaction() as tx:
        pass
    with pytest.raises(RuntimeError, match="after its block"):
        await tx.execute(ADD, (1,))


async def test_the_file_is_durable_and_holds_its_references(path: Path) -> None:
    async with Store.open(path) as store, store.transaction() as tx:
        pragmas = {
            name: (await tx.rows(f"PRAGMA {name}"))[0][0]
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    assert pragmas == {
        "journal_mode": "wal",
        "synchronous": 2,
        "foreign_keys": 1,
        "busy_timeout": 5000,
    }


async def test_a_newer_database_is_refused_with_both_numbers(path: Path) -> None:
    known = len(migrations.found())
    with sqlite3.connect(path) as raw:
        raw.execute("PRAGMA user_version = 999")
    raw.close()
    with pytest.raises(NewerDatabase, match=rf"version 999\b.* {known}\b"):
        async with Store.open(path):
            pass


async def test_a_failing_migration_leaves_the_version_before_it(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripts = ["CREATE TABLE one (x);", "CREATE TABLE two (x); CREATE TABLE one (x);"]
    monkeypatch.setattr(migrations, "found", lambda: scripts)
    with pytest.raises(StoreError, match="table one already exists"):
        async with Store.open(path):
            pass
    raw = sqlite3.connect(path)
    assert raw.execute("PRAGMA user_version").fetchone() == (1,)
    assert raw.execute("SELECT name FROM sqlite_master").fetchall() == [("one",)]
    raw.close()


async def test_migrations_run_only_once(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for scripts in (["CREATE TABLE one (x);"], ["CREATE TABLE one (x);", "CREATE TABLE two (x);"]):
        monkeypatch.setattr(migrations, "found", lambda scripts=scripts: scripts)
        async with Store.open(path):
            pass
    raw = sqlite3.connect(path)
    assert raw.execute("PRAGMA user_version").fetchone() == (2,)
    raw.close()


@pytest.fixture
def notes(path: Path) -> Iterator[Path]:
    """A file that is no database, and must not be touched."""
    text = b"These are notes, not a database. " * 100
    path.write_bytes(text)
    yield path
    assert path.read_bytes() == text


async def test_a_file_that_is_no_database_is_named(notes: Path) -> None:
    with pytest.raises(StoreError, match=r"quizbot\.sqlite3 is not a database.*quizbot restore"):
        async with Store.open(notes):
            pass


async def test_a_missing_folder_is_named_with_the_mend(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"does not exist.*mkdir -p .*nowhere"):
        async with Store.open(tmp_path / "nowhere" / "quizbot.sqlite3"):
            pass


async def test_a_file_in_place_of_the_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    with pytest.raises(StoreError, match="data is a file, not a folder"):
        async with Store.open(tmp_path / "data" / "quizbot.sqlite3"):
            pass


OPEN = """
import asyncio, os, sys, urllib.parse
from pathlib import Path
from bot.store import migrations
from bot.store.database import Store, StoreError
migrations.found()  # imports what it needs while it may
if os.getuid() == 0:
    os.setuid(65534)
async def main():
    async with Store.open(Path(sys.argv[1])):
        pass
try:
    asyncio.run(main())
except StoreError as error:
    print(error)
"""


def open_as_somebody_else(path: Path) -> str:
    """What a user without rights is told; the tests may well run as root."""
    run = [sys.executable, "-c", OPEN, str(path)]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def reachable(folder: Path) -> Path:
    """Opens the way down to the folder, which pytest keeps to its own user."""
    for parent in (folder, *folder.parents):
        mine = parent.stat().st_uid == os.getuid()
        if mine and parent.is_relative_to(gettempdir()) and parent != Path(gettempdir()):
            parent.chmod(0o755)
    return folder


def test_a_folder_of_somebody_elses_is_named_with_the_chown_line(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    reachable(folder)
    if os.getuid() != 0:
        folder.chmod(0o555)
    said = open_as_somebody_else(folder / "quizbot.sqlite3")
    user = 65534 if os.getuid() == 0 else os.getuid()
    assert said.startswith(f"{folder} is not writable by user {user}: run sudo chown -R {user}:")
    assert said.endswith(f" {folder}.\n")
    assert said.count("\n") == 1


def test_a_folder_behind_a_closed_door_is_named_too(tmp_path: Path) -> None:
    """A folder that can't even be looked at, as somebody else's home."""
    home = tmp_path / "home"
    (home / "data").mkdir(parents=True)
    reachable(tmp_path)
    home.chmod(0o700 if os.getuid() == 0 else 0o000)
    said = open_as_somebody_else(home / "data" / "quizbot.sqlite3")
    home.chmod(0o700)
    assert f"{home / 'data'} is not writable by user" in said


async def make(path: Path) -> None:
    async with Store.open(path):
        pass


def test_a_file_of_somebody_elses_is_named_with_the_chown_line(path: Path) -> None:
    asyncio.run(make(path))
    reachable(path.parent).chmod(0o777)
    path.chmod(0o444)
    said = open_as_somebody_else(path)
    assert f"{path} is not writable by user" in said
    assert "chown" in said


def test_the_default_folder_is_made_or_the_reason_told(tmp_path: Path) -> None:
    data_folder.make(tmp_path / "data")
    data_folder.make(tmp_path / "data")
    assert (tmp_path / "data").is_dir()
    (tmp_path / "file").write_text("")
    data_folder.make(tmp_path / "file")
    with pytest.raises(StoreError, match="can't be used"):
        data_folder.make(tmp_path / "nowhere" / "data")


async def test_a_database_locked_by_another_program_is_named(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.store.database._BUSY_TIMEOUT_S", 0.0)
    raw = sqlite3.connect(path, isolation_level=None)
    raw.execute("BEGIN EXCLUSIVE")
    with pytest.raises(StoreError, match="locked by another program"):
        async with Store.open(path):
            pass
    raw.close()


def test_times_survive_to_the_millisecond_in_any_zone() -> None:
    moment = datetime(2026, 10, 25, 2, 30, 0, 999_999, tzinfo=timezone(timedelta(hours=2)))
    assert from_ms(to_ms(moment)) == datetime(2026, 10, 25, 0, 30, 0, 999_000, tzinfo=UTC)
    assert from_ms(to_ms(datetime(1969, 12, 31, tzinfo=UTC))).year == 1969


def test_every_migration_is_numbered_in_order() -> None:
    assert "CREATE TABLE inbox" in migrations.found()[0]
