"""What a quiz is: questions that know their answers, in as many languages as were written."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property


class Scoring(Enum):
    """How a question with several correct options is scored."""

    ALL_OR_NOTHING = "all-or-nothing"
    PARTIAL = "partial"


@dataclass(frozen=True, slots=True)
class Image:
    """A picture that belongs to a question: a path beside the quiz file."""

    path: str


@dataclass(frozen=True, slots=True)
class Wording:
    """A question's own words in one language. Always whole: never a mix of languages."""

    locale: str
    question: str
    options: Mapping[str, str]
    explanation: str
    alt: str = ""


@dataclass(frozen=True)
class Question:
    """A question. `option_ids` are in the order of the source file; `answer` is never empty."""

    id: str
    option_ids: tuple[str, ...]
    answer: frozenset[str]
    wordings: Mapping[str, Wording]
    multiple: bool = False
    shuffle: bool = True
    last: str | None = None
    image: Image | None = None
    link: str | None = None

    @cached_property
    def fingerprint(self) -> str:
        """Option ids and key as 16 hex digits: what an answer was an answer to.

        The order of the options and all texts are left out, so editing those breaks nothing.
        """
        what = json.dumps([sorted(self.option_ids), sorted(self.answer), self.multiple])
        return hashlib.blake2s(what.encode(), digest_size=8).hexdigest()

    def order(self, seed: int) -> tuple[str, ...]:
        """The options as shown for this seed.

        Shuffled, the order depends on the ids alone: an author who reorders the file moves
        nobody's letters. Unshuffled, it is the file's.
        """
        ids = [option for option in self.option_ids if option != self.last]
        if self.shuffle:
            ids.sort()
            # seeded with text, which Python hashes the same in every process
            random.Random(f"{seed}:{self.id}").shuffle(ids)
        return (*ids, self.last) if self.last else tuple(ids)

    def credit(self, chosen: frozenset[str], scoring: Scoring) -> float:
        """What choosing exactly these options earns, 0.0 to 1.0.

        Partial: right choices less wrong ones, over the number of right ones, never below 0.
        """
        if chosen == self.answer:
            return 1.0
        if scoring is Scoring.PARTIAL and self.multiple:
            earned = len(chosen & self.answer) - len(chosen - self.answer)
            return max(0.0, earned / len(self.answer))
        return 0.0


@dataclass(frozen=True)
class Quiz:
    """A quiz. `locale` is its source language, in which everything exists."""

    id: str
    locale: str
    titles: Mapping[str, str]
    descriptions: Mapping[str, str]
    questions: tuple[Question, ...]
    tags: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    pass_mark: int | None = None
    scoring: Scoring = Scoring.ALL_OR_NOTHING

    @cached_property
    def by_id(self) -> Mapping[str, Question]:
        """The questions by their ids."""
        return {question.id: question for question in self.questions}

    @cached_property
    def locales(self) -> Sequence[str]:
        """Every language at least one question exists in, source language first."""
        found = {locale for question in self.questions for locale in question.wordings}
        return [self.locale, *sorted(found - {self.locale})]
