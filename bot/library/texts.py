"""Texts as a reader sees them: what is blank, what looks the same, what is a whole word."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Mapping
from difflib import get_close_matches
from functools import lru_cache

from bot.markup import plain

_FILLERS = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # letters and signs that show nothing
_ZERO_WIDTH = re.compile("[\u00ad\u200b\u2060]")


def is_blank(text: str) -> bool:
    """Whether there is nothing to see: spaces, joiners and fillers are nothing."""
    if text[:1].isalnum() and text[0] not in _FILLERS:
        return False
    return all(
        character in _FILLERS or unicodedata.category(character)[0] in "ZC"
        for character in plain(text)
    )


def looks(text: str) -> str:
    """Two texts with the same looks can't be told apart as options.

    Markup, case, width and the amount of space make no difference.
    """
    visible = _ZERO_WIDTH.sub("", unicodedata.normalize("NFKC", plain(text)))
    return " ".join(visible.split()).casefold()


def shown(text: str) -> str:
    """A text quoted in a message to an author."""
    line = " ".join(text.split())
    return f"“{line if len(line) <= 40 else line[:39] + '…'}”"


def did_you_mean(word: str, known: list[str]) -> str:
    """A sentence with the nearest known words, or with all of them."""
    near = get_close_matches(word.lower(), known, n=1)
    return f"Did you mean {near[0]}?" if near else f"Known here: {', '.join(known)}."


@lru_cache(maxsize=4096)  # the same source is compared with each of its translations
def terms_in(text: str, terms: tuple[str, ...]) -> tuple[str, ...]:
    """Those of the terms that stand in the text."""
    return tuple(term for term in terms if has_term(text, term))


def has_term(text: str, term: str) -> bool:
    """Whether the term stands in the text as a whole word, with its case.

    A letter of another script beside it doesn't make it longer: CSV stands whole in CSVファイル.
    """
    at = text.find(term)
    while at != -1:
        before, after = text[at - 1 : at], text[at + len(term) : at + len(term) + 1]
        if not _continues(before, term[0]) and not _continues(term[-1], after):
            return True
        at = text.find(term, at + 1)
    return False


def _continues(left: str, right: str) -> bool:
    """Whether two neighbouring characters are of one word."""
    if not left or not right or not (left.isalnum() and right.isalnum()):
        return False
    return _latin(left) == _latin(right)


def _latin(character: str) -> bool:
    return character < "\u0250" or "\u1e00" <= character < "\u1f00"


def source_hash(question: str, options: Mapping[str, str], explanation: str, alt: str) -> str:
    """What a translation's `source:` holds: 8 hex digits of the texts it was made from.

    The order of the options makes no difference.
    """
    what = json.dumps([question, sorted(options.items()), explanation, alt])
    return hashlib.blake2s(what.encode(), digest_size=4).hexdigest()
