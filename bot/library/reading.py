"""A quiz's files as they are now, and the quiz made of the newest of them that are good."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from bot.library import folders
from bot.library.build import build
from bot.library.document import Document, read_quiz, read_translation
from bot.library.folders import Files
from bot.library.locales import has_name, likely, normalised
from bot.library.model import QuizFile, TranslationFile
from bot.library.outline import Outline, outline
from bot.library.problems import Problem, problem
from bot.library.texts import shown
from bot.quiz.quiz import Quiz

Model = TypeVar("Model", QuizFile, TranslationFile)
Measure = Callable[[Quiz], Iterable[tuple[str, str, str, int, int]]]
"""What of a quiz is longer than Telegram allows, as rendered: question id (empty: what shows the
quiz as a whole), language, what it is, its length, the limit."""


@dataclass(frozen=True, slots=True)
class Good:
    """A quiz's files in their last versions without errors."""

    source: QuizFile | None = None
    translations: Mapping[str, TranslationFile] = field(default_factory=dict)


@dataclass(slots=True)
class Reading:
    """A quiz's files, and all that is wrong with them."""

    files: Files
    source: Document[QuizFile] | None
    translations: dict[str, Document[TranslationFile]]
    problems: list[Problem]


def read(files: Files) -> Reading:
    """Reads and checks them, the translations against the source."""
    problems = list(files.problems)
    if not files.source:
        return Reading(files, None, {}, problems)
    source = read_quiz(files.source)
    problems += source.file.problems
    strings = outline(source.root) if source.root else None
    reading = Reading(files, source, {}, problems)
    taken = {_locale(source): files.source}
    for path in files.translations:
        _read_translation(reading, path, strings, taken)
    return reading


def _locale(source: Document[QuizFile]) -> str:
    written = source.root.scalar("locale") if source.root else None
    return (written and normalised(written.text)) or ""


def _read_translation(
    reading: Reading, path: Path, strings: Outline | None, taken: dict[str, Path]
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


def newest(reading: Reading, last: Good, measure: Measure | None) -> tuple[Quiz | None, Good]:
    """The quiz from each file's newest version that has no errors and is not too long."""
    sources = _versions(reading.source.model if reading.source else None, last.source)
    translations = {
        locale: _versions(document.model, last.translations.get(locale))
        for locale, document in reading.translations.items()
    }
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


def _folder(reading: Reading) -> Path:
    return reading.files.source.parent if reading.files.source else Path()


def _report_excess(
    reading: Reading,
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
