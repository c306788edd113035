"""What the YAML parser says, in an author's words."""

from __future__ import annotations

import yaml

from bot.library.problems import Place
from bot.library.source import File

DEEPEST = 16  # lists and mappings inside each other
_QUOTE = 'Put the text in "double quotes", or below a line that ends in |-.'

# Both parsers' messages, by a part that they share.
_MENDS = (
    ("mapping values are not allowed", "a colon and a space inside a text", _QUOTE),
    ("cannot start any token", "a text can't begin with this character", _QUOTE),
    ("alphabetic or numeric character", "a text can't begin with * or &", _QUOTE),
    ("found unexpected end of stream", "a quotation mark is not closed", "Close the quotation."),
    ("could not find expected ':'", "a line that is neither a key nor a text", _QUOTE),
    (
        "while parsing a flow",
        "a list […] or mapping {…} is not closed or has something odd in it",
        "Close it, or put the texts in quotes.",
    ),
    (
        "while parsing a block",
        "a line that doesn't fit the lines above it",
        "Indent it like its neighbours; a text that begins with a quotation mark or [ goes wholly"
        " in quotes.",
    ),
    ("escape", 'a backslash that means nothing inside "…"', "Double it, or use 'single quotes'."),
)


def report_syntax(file: File, error: yaml.YAMLError) -> None:
    """Notes the one problem a file has that is not YAML."""
    if not isinstance(error, yaml.MarkedYAMLError):
        file.report("syntax", Place(), "this is not YAML", "Check what kind of file it is.")
        return
    mark = error.problem_mark or error.context_mark
    place = Place(mark.line + 1, mark.column + 1) if mark else Place()
    said = f"{error.context or ''} {error.problem or ''}"
    if "invalid Unicode character escape" in said:
        mend = "Type the character itself, not \\u escapes."
        file.report("lone-surrogate", place, "half a character", mend)
    elif "maximum nesting depth" in said:
        report_depth(file, place)
    elif _tab_at(file, place) or "tab" in said.split():
        mend = "Use spaces, or quote the text."
        file.report("tab", place, "a tab where YAML allows only spaces", mend)
    else:
        what, mend = _explained(said)
        file.report("syntax", place, what, mend)


def report_depth(file: File, place: Place) -> None:
    """Notes nesting that no quiz file needs."""
    mend = "Write lists and mappings inside each other only as the format asks."
    file.report("too-deep", place, f"nested more than {DEEPEST} deep", mend)


def _tab_at(file: File, place: Place) -> bool:
    line = file.lines[min(place.line, len(file.lines)) - 1]
    indent = line[: len(line) - len(line.lstrip())]
    return "\t" in indent or line[place.column - 1 : place.column] == "\t"


def _explained(said: str) -> tuple[str, str]:
    for part, what, mend in _MENDS:
        if part in said:
            return what, mend
    return f"not YAML: {said.strip()}", _QUOTE
