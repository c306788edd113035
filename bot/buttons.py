"""What a button or a deep link means, as values, and how that fits into Telegram's 64 bytes.

Nothing on the wire tells which option is right: question and option ids, which authors choose and
which may give the answer away, travel as digests. A payload only names things; whether the tap
still means anything is decided by the state in the database.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Iterable
from dataclasses import astuple, dataclass
from functools import lru_cache

MAX_BYTES = 64  # https://core.telegram.org/bots/api#inlinekeyboardbutton, callback_data

_ID = re.compile(r"[a-z0-9-]{1,32}")
_KEY = re.compile(r"[A-Za-z0-9_-]{8}")
_LOCALE = re.compile(r"[A-Za-z]{2,8}(?:_[A-Za-z0-9]{2,8}){0,2}")
_NUMBER = re.compile(r"0|[1-9a-z][0-9a-z]{0,12}")
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_LARGEST = 2**63 - 1  # SQLite's largest integer


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The list of quizzes, from this page (0 is the first), in place of the message tapped."""

    page: int


@dataclass(frozen=True, slots=True)
class MoreQuizzes:
    """The list of quizzes as a new message."""


@dataclass(frozen=True, slots=True)
class Card:
    """A quiz's card, in place of the message tapped."""

    quiz_id: str


@dataclass(frozen=True, slots=True)
class Begin:
    """A new attempt, provided the learner's newest one at this quiz is still `after` (0: none).

    Start, Try again and Start over are all this: tapped five times, they make one attempt.
    """

    quiz_id: str
    after: int


@dataclass(frozen=True, slots=True)
class Show:
    """The attempt's open question, the next one or the result, provided `shown` is still true.

    Next, Continue and Result are all this: tapped five times, they show one message.
    """

    attempt_id: int
    shown: int


@dataclass(frozen=True, slots=True)
class Choose:
    """The option is the answer; `question` and `option` are keys, see `key`."""

    attempt_id: int
    question: str
    option: str


@dataclass(frozen=True, slots=True)
class Select:
    """The option is taken in (1) or out (0) where several may be chosen: what the button shows.

    A plain toggle would do the opposite of that on an older copy of the message.
    """

    attempt_id: int
    question: str
    option: str
    chosen: int


@dataclass(frozen=True, slots=True)
class Done:
    """The options seen as selected are the answer; `selected` is their `key_of_set`."""

    attempt_id: int
    question: str
    selected: str


@dataclass(frozen=True, slots=True)
class Mistake:
    """The n-th mistake of a finished attempt (0 is the first), in place of the message tapped."""

    attempt_id: int
    n: int


@dataclass(frozen=True, slots=True)
class BackToResult:
    """A finished attempt's result, in place of the message tapped."""

    attempt_id: int


@dataclass(frozen=True, slots=True)
class Speak:
    """A language is chosen, on the list of languages."""

    locale: str


@dataclass(frozen=True, slots=True)
class SpeakFirst:
    """A language is chosen, on the first message ever; `quiz_id` if that was a quiz's card."""

    locale: str
    quiz_id: str


@dataclass(frozen=True, slots=True)
class Forget:
    """Erase everything; asked at this minute since 1970, so that an old button can't do harm."""

    minute: int


@dataclass(frozen=True, slots=True)
class Keep:
    """Erase nothing."""


Meaning = (
    Catalogue
    | MoreQuizzes
    | Card
    | Begin
    | Show
    | Choose
    | Select
    | Done
    | Mistake
    | BackToResult
    | Speak
    | SpeakFirst
    | Forget
    | Keep
)


@lru_cache(maxsize=65536)
def key(id_: str) -> str:
    """Eight characters that stand for a question's or an option's id (48 bits of BLAKE2s)."""
    digest = hashlib.blake2s(id_.encode(), digest_size=6).digest()
    return base64.urlsafe_b64encode(digest).decode()


def key_of_set(ids: Iterable[str]) -> str:
    """A key that stands for a set of ids."""
    return key(" ".join(sorted(ids)))


def _number(text: str) -> int | None:
    value = int(text, 36) if _NUMBER.fullmatch(text) else None
    return value if value is not None and value <= _LARGEST else None


def _flag(text: str) -> int | None:
    return int(text) if text in ("0", "1") else None


def _matching(pattern: re.Pattern[str]) -> Callable[[str], str | None]:
    return lambda text: text if pattern.fullmatch(text) else None


_Read = Callable[[str], int | str | None]
_id, _key, _locale = _matching(_ID), _matching(_KEY), _matching(_LOCALE)
_id_or_none = _matching(re.compile(rf"(?:{_ID.pattern})?"))

_KINDS: dict[str, tuple[type[Meaning], tuple[_Read, ...]]] = {
    "c": (Catalogue, (_number,)),
    "o": (MoreQuizzes, ()),
    "q": (Card, (_id,)),
    "b": (Begin, (_id, _number)),
    "n": (Show, (_number, _number)),
    "t": (Choose, (_number, _key, _key)),
    "s": (Select, (_number, _key, _key, _flag)),
    "d": (Done, (_number, _key, _key)),
    "m": (Mistake, (_number, _number)),
    "r": (BackToResult, (_number,)),
    "l": (Speak, (_locale,)),
    "i": (SpeakFirst, (_locale, _id_or_none)),
    "f": (Forget, (_number,)),
    "k": (Keep, ()),
}
PREFIXES = {kind: prefix for prefix, (kind, _) in _KINDS.items()}


def pack(meaning: Meaning) -> str:
    """The meaning as callback data of at most 64 bytes."""
    fields = (base36(f) if isinstance(f, int) else f for f in astuple(meaning))
    return ":".join((PREFIXES[type(meaning)], *fields))


def unpack(data: str) -> Meaning | None:
    """The meaning of callback data; None for anything that `pack` can't have written."""
    prefix, *fields = data.split(":")
    kind, readers = _KINDS.get(prefix, (None, ()))
    if kind is None or len(fields) != len(readers):
        return None
    values = [read(field) for read, field in zip(readers, fields, strict=True)]
    return None if None in values else kind(*values)  # type: ignore[arg-type]  # readers fit kind


def base36(number: int) -> str:
    """A number from 0 up in the digits 0-9a-z, which `int(text, 36)` reads."""
    text = ""
    while number >= 36:
        number, digit = divmod(number, 36)
        text = _DIGITS[digit] + text
    return _DIGITS[number] + text


@dataclass(frozen=True, slots=True)
class QuizLink:
    """`t.me/<bot>?start=<quiz id>`: that quiz's card."""

    quiz_id: str


def link(username: str, quiz_id: str) -> str:
    """The deep link to a quiz's card: https://core.telegram.org/api/links#bot-links."""
    return f"https://t.me/{username}?start={quiz_id}"


Link = QuizLink


def unpack_link(payload: str) -> Link | None:
    """What the payload of a deep link means; None if nothing."""
    return QuizLink(payload) if _ID.fullmatch(payload) else None
