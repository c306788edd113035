"""Attempts and their answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bot.quiz.attempt import Answer, Asked, Attempt, Best
from bot.store.database import Reader, Transaction, from_ms, to_ms

_COLUMNS = """id, person_id, quiz_id, seed, plan, started_at, shown, shown_at, asked,
    asked_fingerprint, selected, message_id, explained_id, finished_at, closed_at"""
_WIDTH = _COLUMNS.count(",") + 1


@dataclass(frozen=True, slots=True)
class Standing:
    """How a learner stands at a quiz. `newest_id` is 0 before the first attempt."""

    newest_id: int = 0
    open: Attempt | None = None
    best: Best | None = None


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
    rows = await reader.rows(
        f"""SELECT {_COLUMNS}, question_id, fingerprint, chosen, credit, answered_at
            FROM attempts LEFT JOIN answers ON attempt_id = id
            WHERE id = ? ORDER BY answered_at, question_id""",
        (attempt_id,),
    )
    answers = {row[_WIDTH]: _answer(row[_WIDTH:]) for row in rows if row[_WIDTH] is not None}
    return _attempt(rows[0][:_WIDTH], answers) if rows else None


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
        """UPDATE attempts SET shown = ?, shown_at = ?, asked = ?, asked_fingerprint = ?,
           selected = ?, message_id = ?, explained_id = ?, finished_at = ?, points = ?,
           counted = ? WHERE id = ?""",
        (
            attempt.shown,
            to_ms(attempt.shown_at) if attempt.shown_at else None,
            asked.question_id if asked else None,
            asked.fingerprint if asked else None,
            " ".join(sorted(asked.selected)) if asked else "",
            attempt.message_id,
            attempt.explained_id,
            to_ms(attempt.finished_at) if attempt.finished_at else None,
            attempt.points,
            attempt.counted,
            attempt.id,
        ),
    )


async def sent(tx: Transaction, attempt_id: int, shown: int, message_id: int) -> None:
    """The message that the `shown`-th question, or the result, of the attempt became."""
    await tx.execute(
        "UPDATE attempts SET message_id = ? WHERE id = ? AND shown = ?",
        (message_id, attempt_id, shown),
    )


async def explained(tx: Transaction, attempt_id: int, shown: int, message_id: int) -> None:
    """The message that the explanation of the `shown`-th question became."""
    await tx.execute(
        "UPDATE attempts SET explained_id = ? WHERE id = ? AND shown = ?",
        (message_id, attempt_id, shown),
    )


async def any_of(reader: Reader, person_id: int) -> bool:
    """Whether the person ever began a quiz."""
    row = await reader.row("SELECT 1 FROM attempts WHERE person_id = ? LIMIT 1", (person_id,))
    return row is not None


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
    return [_attempt(row, await _answers(reader, row[0])) for row in rows]


async def standing(reader: Reader, person_id: int, quiz_id: str) -> Standing:
    """How the person stands at one quiz."""
    return (await standings(reader, person_id)).get(quiz_id, Standing())


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
    answers: dict[int, dict[str, Answer]] = {}
    for attempt_id, *answer in await reader.rows(
        """SELECT attempt_id, question_id, fingerprint, chosen, credit, answered_at FROM answers
           WHERE attempt_id IN (SELECT id FROM attempts WHERE person_id = ?)
           ORDER BY attempt_id, answered_at""",
        (person_id,),
    ):
        answers.setdefault(attempt_id, {})[answer[0]] = _answer(answer)
    rows = await reader.rows(
        f"SELECT {_COLUMNS} FROM attempts WHERE person_id = ? ORDER BY id", (person_id,)
    )
    return [_exported(_attempt(row, answers.get(row[0], {}))) for row in rows]


def _exported(attempt: Attempt) -> dict[str, Any]:
    asked = attempt.asked
    return {
        "quiz": attempt.quiz_id,
        "started_at": _iso(attempt.started_at),
        "finished_at": _iso(attempt.finished_at),
        "started_over_at": _iso(attempt.closed_at),
        "option_order_seed": attempt.seed,
        "questions": list(attempt.plan),
        "points": attempt.points,
        "counted": attempt.counted,
        "messages_shown": attempt.shown,
        "last_shown_at": _iso(attempt.shown_at),
        "question_message_id": attempt.message_id,
        "explanation_message_id": attempt.explained_id,
        "question_on_screen": asked.question_id if asked else None,
        "version_on_screen": asked.fingerprint if asked else None,
        "selected": sorted(asked.selected) if asked else [],
        "answers": [
            {
                "question": answer.question_id,
                "version": answer.fingerprint,
                "chosen": sorted(answer.chosen),
                "credit": answer.credit,
                "answered_at": _iso(answer.at),
            }
            for answer in attempt.answers.values()
        ],
    }


def _iso(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None


def _attempt(row: Sequence[Any], answers: dict[str, Answer]) -> Attempt:
    id_, person_id, quiz_id, seed, plan, started_at, shown, shown_at, *asked = row[:11]
    message_id, explained_id, finished_at, closed_at = row[11:]
    return Attempt(
        id=id_,
        person_id=person_id,
        quiz_id=quiz_id,
        seed=seed,
        plan=tuple(plan.split()),
        started_at=from_ms(started_at),
        shown=shown,
        shown_at=from_ms(shown_at) if shown_at else None,
        asked=Asked(asked[0], asked[1], frozenset(asked[2].split())) if asked[0] else None,
        message_id=message_id,
        explained_id=explained_id,
        finished_at=from_ms(finished_at) if finished_at else None,
        closed_at=from_ms(closed_at) if closed_at else None,
        answers=answers,
    )


async def _answers(reader: Reader, attempt_id: int) -> dict[str, Answer]:
    rows = await reader.rows(
        """SELECT question_id, fingerprint, chosen, credit, answered_at FROM answers
           WHERE attempt_id = ? ORDER BY answered_at, question_id""",
        (attempt_id,),
    )
    return {row[0]: _answer(row) for row in rows}


def _answer(row: Sequence[Any]) -> Answer:
    question_id, fingerprint, chosen, credit, at = row
    return Answer(question_id, fingerprint, frozenset(chosen.split()), credit, from_ms(at))
