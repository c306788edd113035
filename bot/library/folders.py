"""Which files make up which quiz."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from bot.library.model import ID
from bot.library.problems import Problem, problem
from bot.library.texts import shown

SOURCE = "quiz.yaml"
_DEEPEST = 4  # a quiz's folder, pictures in folders of their own


@dataclass(frozen=True, slots=True)
class Files:
    """A quiz's files, and what is wrong with where they lie. Without a source: no quiz."""

    id: str
    source: Path | None
    translations: tuple[Path, ...] = ()
    problems: tuple[Problem, ...] = field(default=())


def of_library(folder: Path) -> Iterator[Files]:
    """The quizzes in a folder; a quiz that lies there twice has no source."""
    try:
        entries = _entries(folder)
    except OSError as error:
        yield Files("", None, problems=(_unreadable(folder, error),))
        return
    named: dict[str, Path] = {}
    for path in entries:
        files = of_folder(path) if path.is_dir() else of_file(path)
        if files and (other := named.get(files.id)) and files.source:
            yield Files(files.id, None, problems=(_twice(files, other),))
        elif files:
            named[files.id] = path
            yield files
    if not named:
        mend = "Add a folder with a quiz.yaml, or name another folder."
        what = "no quizzes in this folder"
        yield Files("", None, problems=(problem(folder, "no-quizzes", what, mend),))


def of_folder(folder: Path) -> Files | None:
    """The quiz that a folder holds; None for a folder of pictures."""
    try:
        entries = [path for path in _entries(folder) if not path.is_dir()]
    except OSError as error:
        return Files(folder.name, None, problems=(_unreadable(folder, error),))
    texts = [path for path in entries if path.suffix.lower() in (".yaml", ".yml")]
    if entries and not texts:
        return None
    problems = [*_check_names(texts), *_check_id(folder, _name(folder))]
    if all(path.name != SOURCE for path in texts):
        mend = "Add quiz.yaml with the source language, or delete the folder."
        problems.append(problem(folder, "no-quiz-file", "there is no quiz.yaml in here", mend))
        return Files(_name(folder), None, problems=tuple(problems))
    translations = [path for path in texts if path.name != SOURCE and path.suffix == ".yaml"]
    return Files(_name(folder), folder / SOURCE, tuple(translations), tuple(problems))


def of_file(path: Path) -> Files | None:
    """The quiz that a single file is; None for what is no quiz file."""
    if path.suffix.lower() not in (".yaml", ".yml"):
        return None
    problems = (*_check_names([path]), *_check_id(path, path.stem))
    return Files(path.stem, path if path.suffix == ".yaml" else None, problems=problems)


def of_paths(paths: Iterable[Path]) -> Iterator[Files]:
    """The quizzes that the files and folders belong to, each once."""
    seen: set[tuple[Path | None, tuple[Problem, ...]]] = set()
    for path in paths:
        for files in _of_path(path):
            key = (files.source and files.source.resolve(), files.problems)
            if key not in seen:
                seen.add(key)
                yield files


def _of_path(path: Path) -> Iterator[Files]:
    if not path.exists():
        mend = "Check how it is written."
        yield Files("", None, problems=(problem(path, "not-found", "no such file", mend),))
    elif path.is_dir() and (path / SOURCE).exists():
        yield of_folder(path) or Files("", None)
    elif path.is_dir():
        yield from of_library(path)
    elif (path.parent / SOURCE).exists() and path.suffix.lower() in (".yaml", ".yml"):
        yield of_folder(path.parent) or Files("", None)
    elif files := of_file(path):
        yield files
    else:
        yield Files("", None, problems=(_wrong_extension(path),))


Stamp = tuple[tuple[str | int, ...], ...]


def stamp(folder: Path) -> Stamp:
    """Differs whenever a file in there was added, removed or saved."""
    return tuple(sorted(_stamps(folder, _DEEPEST)))


def _stamps(folder: Path, depth: int) -> Iterator[tuple[str | int, ...]]:
    try:
        entries = _entries(folder)
    except OSError:  # gone while looking: the next look sees what came of it
        return
    for path in entries:
        try:
            found = os.stat(path)
        except OSError:
            continue
        yield str(path), found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino
        if depth and path.is_dir():
            yield from _stamps(path, depth - 1)


def _entries(folder: Path) -> list[Path]:
    """Hidden ones belong to editors, git and the like."""
    return sorted(path for path in folder.iterdir() if not path.name.startswith("."))


def _name(folder: Path) -> str:
    return folder.name or folder.resolve().name


def _check_names(paths: Iterable[Path]) -> Iterator[Problem]:
    yield from (_wrong_extension(path) for path in paths if path.suffix != ".yaml")


def _wrong_extension(path: Path) -> Problem:
    mend = f"Rename it to {path.stem}.yaml."
    return problem(path, "wrong-extension", f"{path.name} does not end in .yaml", mend)


def _check_id(path: Path, id_: str) -> Iterator[Problem]:
    if not ID.fullmatch(id_):
        mend = "Name it with 1 to 32 of a-z, 0-9 and hyphen."
        yield problem(path, "bad-id", f"{shown(id_)} is no id for a quiz", mend)


def _twice(files: Files, other: Path) -> Problem:
    path = files.source or Path(files.id)
    what = f"the quiz {files.id} is also {other.name}"
    return problem(path, "two-files", what, "Keep one of the two.")


def _unreadable(folder: Path, error: OSError) -> Problem:
    reason = error.strerror or "unknown reason"
    return problem(folder, "unreadable", f"can't be read: {reason}", "Mend its permissions.")
