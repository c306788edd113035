"""The commands as authors and operators type them: what they print, and their exit codes."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from bot import cli, shipped
from bot.library.load import load

SEEDS = Path(__file__).parent / "seeds"
KEY = "dbcabcad"


def run(*arguments: str | Path) -> int:
    """The exit code."""
    with pytest.raises(SystemExit) as ended:
        cli.main([str(argument) for argument in arguments])
    assert isinstance(ended.value.code, int)
    return ended.value.code


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No settings of the machine's, and a working folder of its own."""
    for name in ("TOKEN", "QUIZ_DIR", "DATA_DIR", "LOCALE", "API_URL"):
        monkeypatch.delenv(f"QUIZBOT_{name}", raising=False)
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("locale", ["hi", "vi"])
def test_a_seed_is_imported_whole_with_its_key(
    locale: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seed = SEEDS / f"{locale}.txt"
    assert run("import", seed, "--locale", locale, "--key", KEY, "--into", tmp_path / "q") == 0
    assert "written" in capsys.readouterr().err
    quiz = load(tmp_path / "q").quizzes[locale]
    lines = seed.read_text().split("\n")
    assert quiz.titles == {locale: lines[0]}
    assert quiz.descriptions == {locale: lines[2]}
    assert [q.id for q in quiz.questions] == [f"q{n}" for n in range(1, 9)]
    assert [q.answer for q in quiz.questions] == [frozenset(letter) for letter in KEY]
    texts = [
        text
        for q in quiz.questions
        for text in (q.wordings[locale].question, *q.wordings[locale].options.values())
    ]
    assert texts == [line.split(maxsplit=1)[1] for line in lines[4:]]
    assert run("check", tmp_path / "q") == 0
    assert capsys.readouterr().out.count("no-explanation") == 8


@pytest.mark.parametrize("locale", ["hi", "vi"])
def test_a_seed_without_a_key_is_imported_and_check_names_each_question(
    locale: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("import", SEEDS / f"{locale}.txt", "--locale", locale) == 0
    (tmp_path / "seed.yaml").write_text(capsys.readouterr().out)
    assert run("check", tmp_path / "seed.yaml") == 1
    out = capsys.readouterr().out
    assert [f"error no-answer: question q{n}:" in out for n in range(1, 9)] == [True] * 8


def test_a_seed_becomes_a_translation_of_a_quiz(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    quiz = tmp_path / "checkpoint-sharding"
    shutil.copytree(shipped.quizzes() / "checkpoint-sharding", quiz)
    (quiz / "hi.yaml").unlink()
    assert run("import", SEEDS / "hi.txt", "--locale", "hi", "--translates", quiz) == 0
    assert "why-shard:" in (quiz / "hi.yaml").read_text()
    assert run("check", quiz) == 1
    assert "error term: the term safetensors is missing" in capsys.readouterr().out


def test_an_import_never_writes_over_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "q" / "hi.yaml"
    target.parent.mkdir()
    target.write_text("an author's work")
    assert run("import", SEEDS / "hi.txt", "--locale", "hi", "--into", tmp_path / "q") == 1
    assert "is there already" in capsys.readouterr().err
    assert target.read_text() == "an author's work"


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["import", "nowhere.txt"], 1, "nowhere.txt"),
        (["import", SEEDS / "hi.txt", "--key", "dbc"], 1, "3 long"),
        (["import", SEEDS / "hi.txt", "--key", "dbcabcaz"], 1, "no such option"),
        (["import", SEEDS / "hi.txt", "--locale", "klingon!"], 1, "no language"),
        (["import", SEEDS / "hi.txt", "--translates", "nowhere"], 1, "no quiz to translate"),
        (["import", SEEDS / "hi.txt", "--from", "morse"], 2, "invalid choice"),
        (["check", "nowhere"], 1, "nowhere"),
        (["fly"], 2, "invalid choice"),
        ([], 2, "COMMAND"),
        (["run"], 2, "QUIZBOT_TOKEN"),
        (["demo", "--quizzes", "nowhere"], 2, "--quizzes"),
    ],
)
def test_what_goes_wrong_is_one_sentence_and_an_exit_code(
    arguments: list[str | Path], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*arguments) == code
    printed = capsys.readouterr()
    assert said in printed.out + printed.err
    assert "Traceback" not in printed.err


def test_the_shipped_quizzes_are_clean_even_strictly(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check", "--strict") == 0
    assert capsys.readouterr().out == ""


def test_check_speaks_to_people_github_and_programs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad.yaml").write_text("title: x\nlocale: en\nquestions: []\ncolour: red\n")
    assert run("check", tmp_path / "bad.yaml") == 1
    assert f"{tmp_path / 'bad.yaml'}:4:1: error unknown-key" in capsys.readouterr().out
    assert run("check", tmp_path / "bad.yaml", "--format", "github") == 1
    assert capsys.readouterr().out.startswith("::error file=")
    assert run("check", tmp_path / "bad.yaml", "--format", "json") == 1
    found = {problem["code"] for problem in json.loads(capsys.readouterr().out)}
    assert {"unknown-key", "no-questions"} <= found


def test_strict_makes_warnings_count(tmp_path: Path) -> None:
    question = "- id: a\n  question: q\n  options: {x: X, y: Y}\n  answer: x\n"
    quiz = f"title: x\nlocale: en\nquestions:\n{question}"
    (tmp_path / "q.yaml").write_text(quiz)
    assert run("check", tmp_path / "q.yaml") == 0
    assert run("check", tmp_path / "q.yaml", "--strict") == 1


@pytest.mark.logs_errors
def test_a_bug_exits_with_70_and_its_traceback(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def bug(*_: object, **__: object) -> bool:
        raise RuntimeError("unheard of")

    monkeypatch.setattr("bot.authoring.check", bug)
    assert run("check") == 70
    assert "unheard of" in caplog.text
    assert "Traceback" in caplog.text
