"""The SQLite file: one connection that writes, one that only reads what is committed.

On one shared connection a coroutine's rollback would erase another's insert, and a read would see
rows that are not committed yet: a verdict before its answer is stored. So every write happens in
`Store.transaction()`, one at a time, and everything else reads through `Store.read()`.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import aiosqlite

from bot.store import folder, migrations
from bot.store.folder import NewerDatabase, StoreError

__all__ = ["NewerDatabase", "Reader", "Store", "StoreError", "Transaction", "from_ms", "to_ms"]

SqlValue = str | int | float | bytes | None
Params = Sequence[SqlValue] | Mapping[str, SqlValue]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
_BUSY_TIMEOUT_S = 5.0


def to_ms(moment: datetime) -> int:
    """Whole milliseconds since 1970, UTC; what is finer is cut off. `moment` must be aware."""
    return (moment - _EPOCH) // _MILLISECOND


def from_ms(milliseconds: int) -> datetime:
    """The aware UTC time that `to_ms` made."""
    return _EPOCH + milliseconds * _MILLISECOND


class Reader:
    """Queries. Good only inside the block that gave it out."""

    __slots__ = ("_connection",)

    def __init__(self, connection: aiosqlite.Connection) -> None:
        self._connection: aiosqlite.Connection | None = connection

    async def rows(self, sql: str, params: Params = ()) -> list[sqlite3.Row]:
        """All rows of the query."""
        return list(await self._open().execute_fetchall(sql, params))

    async def row(self, sql: str, params: Params = ()) -> sqlite3.Row | None:
        """The first row of the query, if any."""
        rows = await self.rows(sql, params)
        return rows[0] if rows else None

    def _open(self) -> aiosqlite.Connection:
        if self._connection is None:
            raise RuntimeError("used after its block had ended")
        return self._connection

    def _end(self) -> None:
        self._connection = None


class Transaction(Reader):
    """Queries and changes; the changes last if the block ends well."""

    __slots__ = ()

    async def execute(self, sql: str, params: Params = ()) -> int:
        """How many rows were changed."""
        return (await self._open().execute(sql, params)).rowcount

    async def insert(self, sql: str, params: Params = ()) -> int:
        """The id of the row inserted."""
        id_ = (await self._open().execute(sql, params)).lastrowid
        if id_ is None:
            raise RuntimeError("not an INSERT")
        return id_


class Store:
    """The open database."""

    def __init__(self, writer: aiosqlite.Connection, reader: aiosqlite.Connection) -> None:
        self._writing = _Turns(writer, "BEGIN IMMEDIATE", "COMMIT")
        # Nothing to undo after reading, but a snapshot has an end.
        self._reading = _Turns(reader, "BEGIN", "ROLLBACK")

    @classmethod
    @asynccontextmanager
    async def open(cls, path: Path) -> AsyncIterator[Store]:
        """Opens the file, made and migrated as needed. Raises StoreError."""
        folder.check(path.parent)
        uri = path.resolve().as_uri()  # noqa: ASYNC240  (once, at the start)
        async with AsyncExitStack() as stack:
            try:
                writer = await stack.enter_async_context(_connect(f"{uri}?mode=rwc"))
                await _prepare(writer)
                await migrations.run(writer, path)
                reader = await stack.enter_async_context(_connect(f"{uri}?mode=ro"))
            except sqlite3.Error as error:
                raise _explain(error, path) from error
            yield cls(writer, reader)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Transaction]:
        """Everything in the block lasts, durably, or nothing does: on any exception and on
        cancellation it is undone. Blocks run one at a time; nesting them is an error."""
        async with self._writing.take() as connection:
            tx = Transaction(connection)
            try:
                yield tx
            finally:
                tx._end()

    @asynccontextmanager
    async def read(self) -> AsyncIterator[Reader]:
        """A snapshot of what is committed, the same for all queries of the block."""
        async with self._reading.take() as connection:
            reader = Reader(connection)
            try:
                yield reader
            finally:
                reader._end()


class _Turns:
    """One connection, used by one block at a time, each a transaction of its own."""

    def __init__(self, connection: aiosqlite.Connection, begin: str, end: str) -> None:
        self._connection, self._begin, self._end = connection, begin, end
        self._lock = asyncio.Lock()
        self._holder: asyncio.Task[Any] | None = None

    @asynccontextmanager
    async def take(self) -> AsyncIterator[aiosqlite.Connection]:
        task = asyncio.current_task()
        if task is not None and self._holder is task:
            raise RuntimeError("a block inside a block of the same kind would wait for ever")
        async with self._lock:
            self._holder = task
            try:
                async with self._transaction():
                    yield self._connection
            finally:
                self._holder = None

    @asynccontextmanager
    async def _transaction(self) -> AsyncIterator[None]:
        try:
            await _to_the_end(self._connection.execute(self._begin))
            yield
            await _to_the_end(self._connection.execute(self._end))
        finally:
            # Statements still under way when the block was cancelled run before this one: the
            # connection's thread takes them in order.
            if self._connection.in_transaction:
                await _to_the_end(self._connection.rollback())


async def _to_the_end(statement: Awaitable[Any]) -> None:
    """Waits for the statement even while being cancelled, and is cancelled only then: nobody may
    take the connection while it is unknown whether a transaction is open."""
    running = asyncio.ensure_future(statement)
    cancelled: asyncio.CancelledError | None = None
    while not running.done():
        try:
            await asyncio.wait((running,))
        except asyncio.CancelledError as error:
            cancelled = error
    running.result()
    if cancelled is not None:
        raise cancelled


@asynccontextmanager
async def _connect(uri: str) -> AsyncIterator[aiosqlite.Connection]:
    # Where this fails, aiosqlite would leave a thread behind that outlives the event loop.
    sqlite3.connect(uri, uri=True).close()
    async with aiosqlite.connect(
        uri, uri=True, isolation_level=None, timeout=_BUSY_TIMEOUT_S
    ) as connection:
        connection.row_factory = aiosqlite.Row
        yield connection


async def _prepare(writer: aiosqlite.Connection) -> None:
    for pragma in (
        "journal_mode = WAL",
        "synchronous = FULL",
        "foreign_keys = ON",
        "secure_delete = ON",  # what is erased is overwritten, not only unlinked
    ):
        await writer.execute_fetchall(f"PRAGMA {pragma}")
    # SQLite opens a file that it may not write without a word: only writing tells.
    [(version,)] = await writer.execute_fetchall("PRAGMA user_version")
    await writer.execute_fetchall(f"PRAGMA user_version = {version}")


def _explain(error: sqlite3.Error, path: Path) -> StoreError:
    """The sentence for what SQLite said at opening."""
    match getattr(error, "sqlite_errorcode", None):
        case sqlite3.SQLITE_NOTADB | sqlite3.SQLITE_CORRUPT:
            return StoreError(
                f"{path} is not a database, or damaged: move it away, or put a backup in its "
                "place (quizbot restore)."
            )
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return StoreError(f"{path} is locked by another program: close what has it open.")
        case sqlite3.SQLITE_FULL:
            return StoreError(f"The disk holding {path} is full: make room on it.")
        case sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            return folder.not_writable(path)
    if "readonly" in str(error):
        return folder.not_writable(path)
    return StoreError(f"{path} can't be opened ({error}): run quizbot doctor.")
