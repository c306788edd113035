"""What the database holds, read from outside while the bot may be running."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any


def rows(database: Path, sql: str, *params: Any) -> list[tuple[Any, ...]]:
    """All rows of the query."""
    with closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)) as connection:
        return connection.execute(sql, params).fetchall()


def attempts(database: Path, person_id: int) -> list[int]:
    """The ids of the person's attempts, oldest first."""
    found = rows(database, "SELECT id FROM attempts WHERE person_id = ? ORDER BY id", person_id)
    return [id_ for (id_,) in found]


def answers(database: Path, attempt_id: int) -> dict[str, str]:
    """The options chosen, by question."""
    sql = "SELECT question_id, chosen FROM answers WHERE attempt_id = ?"
    return dict(rows(database, sql, attempt_id))


def points(database: Path, attempt_id: int) -> float:
    """What the answers earned."""
    [(found,)] = rows(
        database, "SELECT total(credit) FROM answers WHERE attempt_id = ?", attempt_id
    )
    return float(found)


def unfinished(database: Path) -> list[tuple[Any, ...]]:
    """Updates of which something is left to do."""
    return rows(database, "SELECT * FROM inbox WHERE kept_until IS NULL")


def about(database: Path, person_id: int) -> dict[str, Sequence[tuple[Any, ...]]]:
    """The rows that have the person's id in any column, by table."""
    tables = rows(database, "SELECT name FROM sqlite_master WHERE type = 'table'")
    found = {
        table: [
            row
            for row in rows(database, f'SELECT * FROM "{table}"')
            if any(str(person_id) in str(value) for value in row)
        ]
        for (table,) in tables
    }
    return {table: theirs for table, theirs in found.items() if theirs}
