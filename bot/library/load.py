"""Folders of quiz files as quizzes to play, and everything that is wrong with them.

A file with errors is left out, or keeps its last good version at a reload; the others are served.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from bot.library import folders
from bot.library.build import build
from bot.library.document import Document, read_quiz, read_translation
from bot.library.folders import Files, stamp
from bot.library.locales import has_name, likely, normalised
from bot.library.model import ID, QuizFile, TranslationFile
from bot.library.outline import Outline, outline
from bot.library.problems import Problem, in_order, problem
from bot.library.texts import shown
from bot.quiz.quiz import Quiz

__all__ = ["Library", "Measure", "check", "load", "reload", "stamp"]

Model = TypeVar("Model", QuizFile, TranslationFile)
Measure = Callable[[Quiz], Iterable[tuple[str, str, str, int, int]]]
"""What of a quiz is longer than Telegram allows, as rendered: question id (empty: what shows the
quiz as a whole), language, what it is, its length, the limit."""


@dataclass(frozen=True, slots=True)
class Good:
    """A quiz's files in their last versions without errors."""

    source: QuizFile | None = None
    translations: Mapping[str, TranslationFile] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Library:
    """The quizzes fit to be served, by id, and the problems of all files, in order."""

    quizzes: Mapping[str, Quiz]
    problems: tuple[Problem, ...]
    good: Mapping[str, Good] = field(default_factory=dict, repr=False)


@dataclass(slots=True)
class _Reading:
    """A quiz's files as they are now."""

    files: Files
    source: Document[QuizFile] | None
    translations: dict[str, Document[TranslationFile]]
    problems: list[Problem]


def load(folder: Path, measure: Measure | None = None) -> Library:
    """All quizzes in a folder."""
    return reload(folder, Library({}, ()), measure)


def reload(folder: Path, previous: Library, measure: Measure | None = None) -> Library:
    """All quizzes in a folder; a file with errors keeps the version it had in `previous`."""
    quizzes: dict[str, Quiz] = {}
    good: dict[str, Good] = {}
    problems: list[Problem] = []
    for files in folders.of_library(folder):
        reading = _read(files)
        if files.source and ID.fullmatch(files.id):
            last = previous.good.get(files.id, Good())
            quiz, good[files.id] = _newest(reading, last, measure)
            quizzes |= {files.id: quiz} if quiz else {}
        problems += reading.problems
    return Library(quizzes, in_order(problems), good)


def check(paths: Sequence[Path], measure: Measure | None = None) -> tuple[Problem, ...]:
    """All problems of the files and of what is in the folders.

    A file in a quiz's folder stands for the whole quiz: its parts are held against each other.
    """
    problems: list[Problem] = []
    for files in folders.of_paths(paths):
        reading = _read(files)
        if files.source:
            _newest(reading, Good(), measure)
        problems += reading.problems
    return in_order(problems)


def _read(files: Files) -> _Reading:
    problems = list(files.problems)
    if not files.source:
        return _Reading(files, None, {}, problems)
    source = read_quiz(files.source)
    problems += source.file.problems
    strings = outline(source.root) if source.root else None
    reading = _Reading(files, source, {}, problems)
    taken = {_locale(source): files.source}
    for path in files.translations:
        _read_translation(reading, path, strings, taken)
    return reading


def _locale(source: Document[QuizFile]) -> str:
    written = source.root.scalar("locale") if source.root else None
    return (written and normalised(written.text)) or ""


def _read_translation(
    reading: _Reading, path: Path, strings: Outline | None, taken: dict[str, Path]
) -> None:
    document = read_translation(path, strings)
    reading.problems += document.file.problems
    locale = normalised(path.stem)
    if locale is None:
        what = f"{shown(path.stem)} is no language"
        mend = "Name the file after its language: hi.yaml, pt_BR.yaml, zh_Hans.yaml."
        reading.problems.append(problem(path, "bad-locale", what, mend))
    elif (other := taken.get(locale)) is not None:
        reading.problems.append(_taken(path, other))
    else:
        taken[locale] = path
        reading.translations[locale] = document
        if not has_name(locale):
            what = f"{shown(locale)} is no language known by a name"
            reading.problems.append(problem(path, "unknown-language", what, likely(locale)))


def _taken(path: Path, other: Path) -> Problem:
    if other.name == folders.SOURCE:
        what = f"{path.stem} is the language of {other.name} itself"
        return problem(path, "source-again", what, f"Move its texts to {other.name}.")
    what = f"the same language as {other.name}"
    return problem(path, "two-spellings", what, "Keep one of the two.")


def _newest(reading: _Reading, last: Good, measure: Measure | None) -> tuple[Quiz | None, Good]:
    """The quiz from each file's newest version that has no errors and is not too long."""
    sources = _versions(reading.source.model if reading.source else None, last.source)
    translations = {
        locale: _versions(document.model, last.translations.get(locale))
        for locale, document in reading.translations.items()
    }
    quiz = None
    while sources:
        good = Good(sources[0], {locale: them[0] for locale, them in translations.items() if them})
        quiz = build(reading.files.id, _folder(reading), sources[0], good.translations)
        excess = list(measure(quiz)) if measure else []
        if not excess:
            return quiz, good
        _report_excess(reading, excess, sources, translations)
    return None, last


def _versions(now: Model | None, last: Model | None) -> list[Model]:
    return [model for model in (now, last) if model is not None]


def _folder(reading: _Reading) -> Path:
    return reading.files.source.parent if reading.files.source else Path()


def _report_excess(
    reading: _Reading,
    excess: list[tuple[str, str, str, int, int]],
    sources: list[QuizFile],
    translations: dict[str, list[TranslationFile]],
) -> None:
    """Sets aside the versions that are too long; of the files as they are now, notes it."""
    for locale in dict.fromkeys(locale for _, locale, *_ in excess):
        documents: tuple[Document[QuizFile] | Document[TranslationFile] | None, list[Any]]
        if translations.get(locale):
            documents = reading.translations[locale], translations[locale]
        else:
            documents = reading.source, sources
        document, versions = documents
        if document and versions and versions[0] is document.model:
            reading.problems += (_too_long(document, *one) for one in excess if one[1] == locale)
        del versions[:1]


def _too_long(
    document: Document[Any], question: str, locale: str, name: str, length: int, limit: int
) -> Problem:
    of = f" of {question}" if question else ""
    what = f"{name}{of} in {locale} is {length} long as shown; Telegram allows {limit}"
    place = document.place_of(question)
    return problem(document.file.path, "too-long", what, "Shorten its texts.", place)
