"""A quiz file as text: read, decoded, and cleared of what no quiz file may hold.

What is cleared is reported and stands as U+FFFD in the text, so that everything after it keeps
its place and is checked as well.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from bot.library.problems import Place, Problem, problem

MOST_BYTES = 1 << 20

# What YAML calls printable, less the line breaks that only YAML knows (NEL, LS, PS) and the
# byte order mark, which is invisible inside a text.
FORBIDDEN = re.compile(
    r"[^\t\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)
# Marks, embeddings, overrides and isolates. ZWNJ and ZWJ spell words in many scripts: allowed.
BIDI = re.compile(r"[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_SUSPECT = re.compile(f"{FORBIDDEN.pattern}|{BIDI.pattern}")
_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(slots=True)
class File:
    """A file being read, and what was found wrong with it so far."""

    path: Path
    text: str = ""
    problems: list[Problem] = field(default_factory=list)
    lines: list[str] = field(init=False)

    def __post_init__(self) -> None:
        self.lines = _lines(self.text)

    def report(self, code: str, place: Place, what: str, mend: str) -> None:
        """Notes a problem. A place beyond the text's end becomes the end."""
        line = min(place.line, len(self.lines))
        column = min(place.column, len(self.lines[line - 1]) + 1)
        self.problems.append(problem(self.path, code, what, mend, Place(line, column)))


def read(path: Path) -> File:
    """The file's text; empty, with the reason among the problems, if it has none."""
    if not path.is_file():  # opening a pipe would wait for ever
        return _unreadable(path, "not a file", "Delete it, or mend the link that it is.")
    try:
        with path.open("rb") as stream:
            data = stream.read(MOST_BYTES + 1)
    except OSError as error:
        return _unreadable(path, error.strerror or "unknown reason", "Mend its permissions.")
    return decode(path, data)


def _unreadable(path: Path, reason: str, mend: str) -> File:
    file = File(path)
    file.report("unreadable", Place(), f"can't be read: {reason}", mend)
    return file


def decode(path: Path, data: bytes) -> File:
    """A file's bytes as text."""
    if len(data) > MOST_BYTES:
        file = File(path)
        file.report("too-large", Place(), "more than 1 MiB", "Split the quiz into several.")
        return file
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        return _not_utf8(path, data, error.start)
    file = File(path, text.removeprefix("\ufeff"))
    if text.startswith("\ufeff"):
        what = "begins with a byte order mark"
        file.report("byte-order-mark", Place(), what, "Save the file as UTF-8 without BOM.")
    _clear(file)
    return file


def _not_utf8(path: Path, data: bytes, start: int) -> File:
    """The good part up to the byte that isn't text is kept for the place of the problem only."""
    before = File(path, data[:start].decode())
    place = Place(len(before.lines), len(before.lines[-1]) + 1)
    file = File(path)
    what = f"byte 0x{data[start]:02x} is not UTF-8"
    file.problems.append(problem(path, "bad-utf8", what, "Save the file as UTF-8.", place))
    return file


def _clear(file: File) -> None:
    if not _SUSPECT.search("".join(set(file.text))):  # a tenth of the time of the whole text
        return
    for number, line in enumerate(file.lines, 1):
        for found in _SUSPECT.finditer(line):
            report_character(file, found[0], Place(number, found.start() + 1))
    file.text = _SUSPECT.sub("\ufffd", file.text)
    file.lines = _lines(file.text)


def _lines(text: str) -> list[str]:
    return _LINE_END.split(text) if "\r" in text else text.split("\n")


def report_character(file: File, character: str, place: Place) -> None:
    """Notes a character that no text may hold, typed or written as an escape."""
    name = f"U+{ord(character):04X}"
    if BIDI.match(character):
        what, mend = f"bidirectional control {name}", "Delete it; the bot sets directions itself."
        file.report("bidi-control", place, what, mend)
    elif "\ud800" <= character <= "\udfff":
        what, mend = f"half a character, {name}", "Type the character itself, not \\u escapes."
        file.report("lone-surrogate", place, what, mend)
    else:
        what, mend = f"control character {name}", "Delete it, or type what was meant."
        file.report("control-character", place, what, mend)
