"""How languages are written in file names and under `locale`."""

from __future__ import annotations

import re
from functools import cache

from babel import Locale

_LOCALE = re.compile(
    r"(?P<language>[a-z]{2,3})(?:[-_](?P<script>[a-z]{4}))?(?:[-_](?P<region>[a-z]{2}|\d{3}))?",
    re.IGNORECASE | re.ASCII,
)

# Country codes that are often taken for the language's.
_COUNTRIES = {"cn": "zh", "cz": "cs", "dk": "da", "gr": "el", "jp": "ja", "ua": "uk", "vn": "vi"}


def normalised(text: str) -> str | None:
    """`pt-br` and `pt_BR` as `pt_BR`; None if it is no language."""
    found = _LOCALE.fullmatch(text)
    if not found:
        return None
    script, region = found["script"] or "", found["region"] or ""
    parts = [found["language"].lower(), script.title(), region.upper()]
    return "_".join(part for part in parts if part)


def has_name(locale: str) -> bool:
    """Whether the language is one that people call by a name."""
    return locale.partition("_")[0] in _names()


def likely(locale: str) -> str:
    """What was meant by a language that has no name, as a sentence."""
    meant = _COUNTRIES.get(locale.partition("_")[0])
    return f"Did you mean {meant}?" if meant else "Use the language's code, such as hi or pt_BR."


@cache
def _names() -> frozenset[str]:
    return frozenset(Locale("en").languages)
