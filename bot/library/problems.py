"""What is wrong with a quiz file: where, by which rule, and how to mend it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import NamedTuple

RULES = {
    # the file
    "not-found": "A path given to be checked exists.",
    "unreadable": "Every file can be read.",
    "too-large": "A file has at most 1 MiB and 50 000 values.",
    "bad-utf8": "Files are UTF-8.",
    "byte-order-mark": "Files begin without a byte order mark.",
    "control-character": "Files hold no control characters.",
    "bidi-control": "Files hold no bidirectional controls; the bot sets them itself.",
    "empty-file": "A file holds a quiz or a translation.",
    # YAML
    "syntax": "Files are YAML.",
    "tab": "Tabs stand only in quoted texts and blocks.",
    "lone-surrogate": "Characters are written as themselves, not as halves of UTF-16.",
    "too-deep": "Values nest at most 16 deep.",
    "several-documents": "A file holds one document.",
    "alias": "Nothing refers to another place of the file.",
    "tag": "Values have no YAML tags.",
    "odd-key": "Keys are texts.",
    "duplicate-key": "A key stands once in its mapping.",
    "cut-by-comment": "A text that people read is not cut by ` #`.",
    "comma-made-key": "A comma inside {…} doesn't begin a key without a value.",
    "not-a-mapping": "A file is a mapping of keys to values.",
    # single values
    "missing-key": "What every quiz needs is there.",
    "unknown-key": "Keys are those that the bot knows.",
    "wrong-type": "A value is a text, a list or a mapping as its key wants it.",
    "blank": "A text has something to see in it.",
    "bad-id": "Ids are 1 to 32 of a-z, 0-9 and hyphen.",
    "bad-locale": "A language is written like hi, pt-BR or zh_Hans.",
    "unknown-language": "A language is one that has a name.",
    "bad-flag": "Switches are true or false.",
    "bad-pass-mark": "A pass mark is a whole number from 0 to 100.",
    "bad-scoring": "Scoring is all-or-nothing or partial.",
    "bad-link": "A link is an address that Telegram can open.",
    # a question
    "no-title": "A quiz has a title.",
    "no-questions": "A quiz has at least one question.",
    "duplicate-id": "A question's id stands once in a quiz.",
    "option-count": "A question has 2 to 12 options.",
    "equal-options": "No two options of a question look the same.",
    "no-answer": "Every question names its correct option.",
    "unknown-answer": "The answer is one of the options.",
    "repeated-answer": "The answer names each option once.",
    "all-correct": "At least one option is wrong.",
    "unknown-last": "The option to stand last is one of the options.",
    "no-explanation": "Every question explains its answer.",
    "image-not-found": "A picture lies beside its quiz file or in a folder there.",
    "no-alt": "A picture has its description in words.",
    "alt-without-image": "Only a picture is described.",
    "too-long": "A message fits into Telegram's limits, as rendered and in every language.",
    # a translation
    "source-again": "The source language has no translation file.",
    "two-spellings": "A language has one file.",
    "unknown-question": "A translated question is one of the quiz.",
    "unknown-option": "A translated option is one of the question.",
    "untranslated": "A translation is whole; questions that aren't fall back.",
    "stale": "A translated question was made from the question as it is now.",
    "term": "Terms stand unchanged in every translation.",
    # folders
    "no-quizzes": "A folder of quizzes holds some.",
    "no-quiz-file": "A quiz's folder holds its quiz.yaml.",
    "wrong-extension": "Quiz files end in .yaml.",
    "two-files": "A quiz is one file or one folder.",
    # import
    "unknown-format": "What is imported is in a format the bot reads.",
    "stray-line": "Each line of an import belongs to something.",
    "odd-number": "Imported questions are numbered without gaps.",
    "bad-key": "A key has one letter per question, each of one of its options.",
    "count-mismatch": "A translation has the questions and options of its source.",
}
"""Each rule's code, and what holds where it is kept."""

WARNINGS = frozenset(
    {
        "byte-order-mark",
        "unknown-language",
        "all-correct",
        "no-explanation",
        "no-alt",
        "alt-without-image",
        "untranslated",
        "stale",
        "odd-number",
    }
)
"""Rules whose breach leaves the quiz fit to be served."""


class Severity(Enum):
    """Whether a file can be served as it is."""

    ERROR = "error"
    WARNING = "warning"


class Place(NamedTuple):
    """A place in a file, both counted from 1; columns in characters."""

    line: int = 1
    column: int = 1


@dataclass(frozen=True, slots=True)
class Problem:
    """One breach of a rule. `mend` is a sentence that says what to do."""

    path: Path
    line: int
    column: int
    code: str
    severity: Severity
    what: str
    mend: str

    def __str__(self) -> str:
        where = f"{self.path}:{self.line}:{self.column}"
        return f"{where}: {self.severity.value} {self.code}: {self.what} — {self.mend}"


def problem(path: Path, code: str, what: str, mend: str, place: Place | None = None) -> Problem:
    """A problem of the severity its rule has; without a place it is about the file as a whole.

    Raises:
        KeyError: there is no such rule.
    """
    RULES[code]
    severity = Severity.WARNING if code in WARNINGS else Severity.ERROR
    return Problem(path, *(place or Place()), code, severity, what, mend)


def in_order(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """By file and place, each once."""
    return tuple(sorted(set(problems), key=lambda p: (p.path, p.line, p.column, p.code, p.what)))


def has_errors(problems: Iterable[Problem]) -> bool:
    """Whether anything in there keeps a file from being served."""
    return any(problem.severity is Severity.ERROR for problem in problems)
