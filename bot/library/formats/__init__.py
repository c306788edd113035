"""Other formats of quizzes, read to drafts: the table of them, and which one a text is in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from bot.library.formats import text as text_
from bot.library.formats.draft import Draft
from bot.library.problems import problem


@dataclass(frozen=True, slots=True)
class Format:
    """How to recognise a format, and how to read it."""

    looks_like: Callable[[str], bool]
    read: Callable[[str, str, Path], Draft]


FORMATS: Mapping[str, Format] = {
    "text": Format(text_.looks_like, text_.read),
}


def read(text: str, form: str | None, locale: str, path: Path = Path("-")) -> Draft:
    """The quiz in the text, as far as it can be read, and what could not.

    `form` None: the first format that the text looks like. `path` is named in the problems.
    """
    if form is None:
        form = next((name for name, it in FORMATS.items() if it.looks_like(text)), None)
    if form is None or form not in FORMATS:
        what = f"there is no format {form}" if form else "the format is not known"
        mend = f"Name one with --from: {', '.join(FORMATS)}."
        return Draft(locale, path, problems=(problem(path, "unknown-format", what, mend),))
    return FORMATS[form].read(text, locale, path)
