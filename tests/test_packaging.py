"""What is in the wheel, and that what was installed from it finds its own files."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from email.parser import HeaderParser
from pathlib import Path
from zipfile import ZipFile

import pytest

from bot import shipped

ROOT = Path(__file__).parent.parent
WITH = ("bot", "quizzes", "locales", "pyproject.toml", "README.md", "LICENSE", ".gitignore")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy without network."""
    copy, out = tmp_path_factory.mktemp("copy"), tmp_path_factory.mktemp("dist")
    for name in WITH:
        place = shutil.copytree if (ROOT / name).is_dir() else shutil.copy2
        place(ROOT / name, copy / name)
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(out)]
    subprocess.run(command, cwd=copy, check=True, capture_output=True)
    [built] = out.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder like site-packages with the wheel in it, and nothing else."""
    site = tmp_path_factory.mktemp("site-packages")
    with ZipFile(wheel) as archive:
        archive.extractall(site)
    return site


def shipped_files(*folders: str) -> set[str]:
    """The files in these folders of the checkout that belong to the product."""
    found = (path for folder in folders for path in (ROOT / folder).rglob("*") if path.is_file())
    return {str(path.relative_to(ROOT)) for path in found if "__pycache__" not in path.parts}


def run(site: Path, cwd: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Python in another folder with what was installed there ahead of the checkout."""
    environ = {name: value for name, value in os.environ.items() if "QUIZBOT" not in name}
    environ |= {"PYTHONPATH": str(site), "PYTHONSAFEPATH": "1"}
    command = [sys.executable, *words]
    return subprocess.run(
        command, cwd=cwd, env=environ, capture_output=True, text=True, check=False
    )


def test_the_wheel_holds_the_whole_package(wheel: Path) -> None:
    names = set(ZipFile(wheel).namelist())
    assert shipped_files("bot") <= names
    moved = {f"bot/{name}" for name in shipped_files("quizzes", "locales")}
    assert moved <= names
    extra = {n for n in names if n.startswith("bot/")} - shipped_files("bot") - moved
    assert extra == set()


@pytest.mark.parametrize(
    "name",
    [
        "bot/quizzes/checkpoint-sharding/quiz.yaml",
        "bot/quizzes/checkpoint-sharding/hi.yaml",
        "bot/quizzes/checkpoint-sharding/vi.yaml",
        "bot/locales/en/LC_MESSAGES/quizbot.po",
        "bot/locales/hi/LC_MESSAGES/quizbot.po",
        "bot/locales/vi/LC_MESSAGES/quizbot.po",
        "bot/sandbox/page/index.html",
        "bot/store/migrations/0001_inbox.sql",
    ],
)
def test_what_is_not_python_is_there_too(wheel: Path, name: str) -> None:
    assert name in ZipFile(wheel).namelist()


def test_nothing_else_lands_in_site_packages(wheel: Path) -> None:
    tops = {name.split("/")[0] for name in ZipFile(wheel).namelist()}
    assert tops == {"bot", wheel.name.removesuffix("-py3-none-any.whl") + ".dist-info"}


def test_the_metadata_name_licence_python_and_command(wheel: Path) -> None:
    info = wheel.name.removesuffix("-py3-none-any.whl") + ".dist-info"
    with ZipFile(wheel) as archive:
        metadata = HeaderParser().parsestr(archive.read(f"{info}/METADATA").decode())
        entry_points = archive.read(f"{info}/entry_points.txt").decode()
        assert f"{info}/licenses/LICENSE" in archive.namelist()
    assert metadata["Name"] == "quizbot"
    assert metadata["License-Expression"] == "MIT"
    assert metadata["Requires-Python"] == ">=3.11"
    assert "quizbot = bot.cli:main" in entry_points


def test_an_installed_bot_finds_its_own_quizzes_and_catalogues(
    installed: Path, tmp_path: Path
) -> None:
    code = "from bot import shipped; print(shipped.quizzes()); print(shipped.locales())"
    done = run(installed, tmp_path, "-c", code)
    assert done.stdout.split() == [str(installed / "bot/quizzes"), str(installed / "bot/locales")]


def test_an_installed_bot_checks_its_quizzes_from_another_folder(
    installed: Path, tmp_path: Path
) -> None:
    done = run(installed, tmp_path, "-m", "bot", "check", "--strict")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "no problems\n")
    assert list(tmp_path.iterdir()) == []


def test_a_checkout_has_them_beside_the_package() -> None:
    assert shipped.quizzes() == ROOT / "quizzes"
    assert shipped.locales() == ROOT / "locales"


def test_the_lock_file_pins_what_is_declared_and_names_no_place() -> None:
    lines = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if not line.startswith("#")]
    assert [line for line in pins if line.count("==") != 1 or set("/@;: ") & set(line)] == []
    pinned = {line.split("==")[0].lower().replace("_", "-") for line in pins}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = [*project["dependencies"], *project["optional-dependencies"]["test"]]
    names = {line.split("=")[0].split(">")[0].split("<")[0].strip().lower() for line in declared}
    assert names <= pinned
