"""Attempts and their answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bot.quiz.attempt import Answer, Asked, Attempt
from bot.store.database import Reader, Transaction, from_ms, to_ms

_COLUMNS = """id, person_id, quiz_id, seed, plan, started_at, shown, asked, asked_fingerprint,
    selected, message_id, finished_at, closed_at"""


@dataclass(frozen=True, slots=True)
class Standing:
    """How a learner stands at a quiz. `newest_id` is 0 before the first attempt."""

    quiz_id: str
    newest_id: int = 0
    open: Attempt | None = None
    best: Best | None = None


@dataclass(frozen=True, slots=True)
class Best:
    """The best finished attempt, and when the last one was finished."""

    points: float
    counted: int
    last_at: datetime


async def begin(
    tx: Transaction, person_id: int, quiz_id: str, seed: int, plan: Sequence[str], now: datetime
) -> Attempt:
    """A new attempt; the one that was open, if any, is closed."""
    at = to_ms(now)
    await tx.execute(
        """UPDATE attempts SET closed_at = ? WHERE person_id = ? AND quiz_id = ?
           AND finished_at IS NULL AND closed_at IS NULL""",
        (at, person_id, quiz_id),
    )
    id_ = await tx.insert(
        """INSERT INTO attempts (person_id, quiz_id, seed, plan, started_at, shown)
           VALUES (?, ?, ?, ?, ?, 0)""",
        (person_id, quiz_id, seed, " ".join(plan), at),
    )
    return Attempt(id_, person_id, quiz_id, seed, tuple(plan), from_ms(at))


async def load(reader: Reader, attempt_id: int) -> Attempt | None:
    """The attempt with its answers, whoever's it is."""
    row = await reader.row(f"SELECT {_COLUMNS} FROM attempts WHERE id = ?", (attempt_id,))
    return None if row is None else await _attempt(reader, row)


async def save(tx: Transaction, attempt: Attempt, *new: Answer) -> None:
    """The attempt as it stands now, with its new answers.

    Raises sqlite3.IntegrityError for a second answer to a question: the first one stands.
    """
    for answer in new:
        credit, at = answer.credit, to_ms(answer.at)
        chosen = " ".join(sorted(answer.chosen))
        await tx.execute(
            "INSERT INTO answers VALUES (?, ?, ?, ?, ?, ?)",
            (attempt.id, answer.question_id, answer.fingerprint, chosen, credit, at),
        )
    asked = attempt.asked
    await tx.execute(
        """UPDATE attempts SET shown = ?, asked = ?, asked_fingerprint = ?, selected = ?,
           message_id = ?, finished_at = ?, points = ?, counted = ? WHERE id = ?""",
        (
            attempt.shown,
            asked.question_id if asked else None,
            asked.fingerprint if asked else None,
            " ".join(sorted(asked.selected)) if asked else "",
            attempt.message_id,
            to_ms(attempt.finished_at) if attempt.finished_at else None,
            attempt.points,
            attempt.counted,
            attempt.id,
        ),
    )


async def sent(tx: Transaction, attempt_id: int, shown: int, message_id: int) -> None:
    """The message that the `shown`-th question of the attempt became."""
    await tx.execute(
        "UPDATE attempts SET message_id = ? WHERE id = ? AND shown = ?",
        (message_id, attempt_id, shown),
    )


async def newest_id(reader: Reader, person_id: int, quiz_id: str) -> int:
    """The person's newest attempt at the quiz, 0 if there is none."""
    row = await reader.row(
        "SELECT max(id) FROM attempts WHERE person_id = ? AND quiz_id = ?", (person_id, quiz_id)
    )
    return (row[0] or 0) if row else 0


async def open_ones(reader: Reader, person_id: int) -> list[Attempt]:
    """The person's open attempts, the one gone on with last first."""
    rows = await reader.rows(
        f"""SELECT {_COLUMNS} FROM attempts
            WHERE person_id = ? AND finished_at IS NULL AND closed_at IS NULL
            ORDER BY coalesce(
                (SELECT max(answered_at) FROM answers WHERE attempt_id = attempts.id), started_at
            ) DESC, id DESC""",
        (person_id,),
    )
    return [await _attempt(reader, row) for row in rows]


