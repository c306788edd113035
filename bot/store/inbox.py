"""The inbox: what becomes of each update, from its arrival until no duplicate can come any more.

    received ──apply──▶ applied ──done──▶ done        (25 hours; only the update id is left)
        └───────set_aside──▶ aside                    (7 days, whole, to be looked into)

`received` is committed before the update is confirmed to Telegram. `applied` is committed in the
handler's own transaction, with the calls it wants made: no handler takes effect twice. Duplicates
are recognised by their id, never by "the highest id so far": ids jump after a quiet week.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.store.database import Reader, Transaction, to_ms

# Telegram keeps what it could not deliver for 24 hours.
DONE_KEPT = timedelta(hours=25)
ASIDE_KEPT = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Arrival:
    """An update as it came in; `payload` is its JSON text."""

    update_id: int
    person_id: int | None
    payload: str


@dataclass(frozen=True, slots=True)
class Unfinished:
    """An update that a previous run left behind. `calls` is None if it was not applied yet."""

    update_id: int
    payload: str
    calls: str | None


async def receive(tx: Transaction, arrivals: Sequence[Arrival], now: datetime) -> set[int]:
    """Keeps the updates; returns the ids of those never seen before."""
    if not arrivals:
        return set()
    at = to_ms(now)
    values = ", ".join(["(?, ?, ?, ?)"] * len(arrivals))
    rows = await tx.rows(
        f"""INSERT INTO inbox (update_id, person_id, received_at, payload) VALUES {values}
            ON CONFLICT (update_id) DO NOTHING RETURNING update_id""",
        [field for a in arrivals for field in (a.update_id, a.person_id, at, a.payload)],
    )
    return {update_id for (update_id,) in rows}


async def apply(tx: Transaction, update_id: int, calls: str) -> bool:
    """Marks the update as applied, with its calls as JSON text. False: it is not waiting to be
    applied, so the caller must undo what it did."""
    changed = await tx.execute(
        "UPDATE inbox SET state = 'applied', calls = ? WHERE update_id = ? AND state = 'received'",
        (calls, update_id),
    )
    return changed == 1


async def applied_calls(reader: Reader, update_id: int) -> str | None:
    """The calls stored by `apply` if the update is applied and not done; else None."""
    row = await reader.row(
        "SELECT calls FROM inbox WHERE update_id = ? AND state = 'applied'", (update_id,)
    )
    return None if row is None else row[0]


async def done(tx: Transaction, update_ids: Iterable[int]) -> None:
    """Empties the rows: what is left is the id, to recognise duplicates."""
    ids = list(update_ids)
    marks = ", ".join("?" * len(ids))
    await tx.execute(
        f"""UPDATE inbox SET state = 'done', person_id = NULL, payload = NULL, calls = NULL,
               kept_until = received_at + ?
            WHERE update_id IN ({marks}) AND state IN ('received', 'applied')""",
        (DONE_KEPT // timedelta(milliseconds=1), *ids),
    )


async def failed(tx: Transaction, update_id: int) -> int | None:
    """Counts a failed try; returns how many there were. None: it is not waiting to be applied."""
    rows = await tx.rows(
        """UPDATE inbox SET tries = tries + 1 WHERE update_id = ? AND state = 'received'
           RETURNING tries""",
        (update_id,),
    )
    return rows[0][0] if rows else None


async def set_aside(tx: Transaction, update_id: int, now: datetime) -> None:
    """Gives the update up, but keeps it whole for a while."""
    await tx.execute(
        """UPDATE inbox SET state = 'aside', kept_until = ?
           WHERE update_id = ? AND state = 'received'""",
        (to_ms(now + ASIDE_KEPT), update_id),
    )


async def unfinished(reader: Reader) -> list[Unfinished]:
    """What a previous run left behind, in order of arrival."""
    rows = await reader.rows(
        "SELECT update_id, payload, calls FROM inbox WHERE kept_until IS NULL ORDER BY seq"
    )
    return [Unfinished(*row) for row in rows]


async def sweep(tx: Transaction, now: datetime) -> int:
    """Deletes what need not be kept any longer; returns how many rows."""
    return await tx.execute("DELETE FROM inbox WHERE kept_until < ?", (to_ms(now),))


async def held(reader: Reader, person_id: int) -> list[str]:
    """The updates of a person that are still kept whole, as JSON texts."""
    rows = await reader.rows(
        "SELECT payload FROM inbox WHERE person_id = ? AND payload IS NOT NULL ORDER BY seq",
        (person_id,),
    )
    return [payload for (payload,) in rows]


async def forget(tx: Transaction, person_id: int) -> None:
    """Deletes what was set aside of a person; rows that are done hold nothing of anybody."""
    await tx.execute("DELETE FROM inbox WHERE person_id = ? AND state = 'aside'", (person_id,))
