"""A quiz on its way from another format to our files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from bot.library.model import FEWEST_OPTIONS, MOST_OPTIONS
from bot.library.outline import Outline
from bot.library.problems import Place, Problem, problem

LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class DraftQuestion:
    """A question, with answers as far as they are known. `line` is where it stands."""

    id: str
    question: str
    options: Mapping[str, str]
    answer: tuple[str, ...] = ()
    explanation: str = ""
    source: str = ""
    line: int = 1


@dataclass(frozen=True, slots=True)
class Draft:
    """What was read, and what is wrong with it: nothing is dropped in silence."""

    locale: str
    path: Path
    title: str = ""
    description: str = ""
    questions: tuple[DraftQuestion, ...] = ()
    problems: tuple[Problem, ...] = field(default=())

    def with_key(self, key: str) -> Draft:
        """With the letters of the key as the questions' answers: `dbca` for four questions.

        A key of the wrong length answers nothing: it can't be told which letter is missing.
        """
        letters = "".join(key.split()).lower()
        if len(letters) != len(self.questions):
            what = f"the key is {len(letters)} long for {len(self.questions)} questions"
            return self._troubled("bad-key", what, "Give one letter for each question.", 1)
        draft, answered = self, []
        for number, (question, letter) in enumerate(zip(self.questions, letters, strict=True), 1):
            ids = dict(zip(LETTERS, question.options, strict=False))
            if letter in ids:
                question = replace(question, answer=(ids[letter],))
            else:
                what = f"the key says {letter} for question {number}, which has no such option"
                mend = f"Give one of {', '.join(ids)}."
                draft = draft._troubled("bad-key", what, mend, question.line)
            answered.append(question)
        return replace(draft, questions=tuple(answered))

    def translating(self, source: Outline) -> Draft:
        """With the source's ids: questions and options are matched by their positions."""
        draft = self
        if len(self.questions) != len(source.questions):
            what = f"{len(self.questions)} questions for the source's {len(source.questions)}"
            mend = "Give the same questions in the same order."
            draft = draft._troubled("count-mismatch", what, mend, 1)
        matched = []
        for question, (id_, strings) in zip(
            self.questions, source.questions.items(), strict=False
        ):
            if len(question.options) != len(strings.options):
                counts = f"{len(question.options)} options for {len(strings.options)}"
                mend = "Give the same options in the same order."
                draft = draft._troubled("count-mismatch", f"{id_}: {counts}", mend, question.line)
            pairs = zip(strings.options, question.options.values(), strict=False)
            matched.append(replace(question, id=id_, options=dict(pairs), source=strings.hash))
        return replace(draft, questions=tuple(matched))

    def checked(self) -> Draft:
        """With the questions noted that have too few or too many options."""
        draft = self
        for question in self.questions:
            count = len(question.options)
            if not FEWEST_OPTIONS <= count <= MOST_OPTIONS:
                what = f"question {question.id} has {count} options"
                mend = f"Give {FEWEST_OPTIONS} to {MOST_OPTIONS}."
                draft = draft._troubled("option-count", what, mend, question.line)
        return draft

    def _troubled(self, code: str, what: str, mend: str, line: int) -> Draft:
        one = problem(self.path, code, what, mend, Place(line))
        return replace(self, problems=(*self.problems, one))


def option_id(position: int) -> str:
    """a to z, then o27 …: ids for options that have none, counted from 0."""
    return LETTERS[position] if position < len(LETTERS) else f"o{position + 1}"
