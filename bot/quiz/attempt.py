"""One learner's way through a quiz: what a tap does to it.

Everything here takes the attempt as it stands in the database and returns what is to be saved.
The first answer to a question counts. A second tap on it, a tap from another device and a tap
after the end are all the same thing, an answer given before, and change nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import Enum, auto
from functools import cached_property

from bot.quiz.quiz import Question, Quiz

SITTING = timedelta(hours=1)
LOST_AFTER = timedelta(seconds=30)
SENT_AGAIN = 0
"""In place of the id of an explanation that was sent once more: twice is enough."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What was chosen, in which version of the question, and what it earned.

    `credit` is None when the question does not count: it had changed or gone when it was due.
    """

    question_id: str
    fingerprint: str
    chosen: frozenset[str]
    credit: float | None
    at: datetime

    @property
    def wrong(self) -> bool:
        """Whether it counts and earned less than full credit."""
        return self.credit is not None and self.credit < 1.0


@dataclass(frozen=True, slots=True)
class Best:
    """A learner's best finished attempt at a quiz: points of how many."""

    points: float
    counted: int
    last_at: datetime
    """When the last attempt was finished."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The question the learner has on the screen, as it was when it was shown."""

    question_id: str
    fingerprint: str
    selected: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Attempt:
    """A learner's attempt at a quiz.

    `plan` holds the question ids in order, as they were at the start. `shown` counts the
    questions and results sent, so that a button can tell whether it is still the newest, and
    `shown_at` is when the newest one was. `message_id` is that one's, `explained_id` that of its
    explanation, each None until Telegram has told it.
    """

    id: int
    person_id: int
    quiz_id: str
    seed: int
    plan: tuple[str, ...]
    started_at: datetime
    shown: int = 0
    shown_at: datetime | None = None
    asked: Asked | None = None
    message_id: int | None = None
    explained_id: int | None = None
    finished_at: datetime | None = None
    closed_at: datetime | None = None
    answers: Mapping[str, Answer] = field(default_factory=dict)

    @property
    def open(self) -> bool:
        """Whether it can be gone on with."""
        return self.finished_at is None and self.closed_at is None

    @cached_property
    def counted(self) -> int:
        """How many answers count."""
        return sum(answer.credit is not None for answer in self.answers.values())

    @cached_property
    def points(self) -> float:
        """What they earned together, at most `counted`."""
        return sum(answer.credit or 0.0 for answer in self.answers.values())

    def mistakes(self, quiz: Quiz) -> list[Question]:
        """The questions that earned less than full credit and are still as they were, in order."""
        wrong = {a.question_id: a.fingerprint for a in self.answers.values() if a.wrong}
        there = [quiz.by_id[id_] for id_ in self.plan if id_ in wrong and id_ in quiz.by_id]
        return [question for question in there if question.fingerprint == wrong[question.id]]

    @property
    def sitting(self) -> timedelta | None:
        """The time taken, if it was done in one sitting of at most an hour."""
        taken = self.finished_at - self.started_at if self.finished_at else None
        return taken if taken is not None and taken <= SITTING else None

    def lost(self, quiz: Quiz, shown: int, now: datetime) -> bool:
        """Whether what a button of the step before brought on the screen never arrived there.

        Telegram may have got a message without our learning of it; so none is called lost, and
        sent again, before half a minute has gone by.
        """
        next_one = self.closed_at is None and self.shown == shown + 1
        needed = self.finished_at is not None or self.waiting(quiz) is not None
        late = self.shown_at is not None and now - self.shown_at >= LOST_AFTER
        return next_one and needed and late and self.message_id is None

    def unexplained(self, question_id: str, now: datetime) -> bool:
        """Whether the explanation of the newest question never arrived."""
        answer, asked = self.answers.get(question_id), self.asked
        newest = asked is not None and asked.question_id == question_id
        late = answer is not None and now - answer.at >= LOST_AFTER
        return newest and late and self.explained_id is None

    def waiting(self, quiz: Quiz) -> Question | None:
        """The question on the screen, if it can still be answered."""
        question = quiz.by_id.get(self.asked.question_id) if self.asked is not None else None
        if question is None or question.id in self.answers or _changed(self, question):
            return None
        return question


class Outcome(Enum):
    """What became of a tap on an option or on Done."""

    COUNTED = auto()
    GIVEN_BEFORE = auto()
    SELECTED = auto()
    NOTHING_SELECTED = auto()
    CHANGED = auto()
    OUT_OF_DATE = auto()


@dataclass(frozen=True, slots=True)
class Tapped:
    """The attempt after a tap; `new` is the answer to be saved, if there is one."""

    outcome: Outcome
    attempt: Attempt
    new: Answer | None = None


@dataclass(frozen=True, slots=True)
class Advanced:
    """The attempt moved on: `question` is to be shown, or None at the end.

    `dropped` are answers to be saved for questions that changed or went and so don't count.
    """

    attempt: Attempt
    question: Question | None
    dropped: tuple[Answer, ...] = ()