async def standing(reader: Reader, person_id: int, quiz_id: str) -> Standing:
    """How the person stands at one quiz."""
    return (await standings(reader, person_id)).get(quiz_id, Standing(quiz_id))


async def standings(reader: Reader, person_id: int) -> dict[str, Standing]:
    """How the person stands at every quiz ever begun, by quiz id."""
    rows = await reader.rows(
        """SELECT quiz_id, max(id), max(finished_at) FROM attempts
           WHERE person_id = ? GROUP BY quiz_id""",
        (person_id,),
    )
    open_ = {attempt.quiz_id: attempt for attempt in await open_ones(reader, person_id)}
    best = await _best(reader, person_id)
    return {
        quiz_id: Standing(
            quiz_id,
            newest,
            open_.get(quiz_id),
            Best(*best[quiz_id], from_ms(last)) if quiz_id in best else None,
        )
        for quiz_id, newest, last in rows
    }


async def _best(reader: Reader, person_id: int) -> dict[str, tuple[float, int]]:
    """Points and number of counted questions of the best finished attempt at each quiz."""
    rows = await reader.rows(
        """SELECT quiz_id, points, counted FROM attempts
           WHERE person_id = ? AND finished_at IS NOT NULL AND counted > 0
           ORDER BY points / counted, points""",
        (person_id,),
    )
    return {quiz_id: (points, counted) for quiz_id, points, counted in rows}


async def export(reader: Reader, person_id: int) -> list[dict[str, Any]]:
    """Everything kept of the person's attempts, oldest first, ready for JSON."""
    rows = await reader.rows(
        f"SELECT {_COLUMNS} FROM attempts WHERE person_id = ? ORDER BY id", (person_id,)
    )
    return [_exported(await _attempt(reader, row)) for row in rows]


def _exported(attempt: Attempt) -> dict[str, Any]:
    return {
        "quiz": attempt.quiz_id,
        "started_at": attempt.started_at.isoformat(),
        "finished_at": attempt.finished_at.isoformat() if attempt.finished_at else None,
        "closed_at": attempt.closed_at.isoformat() if attempt.closed_at else None,
        "option_order_seed": attempt.seed,
        "questions": list(attempt.plan),
        "points": attempt.points,
        "selected": sorted(attempt.asked.selected) if attempt.asked else [],
        "answers": [
            {
                "question": answer.question_id,
                "version": answer.fingerprint,
                "chosen": sorted(answer.chosen),
                "credit": answer.credit,
                "answered_at": answer.at.isoformat(),
            }
            for answer in attempt.answers.values()
        ],
    }


async def _attempt(reader: Reader, row: Sequence[Any]) -> Attempt:
    (id_, person_id, quiz_id, seed, plan, started_at, shown, *asked, message_id, ended, closed) = (
        row
    )
    return Attempt(
        id_,
        person_id,
        quiz_id,
        seed,
        tuple(plan.split()),
        from_ms(started_at),
        shown,
        Asked(asked[0], asked[1], frozenset(asked[2].split())) if asked[0] else None,
        message_id,
        from_ms(ended) if ended else None,
        from_ms(closed) if closed else None,
        await _answers(reader, id_),
    )


async def _answers(reader: Reader, attempt_id: int) -> dict[str, Answer]:
    rows = await reader.rows(
        """SELECT question_id, fingerprint, chosen, credit, answered_at FROM answers
           WHERE attempt_id = ? ORDER BY answered_at, question_id""",
        (attempt_id,),
    )
    return {
        question_id: Answer(
            question_id, fingerprint, frozenset(chosen.split()), credit, from_ms(at)
        )
        for question_id, fingerprint, chosen, credit, at in rows
    }
