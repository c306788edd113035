"""One language of the interface: its words, plurals, numbers, dates and letters."""

from __future__ import annotations

import datetime as dt
import logging
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache
from gettext import NullTranslations

from babel.core import Locale
from babel.dates import format_date
from babel.lists import format_list
from babel.numbers import format_decimal, format_percent
from babel.units import format_unit

from bot.i18n.tags import direction_mark

FSI, PDI = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"
LATIN_LETTERS = tuple("ABCDEFGHIJKL")

_ISOLATES = dict.fromkeys(range(0x2066, 0x206A))
_INITIATORS = "\u2066\u2067\u2068"
_UNITS = (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1))

log = logging.getLogger(__name__)


class Raw(str):
    """A value put into a text as it is: markup, or what has been isolated already."""

    __slots__ = ()


Value = str | int | float


def isolate(text: str) -> str:
    """The text fenced off (FSI…PDI), so that its direction cannot disorder what surrounds it.

    Isolates that are not balanced within the text are taken out: they would break the fence.
    """
    if not text:
        return text
    return f"{FSI}{text if _balanced(text) else text.translate(_ISOLATES)}{PDI}"


def _balanced(text: str) -> bool:
    depth = 0
    for char in text:
        if char in _INITIATORS:
            depth += 1
        elif char == PDI:
            depth -= 1
            if depth < 0:
                return False
    return depth == 0


@dataclass(frozen=True, slots=True, eq=False)
class Language:
    """What the interface says in one language. Passed as an argument to whatever makes texts.

    Texts take their values by name, in braces: `text("Hello, {name}!", name=…)`. Numbers are
    written as the language does, strings are isolated, `Raw` goes in as it is. Nothing is escaped:
    a text may be for a button or for HTML, and only its user knows which.
    """

    locale: str
    name: str
    rtl: bool
    all_letters: tuple[str, ...]
    _words: NullTranslations
    _babel: Locale

    @property
    def mark(self) -> str:
        """What a message opens with to be laid out in this language's direction, mostly empty."""
        return direction_mark(self.locale)

    def text(self, msgid: str, /, **values: Value) -> str:
        """The message in this language, its values filled in."""
        return self._fill(self._words.gettext(msgid), msgid, values)

    def term(self, context: str, msgid: str, /, **values: Value) -> str:
        """A message that needs to know where it stands: "button", "toast", "command", …"""
        return self._fill(self._words.pgettext(context, msgid), msgid, values)

    def plural(self, singular: str, plural: str, n: int, /, **values: Value) -> str:
        """The message in the form for n things, by the catalogue's own rule; `{n}` is n."""
        template = self._words.ngettext(singular, plural, n)
        return self._fill(template, singular if n == 1 else plural, {"n": n, **values})

    def number(self, n: float) -> str:
        """12,34,567 in Hindi, 1.234.567 in Vietnamese; the digits are always Latin."""
        return format_decimal(n, locale=self._babel)

    def percent(self, fraction: float) -> str:
        """Whole percent, halves upwards. 100 % only if it is all, 0 % only if it is nothing."""
        exact = Decimal(str(fraction)) * 100
        whole = exact.quantize(Decimal(1), ROUND_HALF_UP)
        if 0 < exact < 100:
            whole = min(max(whole, Decimal(1)), Decimal(99))
        return format_percent(whole / 100, locale=self._babel)

    def date(self, day: dt.date) -> str:
        """1 December 2026: the day as one would write it in a sentence."""
        return format_date(day, "long", locale=self._babel)

    def list(self, items: Iterable[str]) -> str:
        """The items joined as in a sentence ("a, b and c"), each one isolated."""
        return format_list([isolate(item) for item in items], locale=self._babel)

    def duration(self, seconds: float) -> str:
        """4 min 12 sec: whole seconds, the two greatest units that are not nothing."""
        # joined by a space: Babel's list of two units repeats one in Arabic, fails in Bulgarian
        return " ".join(
            format_unit(count, f"duration-{unit}", length="short", locale=self._babel)
            for unit, count in _units(seconds)
        )

    def letters(self, n: int) -> tuple[str, ...]:
        """The first n letters of options, n up to 12."""
        return self.all_letters[:n]

    @staticmethod
    def isolate(text: str) -> str:
        """See the function of this name."""
        return isolate(text)

    def _fill(self, template: str, source: str, values: Mapping[str, Value]) -> str:
        shown = {name: self._shown(value) for name, value in values.items()}
        try:
            return template.format_map(shown)
        except (LookupError, ValueError, AttributeError, TypeError):
            # a translation may be anybody's edit; a mistake in our own text raises below
            _report(self.locale, source)
            return source.format_map(shown)

    def _shown(self, value: Value) -> str:
        if isinstance(value, Raw):
            return value
        return isolate(value) if isinstance(value, str) else self.number(value)


def _units(seconds: float) -> list[tuple[str, int]]:
    """The greatest unit that is not nothing and the next one below, if that isn't either."""
    rest = max(0, round(seconds))
    counts = []
    for unit, size in _UNITS:
        count, rest = divmod(rest, size)
        counts.append((unit, count))
    while len(counts) > 1 and not counts[0][1]:
        del counts[0]
    return counts[:1] + [(unit, count) for unit, count in counts[1:2] if count]


@lru_cache(maxsize=1024)
def _report(locale: str, msgid: str) -> None:
    """Once for each message: a translation that cannot be filled in is met at every tap."""
    log.warning(
        "locale %s: the translation of %r has a wrong placeholder; shown in English", locale, msgid
    )


def option_letters(words: NullTranslations) -> tuple[str, ...]:
    """The catalogue's letters for options, or the Latin ones if they aren't twelve different."""
    # Translators: the twelve signs with which exams in your language mark options, in their order
    letters = tuple(words.pgettext("option letters", "A B C D E F G H I J K L").split())
    distinct = {unicodedata.normalize("NFKC", letter).casefold() for letter in letters}
    if len(letters) != len(distinct) or len(letters) < len(LATIN_LETTERS):
        return LATIN_LETTERS
    return letters