def choose(attempt: Attempt, quiz: Quiz, question_id: str, option: str, now: datetime) -> Tapped:
    """A tap on an option where one is the answer.

    An option that the question doesn't have (a forged tap) is out of date.
    """
    early = _not_open(attempt, quiz, question_id, now)
    if early is not None:
        return early
    question = quiz.by_id[question_id]
    if option not in question.option_ids or question.multiple:
        return Tapped(Outcome.OUT_OF_DATE, attempt)
    return _count(attempt, quiz, question, frozenset({option}), now)


def select(
    attempt: Attempt, quiz: Quiz, question_id: str, option: str, chosen: bool, now: datetime
) -> Tapped:
    """An option taken in or out where several may be chosen; twice is the same as once."""
    early = _not_open(attempt, quiz, question_id, now)
    if early is not None:
        return early
    question, asked = quiz.by_id[question_id], attempt.asked
    if option not in question.option_ids or not question.multiple or asked is None:
        return Tapped(Outcome.OUT_OF_DATE, attempt)
    selected = asked.selected | {option} if chosen else asked.selected - {option}
    return Tapped(Outcome.SELECTED, replace(attempt, asked=replace(asked, selected=selected)))


def submit(attempt: Attempt, quiz: Quiz, question_id: str, now: datetime) -> Tapped:
    """A tap on Done: the options selected so far are the answer."""
    early = _not_open(attempt, quiz, question_id, now)
    if early is not None:
        return early
    question, asked = quiz.by_id[question_id], attempt.asked
    if not question.multiple or asked is None:
        return Tapped(Outcome.OUT_OF_DATE, attempt)
    if not asked.selected:
        return Tapped(Outcome.NOTHING_SELECTED, attempt)
    return _count(attempt, quiz, question, asked.selected, now)


def advance(attempt: Attempt, quiz: Quiz, now: datetime) -> Advanced:
    """On to the question that is due: the one on the screen if it is unanswered, else the next.

    Questions that went from the quiz, and the one on the screen if it changed, are dropped.
    """
    dropped: list[Answer] = []
    for id_ in attempt.plan:
        if id_ in attempt.answers:
            continue
        question = quiz.by_id.get(id_)
        if question is None or _changed(attempt, question):
            dropped.append(_void(attempt, id_, now))
            continue
        asking = _ask(_with(attempt, *dropped), question)
        return Advanced(_shown(asking, now), question, tuple(dropped))
    ended = _finish(_with(attempt, *dropped), now)
    return Advanced(_shown(ended, now), None, tuple(dropped))


def _ask(attempt: Attempt, question: Question) -> Attempt:
    selected = frozenset[str]()
    if attempt.asked is not None and attempt.asked.question_id == question.id:
        selected = attempt.asked.selected
    asked = Asked(question.id, question.fingerprint, selected)
    return replace(attempt, asked=asked, explained_id=None)


def _shown(attempt: Attempt, now: datetime) -> Attempt:
    return replace(attempt, shown=attempt.shown + 1, shown_at=now, message_id=None)


def _not_open(attempt: Attempt, quiz: Quiz, question_id: str, now: datetime) -> Tapped | None:
    """Why a tap on this question can't be an answer any more, if it can't."""
    if question_id in attempt.answers:
        return Tapped(Outcome.GIVEN_BEFORE, attempt)
    if not attempt.open or attempt.asked is None or attempt.asked.question_id != question_id:
        return Tapped(Outcome.OUT_OF_DATE, attempt)
    question = quiz.by_id.get(question_id)
    if question is None or _changed(attempt, question):
        dropped = _void(attempt, question_id, now)
        return Tapped(Outcome.CHANGED, _settled(_with(attempt, dropped), now), dropped)
    return None


def _changed(attempt: Attempt, question: Question) -> bool:
    asked = attempt.asked
    return (
        asked is not None
        and asked.question_id == question.id
        and asked.fingerprint != question.fingerprint
    )


def _count(
    attempt: Attempt, quiz: Quiz, question: Question, chosen: frozenset[str], now: datetime
) -> Tapped:
    credit = question.credit(chosen, quiz.scoring)
    answer = Answer(question.id, question.fingerprint, chosen, credit, now)
    return Tapped(Outcome.COUNTED, _settled(_with(attempt, answer), now), answer)


def _void(attempt: Attempt, question_id: str, now: datetime) -> Answer:
    asked = attempt.asked
    shown = asked.fingerprint if asked and asked.question_id == question_id else ""
    return Answer(question_id, shown, frozenset(), None, now)


def _with(attempt: Attempt, *answers: Answer) -> Attempt:
    if not answers:
        return attempt
    return replace(attempt, answers={**attempt.answers, **{a.question_id: a for a in answers}})


def _settled(attempt: Attempt, now: datetime) -> Attempt:
    """Finished, if that was the last question."""
    return _finish(attempt, now) if len(attempt.answers) == len(attempt.plan) else attempt


def _finish(attempt: Attempt, now: datetime) -> Attempt:
    return attempt if attempt.finished_at else replace(attempt, finished_at=now)
