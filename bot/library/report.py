"""Problems as `quizbot check` prints them."""

from __future__ import annotations

import json
from collections.abc import Sequence

from bot.library.problems import Problem


def text(problems: Sequence[Problem]) -> str:
    """One line each, for people and for editors that jump to file:line:column."""
    return "".join(f"{_one_line(str(problem))}\n" for problem in problems)


def github(problems: Sequence[Problem]) -> str:
    """Workflow commands: GitHub shows them beside the lines of a pull request."""
    return "".join(f"{_command(problem)}\n" for problem in problems)


def as_json(problems: Sequence[Problem]) -> str:
    """A list of objects, for programs."""
    return json.dumps([_fields(problem) for problem in problems], indent=2) + "\n"


def _command(problem: Problem) -> str:
    properties = {
        "file": str(problem.path),
        "line": str(problem.line),
        "col": str(problem.column),
        "title": problem.code,
    }
    listed = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    message = _message(_one_line(f"{problem.what} — {problem.mend}"))
    return f"::{problem.severity.value} {listed}::{message}"


def _message(value: str) -> str:
    return value.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: str) -> str:
    return _message(value).replace(":", "%3A").replace(",", "%2C")


def _fields(problem: Problem) -> dict[str, str | int]:
    return {
        "path": str(problem.path),
        "line": problem.line,
        "column": problem.column,
        "code": problem.code,
        "severity": problem.severity.value,
        "what": problem.what,
        "mend": problem.mend,
    }


def _one_line(line: str) -> str:
    """What a file holds must not write on the terminal: no line breaks, no escape codes."""
    return "".join(
        character if character.isprintable() or character == " " else ascii(character)[1:-1]
        for character in line
    )
