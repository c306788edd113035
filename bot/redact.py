"""Keeps secrets out of everything that is written: the bot token above all.

Libraries log URLs, and the token is part of every URL; their exceptions quote it, chained ones
too. So the finished text is cleaned, not the parts it is made of.
"""

from __future__ import annotations

import re
from functools import partial
from urllib.parse import quote, quote_plus

MASK = "[secret]"

# Shorter halves are words, as in the token of a demo: masking them would garble every line.
_SHORTEST_HALF = 8


class Redactor:
    """Masks the secrets, a token's secret half alone too, as they are and URL-encoded."""

    def __init__(self, *secrets: str) -> None:
        forms = {form for secret in secrets if secret for form in _forms(secret)}
        # The longest first: a whole token is masked as one.
        ordered = sorted(forms, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, ordered)), re.I) if ordered else None

    def clean(self, text: str) -> str:
        """The text with each secret masked."""
        return text if self._pattern is None else self._pattern.sub(MASK, text)


def _forms(secret: str) -> set[str]:
    _, colon, half = secret.partition(":")
    parts = [secret, half] if colon and len(half) >= _SHORTEST_HALF else [secret]
    encodings = (str, quote, partial(quote, safe=""), quote_plus)
    return {encode(part) for part in parts for encode in encodings}
