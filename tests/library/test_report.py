"""Problems as people, GitHub and programs read them."""

from __future__ import annotations

import json
from pathlib import Path

from bot.library.problems import Place, has_errors, in_order, problem
from bot.library.report import as_json, github, text

ERROR = problem(Path("a,b:c/quiz.yaml"), "no-answer", "100 % of it\nis", "Add one.", Place(3, 5))
WARNING = problem(Path("b.yaml"), "stale", "old \x1b[2J\u202e", "Compare.")


def test_people_read_one_line_each() -> None:
    assert text([ERROR, WARNING]) == (
        "a,b:c/quiz.yaml:3:5: error no-answer: 100 % of it\\nis — Add one.\n"
        "b.yaml:1:1: warning stale: old \\x1b[2J\\u202e — Compare.\n"
    )


def test_github_reads_workflow_commands() -> None:
    assert github([ERROR, WARNING]) == (
        "::error file=a%2Cb%3Ac/quiz.yaml,line=3,col=5,title=no-answer"
        "::100 %25 of it\\nis — Add one.\n"
        "::warning file=b.yaml,line=1,col=1,title=stale::old \\x1b[2J\\u202e — Compare.\n"
    )


def test_programs_read_objects() -> None:
    first, second = json.loads(as_json([ERROR, WARNING]))
    assert first == {
        "path": "a,b:c/quiz.yaml",
        "line": 3,
        "column": 5,
        "code": "no-answer",
        "severity": "error",
        "what": "100 % of it\nis",
        "mend": "Add one.",
    }
    assert second["severity"] == "warning"


def test_nothing_wrong_is_nothing_said() -> None:
    assert (text([]), github([]), json.loads(as_json([]))) == ("", "", [])


def test_problems_stand_in_order_and_once() -> None:
    later = problem(Path("b.yaml"), "blank", "x", "Y.", Place(2, 1))
    assert in_order([later, ERROR, WARNING, later]) == (ERROR, WARNING, later)


def test_only_errors_keep_a_file_from_being_served() -> None:
    assert has_errors([WARNING, ERROR])
    assert not has_errors([WARNING])
