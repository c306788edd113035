"""Folders of quiz files as quizzes to play, and everything that is wrong with them.

A file with errors is left out, or keeps its last good version at a reload; the others are served.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bot.library import folders
from bot.library.document import read_quiz
from bot.library.folders import Files, Stamp, stamp
from bot.library.model import ID
from bot.library.outline import Outline, outline
from bot.library.problems import Problem, in_order
from bot.library.reading import Good, Measure, newest, read
from bot.quiz.quiz import Quiz

__all__ = ["Library", "Measure", "check", "load", "outline_of", "reload", "stamp"]


@dataclass(frozen=True, slots=True)
class Kept:
    """What was read of one quiz, to be read again when its folder's stamp changes."""

    stamp: Stamp | None = None
    quiz: Quiz | None = None
    good: Good = field(default_factory=Good)
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class Library:
    """The quizzes fit to be served, by id, and the problems of all files, in order."""

    quizzes: Mapping[str, Quiz]
    problems: tuple[Problem, ...]
    kept: Mapping[str, Kept] = field(default_factory=dict, repr=False)


def load(folder: Path, measure: Measure | None = None) -> Library:
    """All quizzes in a folder."""
    return reload(folder, Library({}, ()), measure)


def reload(folder: Path, previous: Library, measure: Measure | None = None) -> Library:
    """All quizzes in a folder; a file with errors keeps the version it had in `previous`.

    Folders that didn't change are not read again.
    """
    kept: dict[str, Kept] = {}
    problems: list[Problem] = []
    for files in folders.of_library(folder):
        if not files.id and any(problem.code == "unreadable" for problem in files.problems):
            kept |= previous.kept  # the whole folder is out of reach, as a mount may be
        found = _reread(files, previous.kept.get(files.id, Kept()), measure)
        problems += found.problems
        if found.quiz or found.good.source:
            kept.setdefault(files.id, found)
    quizzes = {id_: found.quiz for id_, found in kept.items() if found.quiz}
    return Library(quizzes, in_order(problems), kept)


def check(paths: Sequence[Path], measure: Measure | None = None) -> tuple[Problem, ...]:
    """All problems of the files and of what is in the folders.

    A file in a quiz's folder stands for the whole quiz: its parts are held against each other.
    """
    found = (_reread(files, Kept(), measure) for files in folders.of_paths(paths))
    return in_order(problem for kept in found for problem in kept.problems)


def outline_of(path: Path) -> tuple[Outline | None, tuple[Problem, ...]]:
    """What a translation of a quiz is held against; `path` is its folder or file.

    A quiz with errors has one too, as long as it is YAML: an import has no answers yet.
    """
    found = read_quiz(path / folders.SOURCE if path.is_dir() else path)
    problems = in_order(found.file.problems)
    return (outline(found.root) if found.root else None), problems


def _reread(files: Files, last: Kept, measure: Measure | None) -> Kept:
    """A single file is always read: its folder, where its pictures lie, is everyone's."""
    in_folder = files.source is not None and files.source.name == folders.SOURCE
    now = stamp(files.source.parent) if files.source and in_folder else None
    if now is not None and now == last.stamp:
        return last
    reading = read(files)
    if files.source is None:
        return Kept(None, last.quiz, last.good, tuple(reading.problems))
    quiz, good = newest(reading, last.good, measure)
    fit = ID.fullmatch(files.id)
    return Kept(now, quiz if fit else None, good, tuple(reading.problems))
