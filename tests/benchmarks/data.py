"""Quiz files, and a database that many people have used."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

QUESTIONS = 10
_IDS = [f"q{n}" for n in range(1, QUESTIONS + 1)]
_T0 = 1_700_000_000_000


def write_quiz(folder: Path, quiz_id: str = "bench", languages: int = 1) -> None:
    """Ten questions of four options in so many languages."""
    folder = folder / quiz_id
    folder.mkdir(parents=True)
    (folder / "quiz.yaml").write_text(_source(quiz_id), encoding="utf-8")
    for locale in LOCALES[: languages - 1]:
        (folder / f"{locale}.yaml").write_text(_translation(quiz_id, locale), encoding="utf-8")


LOCALES = [
    "hi",
    "vi",
    "de",
    "fr",
    "es",
    "it",
    "nl",
    "pl",
    "pt",
    "ru",
    "uk",
    "tr",
    "ja",
    "ko",
    "id",
    "sv",
    "da",
    "fi",
    "cs",
]


def _source(quiz_id: str) -> str:
    parts = [f"title: Quiz {quiz_id}\nlocale: en\nquestions:"]
    for n, id_ in enumerate(_IDS):
        parts.append(
            f"  - id: {id_}\n    question: Which command of number {n} undoes a commit?\n"
            f"    options:\n      a: git revert {n}\n      b: git reset {n}\n"
            f"      c: git rm {n}\n      d: git restore {n}\n    answer: b\n"
            f"    explanation: It records the opposite of number {n} as a new commit."
        )
    return "\n".join(parts) + "\n"


def _translation(quiz_id: str, locale: str) -> str:
    parts = [f"title: Quiz {quiz_id} {locale}\nquestions:"]
    for n, id_ in enumerate(_IDS):
        parts.append(
            f"  {id_}:\n    question: Welcher Befehl {n} {locale} macht etwas rückgängig?\n"
            f"    options:\n      a: Befehl eins {n}\n      b: Befehl zwei {n}\n"
            f"      c: Befehl drei {n}\n      d: Befehl vier {n}\n"
            f"    explanation: Er schreibt das Gegenteil von {n} als neuen Eintrag."
        )
    return "\n".join(parts) + "\n"


def fill(path: Path, people: int, answers: int) -> float:
    """As if so many people had given so many answers; returns the bytes that an answer takes."""
    attempts_each = max(1, answers // people // QUESTIONS)
    before = path.stat().st_size
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA synchronous = OFF")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        db.executemany(
            "INSERT INTO people (id, language_code, created_at) VALUES (?, 'en', ?)",
            ((10**9 + n, _T0) for n in range(people)),
        )
        db.executemany(
            """INSERT INTO attempts (id, person_id, quiz_id, seed, plan, started_at, shown,
               shown_at, message_id, explained_id, finished_at, points, counted)
               VALUES (?, ?, 'bench', ?, ?, ?, 11, ?, 77, 78, ?, 5, 10)""",
            _attempts(people, attempts_each),
        )
        count = people * attempts_each
        db.executemany("INSERT INTO answers VALUES (?, ?, ?, ?, ?, ?)", _answers(count))
        db.commit()
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return (path.stat().st_size - before) / (count * QUESTIONS)


def _attempts(people: int, each: int) -> Iterator[tuple[object, ...]]:
    plan = " ".join(_IDS)
    for n in range(people * each):
        at = _T0 + n * 1000
        yield n + 1, 10**9 + n % people, n * 2654435761 % 2**32, plan, at, at, at


def _answers(attempts: int) -> Iterator[tuple[object, ...]]:
    for n in range(1, attempts + 1):
        for k, id_ in enumerate(_IDS):
            credit = float((n + k) % 2)
            yield n, id_, "a1b2c3d4e5f60718", "abcd"[(n + k) % 4], credit, _T0 + n * 1000 + k
