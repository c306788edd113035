"""Numbered questions with bulleted options.

A title, an empty line, a description, an empty line; then `1. question` with options after •, - or
*. A line directly below continues what is above it. There is no key and there are no explanations.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from pathlib import Path

from bot.library.formats.draft import Draft, DraftQuestion, option_id
from bot.library.problems import Place, Problem, problem
from bot.library.texts import shown

_LINE_END = re.compile(r"\r\n|\r|\n")
_QUESTION = re.compile(r"\s*(?P<number>\d{1,4})[.)]\s+(?P<text>\S.*)")
_OPTION = re.compile(r"\s*(?:•\s*|[-*]\s+)(?P<text>.*)")


@dataclass(slots=True)
class _Block:
    """What a line began and the lines below it continue."""

    line: int
    text: str


@dataclass(slots=True)
class _Asked:
    stem: _Block
    options: list[_Block] = field(default_factory=list)


@dataclass(slots=True)
class _Reader:
    """Where the reading stands. `open` is what a further line would continue."""

    path: Path
    heading: list[_Block] = field(default_factory=list)
    asked: list[_Asked] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    open: _Block | None = None

    def take(self, number: int, line: str) -> None:
        """The next line of the text."""
        if not line.strip():
            self.open = None
        elif found := _QUESTION.fullmatch(line):
            self._question(number, found)
        elif self.asked and (found := _OPTION.fullmatch(line)):
            self._option(number, found["text"].strip())
        elif self.open:
            self.open.text = f"{self.open.text} {line.strip()}"
        elif not self.asked and len(self.heading) < 2:
            self.open = _Block(number, line.strip())
            self.heading.append(self.open)
        else:
            self._stray(number, line)

    def _question(self, number: int, found: re.Match[str]) -> None:
        expected = len(self.asked) + 1
        if int(found["number"]) != expected:
            what = f"number {found['number']} where {expected} was expected"
            mend = "Check that no question is missing, and none made of a line that isn't one."
            self._report("odd-number", number, what, mend)
        self.open = _Block(number, found["text"].strip())
        self.asked.append(_Asked(self.open))

    def _option(self, number: int, text: str) -> None:
        if not text:
            self._report("blank", number, "an option without a text", "Write its text.")
        self.open = _Block(number, text)
        self.asked[-1].options.append(self.open)

    def _stray(self, number: int, line: str) -> None:
        what = f"this line belongs to nothing: {shown(line)}"
        mend = "Put it directly below the question or option it continues, or delete it."
        self._report("stray-line", number, what, mend)

    def _report(self, code: str, line: int, what: str, mend: str) -> None:
        self.problems.append(problem(self.path, code, what, mend, Place(line)))


def looks_like(text: str) -> bool:
    """Whether there is a numbered line with a bulleted one below."""
    lines = [line for line in _LINE_END.split(text.removeprefix("\ufeff")) if line.strip()]
    numbered = next((n for n, line in enumerate(lines) if _QUESTION.fullmatch(line)), None)
    return numbered is not None and any(_OPTION.fullmatch(line) for line in lines[numbered:])


def read(text: str, locale: str, path: Path) -> Draft:
    """The quiz in the text, with ids q1, q2 … and a, b …"""
    reader = _Reader(path)
    for number, line in enumerate(_LINE_END.split(text.removeprefix("\ufeff")), 1):
        reader.take(number, line)
    problems = [*reader.problems, *_lacking(reader)]
    heading = [block.text for block in (*reader.heading, _Block(1, ""), _Block(1, ""))]
    questions = tuple(_question(n, asked) for n, asked in enumerate(reader.asked, 1))
    draft = Draft(locale, path, heading[0], heading[1], questions).checked()
    return replace(draft, problems=(*problems, *draft.problems))


def _question(number: int, asked: _Asked) -> DraftQuestion:
    options = {option_id(n): option.text for n, option in enumerate(asked.options)}
    return DraftQuestion(f"q{number}", asked.stem.text, options, line=asked.stem.line)


def _lacking(reader: _Reader) -> list[Problem]:
    lacking = []
    if not reader.heading:
        mend = "Write a title above the first question, and an empty line."
        lacking.append(problem(reader.path, "no-title", "there is no title", mend))
    if not reader.asked:
        mend = "Number the questions: 1. What …?"
        lacking.append(problem(reader.path, "no-questions", "there are no questions", mend))
    return lacking
