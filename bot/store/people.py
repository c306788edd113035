"""People: what is kept of those who talk to the bot."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from bot.store.database import Reader, Transaction, from_ms, to_ms


@dataclass(frozen=True, slots=True)
class Person:
    """Someone who talks to the bot."""

    id: int
    locale: str | None
    language_code: str | None
    created_at: datetime

    @property
    def wanted(self) -> str | None:
        """The language wanted: the stored choice beats what Telegram says."""
        return self.locale or self.language_code


async def meet(
    tx: Transaction, person_id: int, language_code: str | None, now: datetime
) -> Person:
    """The person, made on first contact; the language code is kept as last seen."""
    row = await tx.row(
        "SELECT locale, language_code, created_at FROM people WHERE id = ?", (person_id,)
    )
    if row is None:
        await tx.execute(
            "INSERT INTO people (id, language_code, created_at) VALUES (?, ?, ?)",
            (person_id, language_code, to_ms(now)),
        )
        return Person(person_id, None, language_code, now)
    locale, known, created_at = row
    if language_code is not None and language_code != known:
        await tx.execute(
            "UPDATE people SET language_code = ? WHERE id = ?", (language_code, person_id)
        )
        known = language_code
    return Person(person_id, locale, known, from_ms(created_at))


async def speak(tx: Transaction, person_id: int, locale: str) -> None:
    """The person's choice of language, from now on."""
    await tx.execute("UPDATE people SET locale = ? WHERE id = ?", (locale, person_id))


async def forget(tx: Transaction, person_id: int) -> None:
    """Erases the person with all attempts and answers (ON DELETE CASCADE)."""
    await tx.execute("DELETE FROM people WHERE id = ?", (person_id,))


async def wanted(reader: Reader, person_id: int) -> str | None:
    """The language wanted by a person who may be unknown."""
    row = await reader.row("SELECT locale, language_code FROM people WHERE id = ?", (person_id,))
    return None if row is None else row[0] or row[1]
