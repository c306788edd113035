"""`quizbot check` and `quizbot import`: what authors do with quiz files."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bot.library import report, source
from bot.library.formats import read
from bot.library.formats.draft import Draft
from bot.library.formats.write import as_quiz_yaml, as_translation_yaml
from bot.library.load import Measure, outline_of
from bot.library.load import check as check_files
from bot.library.locales import normalised
from bot.library.outline import Outline
from bot.library.problems import Problem, Severity, has_errors

FORMATS = {"text": report.text, "github": report.github, "json": report.as_json}


class AuthoringError(Exception):
    """What was asked for can't be done. The text is one sentence with the mend."""


def check(paths: Sequence[Path], measure: Measure, form: str, *, strict: bool) -> bool:
    """Prints what is wrong; returns whether it is fit to be served (strict: flawless)."""
    problems = check_files(paths, measure)
    sys.stdout.write(FORMATS[form](problems))
    if form == "text":
        sys.stderr.write(f"{_counted(problems)}\n")
    return not (problems if strict else has_errors(problems))


def _counted(problems: Sequence[Problem]) -> str:
    if not problems:
        return "no problems"
    errors = sum(problem.severity is Severity.ERROR for problem in problems)
    return f"errors: {errors}, warnings: {len(problems) - errors}"


@dataclass(frozen=True, slots=True)
class Import:
    """What to import and where to; with neither `into` nor `translates`, standard output."""

    file: Path
    form: str | None
    locale: str
    key: str | None
    into: Path | None
    translates: Path | None


def import_(wanted: Import) -> bool:
    """Writes a quiz, or a translation of one; returns whether nothing was wrong.

    Raises:
        AuthoringError: it can't be written there.
    """
    source_ = _outline(wanted.translates) if wanted.translates is not None else None
    draft = _draft(wanted)
    if source_ is not None:
        draft = draft.translating(source_)
    sys.stderr.write(report.text(draft.problems))
    if draft.questions:
        _write(wanted, draft)
    return not has_errors(draft.problems)


def _draft(wanted: Import) -> Draft:
    """The quiz in the file, with its answers if there is a key."""
    locale = normalised(wanted.locale)
    if locale is None:
        raise AuthoringError(f"--locale: {wanted.locale} is no language: try hi or pt_BR.")
    file = source.read(wanted.file)
    if has_errors(file.problems):
        return Draft(locale, wanted.file, problems=tuple(file.problems))
    draft = read(file.text, wanted.form, locale, wanted.file)
    return draft.with_key(wanted.key) if wanted.key is not None else draft


def _outline(quiz: Path) -> Outline:
    found, _ = outline_of(quiz)
    if found is None:
        raise AuthoringError(f"--translates: {quiz} is no quiz to translate; run quizbot check.")
    return found


def _write(wanted: Import, draft: Draft) -> None:
    if wanted.translates is not None:
        _to(wanted.translates / f"{draft.locale}.yaml", as_translation_yaml(draft))
    elif wanted.into is not None:
        _to(wanted.into / f"{_id(draft)}.yaml", as_quiz_yaml(draft))
    else:
        sys.stdout.write(as_quiz_yaml(draft))


def _to(path: Path, text: str) -> None:
    """Never over a file that is there: an author's work may be in it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise AuthoringError(f"{path} is there already: move it away first.") from None
    except OSError as error:
        raise AuthoringError(f"{path} can't be written: {error.strerror}.") from None
    sys.stderr.write(f"{path} written\n")


def _id(draft: Draft) -> str:
    """An id of the title's letters or, if there are none that an id may have, of the file's."""
    for name in (draft.title, draft.path.stem):
        if name.isascii() and (slug := _slug(name)):
            return slug
    return "quiz"


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:32].strip("-")
