"""What a person sees: the screen without the invisible marks that keep directions apart."""

from __future__ import annotations

import re

from tests.people import Person

_INVISIBLE = re.compile("[\u200f\u2068\u2069]")


def seen(person: Person) -> list[str]:
    """The lines of the newest message of the bot."""
    return plain(person.screen).splitlines()


def plain(text: str) -> str:
    """The text as it looks."""
    return _INVISIBLE.sub("", text)
