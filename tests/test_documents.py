"""What the documents name exists, and what they tell people to paste is what is tested."""

from __future__ import annotations

import dataclasses
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from bot import cli, settings
from bot.app import FEATURES
from bot.library import load
from tests import test_locales
from tests.noskips import __name__ as noskips

ROOT = Path(__file__).parent.parent
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


README = text("README.md")


def pasted(document: str) -> list[str]:
    """The lines that stand in shell blocks."""
    blocks = re.findall(r"^```sh\n(.*?)^```$", document, re.DOTALL | re.MULTILINE)
    return [line for block in blocks for line in block.splitlines()]


def calls_of_quizbot() -> list[str]:
    """What follows `quizbot` in the lines to paste."""
    lines = [line for name in DOCUMENTS for line in pasted(text(name))]
    found = [line.split("bin/quizbot ", 1)[1] for line in lines if "bin/quizbot " in line]
    assert len(found) >= 6
    return found


@pytest.mark.parametrize("call", calls_of_quizbot())
def test_every_documented_call_of_quizbot_parses(call: str) -> None:
    cli._parser().parse_args(shlex.split(call, comments=True))


def test_the_readme_names_every_setting_and_no_other() -> None:
    assert set(re.findall(r"QUIZBOT_[A-Z_]+", README)) == set(settings.KNOWN)


def test_the_readme_states_the_defaults() -> None:
    rows = dict(re.findall(r"^\| `QUIZBOT_(\w+)` \| .* \| `([^`]+)` \|$", README, re.MULTILINE))
    default = {
        field.name.upper(): field.default for field in dataclasses.fields(settings.Settings)
    }
    assert rows.pop("DATA_DIR") == f"./{default['DATA_DIR']}"
    assert rows == {name: default[name] for name in rows}
    assert set(rows) == {"API_URL", "LOCALE", "TIMEZONE", "LOG_LEVEL", "LOG_FORMAT"}


def test_the_readme_lists_what_learners_can_say() -> None:
    listed = re.findall(r"^\| `/(\w+)` \|", README, re.MULTILINE)
    assert listed == [command.name for feature in FEATURES for command in feature.commands]


def test_the_quiz_in_the_readme_is_a_good_one(tmp_path: Path) -> None:
    [quiz] = re.findall(r"^```yaml\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
    (tmp_path / "git-basics.yaml").write_text(quiz, encoding="utf-8")
    library = load.load(tmp_path, lambda *_: [])
    assert library.problems == ()
    assert list(library.quizzes) == ["git-basics"]


def test_set_up_is_one_line_to_paste_and_the_same_for_all() -> None:
    lines = [line for line in pasted(README) if "pip" in line]
    demo, tests, run = (line.rsplit(" && ", 1) for line in lines)
    assert demo[1] == ".venv/bin/quizbot demo"
    assert tests[1] == ".venv/bin/pytest"
    assert run[1].endswith(".venv/bin/quizbot run")
    assert demo[0] == run[0] == tests[0].replace("-e '.[test]'", "-e .")


def test_ci_runs_the_documented_test_command() -> None:
    script = text(".ci/run")
    [pattern] = re.findall(r"documented=\$\(grep -E '(.*)' README\.md\)", script)
    [line] = [line for line in README.splitlines() if re.search(pattern, line)]
    assert line in pasted(README)
    assert script.count('"${documented% && *}"') == script.count('"${documented##* && }"') == 1
    assert f"-p {noskips}" in script


def test_the_documented_extraction_finds_what_is_written_in_the_code(tmp_path: Path) -> None:
    [command] = [line for line in pasted(text("CONTRIBUTING.md")) if "pybabel -q extract" in line]
    words = shlex.split(command)
    words[0:1] = [sys.executable, "-m", "babel.messages.frontend"]
    words[-1] = str(tmp_path / "quizbot.pot")
    subprocess.run(words, cwd=ROOT, check=True, capture_output=True)
    with (tmp_path / "quizbot.pot").open("rb") as file:
        found = {(m.context, test_locales.forms(m.id)) for m in read_po(file) if m.id}
    assert found == {(m.context, m.forms) for m in test_locales.written_in_the_code()}


def modules_in(document: str) -> set[str]:
    """The names in the drawing of `bot/`, left of what is said of them."""
    drawing = re.search(r"^bot/\n((?:  .*\n)+)", document, re.MULTILINE)
    assert drawing is not None
    columns = [re.split(r"  +", line.strip())[0] for line in drawing[1].splitlines()]
    return {name for column in columns for name in re.findall(r"\w+", column)}


def test_the_architecture_names_every_module_of_the_bot() -> None:
    there = {path.stem for path in (ROOT / "bot").iterdir() if not path.name.startswith("_")}
    assert modules_in(text("CONTRIBUTING.md")) == there


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_lead_somewhere(name: str) -> None:
    targets = re.findall(r"\]\(([^)#]+)\)", text(name))
    assert [t for t in targets if "://" not in t and not (ROOT / t).exists()] == []


def files() -> list[Path]:
    """The project's files, without what tools and the bot leave behind. There may be no git."""
    not_ours = {"build", "data", "dist"}
    tops = [p for p in ROOT.iterdir() if p.name not in not_ours and not p.name.startswith(".")]
    found = [path for top in (*tops, ROOT / ".ci") for path in (top, *top.rglob("*"))]
    return [path for path in found if path.is_file() and path.suffix != ".pyc"]


def test_no_file_names_a_package_host_or_somebodys_machine() -> None:
    folders = "|".join(("home", "root", "Users", "work", "opt"))
    telling = re.compile(rf"pypi\.|files\.pythonhosted|--index-url|(?<![\w.])/(?:{folders})/\w")
    read = {path: path.read_text(encoding="utf-8", errors="replace") for path in files()}
    assert len(read) > 100
    found = {
        path: telling.findall(text)
        for path, text in read.items()
        if path.name != Path(__file__).name
    }
    assert {path: hits for path, hits in found.items() if hits} == {}
