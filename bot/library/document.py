"""One file, read and checked as far as it goes by itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from pydantic import BaseModel

from bot.library.fill import fill
from bot.library.model import QuizFile, TranslationFile
from bot.library.outline import Outline
from bot.library.problems import Place, has_errors
from bot.library.rules import check_quiz
from bot.library.source import File, read
from bot.library.translated import check_translation
from bot.library.traps import check_traps
from bot.library.tree import Mapping, compose

Model = TypeVar("Model", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Document(Generic[Model]):
    """A file, its tree if it has one, and its model if it has no errors."""

    file: File
    root: Mapping | None
    model: Model | None

    def place_of(self, question: str) -> Place:
        """Where a question begins; the file's beginning if it isn't in there."""
        questions = self.root.values.get("questions") if self.root else None
        if isinstance(questions, Mapping) and question in questions.keys:
            return questions.keys[question].place
        for node in self.root.items("questions") if self.root else ():
            if isinstance(node, Mapping) and (id_ := node.scalar("id")) and id_.text == question:
                return node.place
        return Place()


def read_quiz(path: Path) -> Document[QuizFile]:
    """A quiz file, checked but for its translations and what it becomes on a screen."""
    return _document(QuizFile, read(path), check_quiz)


def read_translation(path: Path, source: Outline | None) -> Document[TranslationFile]:
    """A translation, held against its source if that has anything to hold it against."""

    def check(file: File, root: Mapping) -> None:
        if source:
            check_translation(file, root, source)

    return _document(TranslationFile, read(path), check)


def _document(
    model: type[Model], file: File, check: Callable[[File, Mapping], None]
) -> Document[Model]:
    # a file that couldn't be read has its one problem already
    root = compose(file) if file.text or not file.problems else None
    if root is None:
        return Document(file, None, None)
    check_traps(file, root)
    check(file, root)
    filled = fill(model, file, root)
    return Document(file, root, None if has_errors(file.problems) else filled)
