"""Numbered SQL files beside this one, each run once, in order, together with its number.

The number of the last one run is the database's `PRAGMA user_version`: it lies in the file itself,
so a restored backup and its version can't disagree.
"""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import aiosqlite

from bot.store.folder import NewerDatabase


async def run(connection: aiosqlite.Connection, path: Path) -> None:
    """Brings the database up to this code. Raises NewerDatabase if it is ahead of it."""
    scripts = found()
    version = await _version(connection)
    if version > len(scripts):
        raise NewerDatabase(
            f"{path} is at version {version}, and this quizbot knows only up to version "
            f"{len(scripts)}: install the quizbot that wrote it, or a newer one."
        )
    for number, sql in enumerate(scripts[version:], start=version + 1):
        await _run_one(connection, number, sql)


def found() -> list[str]:
    """The SQL files' texts in order; also from an installed wheel."""
    folder = resources.files(__name__)
    files = sorted((f for f in folder.iterdir() if f.name.endswith(".sql")), key=lambda f: f.name)
    numbers = [int(file.name.split("_")[0]) for file in files]
    if numbers != list(range(1, len(files) + 1)):
        raise RuntimeError(f"migrations must be numbered 1, 2, 3 …, not {numbers}")
    return [file.read_text(encoding="utf-8") for file in files]


async def _version(connection: aiosqlite.Connection) -> int:
    [(version,)] = await connection.execute_fetchall("PRAGMA user_version")
    return int(version)


async def _run_one(connection: aiosqlite.Connection, number: int, sql: str) -> None:
    script = f"BEGIN IMMEDIATE;\n{sql}\n;PRAGMA user_version = {number};\nCOMMIT;"
    try:
        await connection.executescript(script)
    finally:
        if connection.in_transaction:
            await connection.rollback()
