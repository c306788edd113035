"""The pure core of an attempt: what taps do, in any order and number."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.quiz.attempt import Attempt, Outcome, advance, choose, select, submit
from bot.quiz.quiz import Question, Quiz, Wording

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)


def question(id_: str, answer: str = "a", multiple: bool = False) -> Question:
    wording = Wording("en", id_, {o: o for o in "abc"}, "")
    return Question(id_, tuple("abc"), frozenset(answer), {"en": wording}, multiple)


def quiz(*questions: Question) -> Quiz:
    return Quiz("z", "en", {"en": "Z"}, {}, questions)


ONE, TWO, SEVERAL = question("one"), question("two"), question("several", "ab", multiple=True)
BOTH = quiz(ONE, TWO)


def begun(of: Quiz = BOTH) -> Attempt:
    plan = tuple(q.id for q in of.questions)
    return advance(Attempt(1, 7, of.id, 42, plan, NOON), of, NOON).attempt


def test_the_first_question_is_asked_first() -> None:
    step = advance(Attempt(1, 7, "z", 42, ("one", "two"), NOON), BOTH, NOON)
    assert step.question == ONE
    assert step.attempt.shown == 1
    assert step.attempt.asked is not None
    assert step.attempt.asked.fingerprint == ONE.fingerprint


def test_a_tap_counts_and_the_second_changes_nothing() -> None:
    first = choose(begun(), BOTH, "one", "a", NOON)
    assert first.outcome is Outcome.COUNTED
    assert first.new is not None
    assert first.new.credit == 1.0
    second = choose(first.attempt, BOTH, "one", "b", NOON)
    assert (second.outcome, second.attempt, second.new) == (
        Outcome.GIVEN_BEFORE,
        first.attempt,
        None,
    )


def test_the_last_answer_finishes_the_attempt() -> None:
    attempt = choose(begun(), BOTH, "one", "a", NOON).attempt
    attempt = advance(attempt, BOTH, NOON).attempt
    later = NOON + timedelta(minutes=4)
    attempt = choose(attempt, BOTH, "two", "b", later).attempt
    assert not attempt.open
    assert (attempt.points, attempt.counted) == (1.0, 2)
    assert attempt.mistakes(BOTH) == [TWO]
    assert attempt.mistakes(quiz(ONE, question("two", "b"))) == []
    assert attempt.sitting == timedelta(minutes=4)


def test_time_is_told_only_for_one_sitting() -> None:
    ended = NOON + timedelta(hours=1)
    assert replace(begun(), finished_at=ended).sitting == timedelta(hours=1)
    assert replace(begun(), finished_at=ended + timedelta(seconds=1)).sitting is None
    assert begun().sitting is None


def test_going_on_shows_the_unanswered_question_again_with_what_was_selected() -> None:
    several = quiz(SEVERAL)
    selected = select(begun(several), several, "several", "b", True, NOON).attempt
    step = advance(selected, several, NOON)
    assert step.question == SEVERAL
    assert step.attempt.asked is not None
    assert step.attempt.asked.selected == {"b"}


def test_a_selection_is_answered_by_done() -> None:
    several = quiz(SEVERAL)
    attempt = begun(several)
    assert submit(attempt, several, "several", NOON).outcome is Outcome.NOTHING_SELECTED
    for option, chosen in (("a", True), ("b", True), ("c", True), ("c", False), ("a", True)):
        tapped = select(attempt, several, "several", option, chosen, NOON)
        assert tapped.outcome is Outcome.SELECTED
        attempt = tapped.attempt
    done = submit(attempt, several, "several", NOON)
    assert done.new is not None
    assert (done.new.chosen, done.new.credit) == (frozenset("ab"), 1.0)


@pytest.mark.parametrize(
    ("question_id", "option"),
    [("two", "a"), ("one", "z"), ("one", ""), ("nowhere", "a")],
)
def test_forged_taps_are_out_of_date(question_id: str, option: str) -> None:
    attempt = begun()
    tapped = choose(attempt, BOTH, question_id, option, NOON)
    assert (tapped.outcome, tapped.attempt) == (Outcome.OUT_OF_DATE, attempt)


def test_done_on_a_question_with_one_answer_is_out_of_date() -> None:
    assert submit(begun(), BOTH, "one", NOON).outcome is Outcome.OUT_OF_DATE


def test_an_attempt_started_over_takes_no_more_answers() -> None:
    closed = replace(begun(), closed_at=NOON)
    assert choose(closed, BOTH, "one", "a", NOON).outcome is Outcome.OUT_OF_DATE


@pytest.mark.parametrize("now_asked", [question("one", "b"), None])
def test_a_question_that_changed_or_went_while_open_does_not_count(
    now_asked: Question | None,
) -> None:
    edited = quiz(*([now_asked] if now_asked else []), TWO)
    tapped = choose(begun(), edited, "one", "a", NOON)
    assert tapped.outcome is Outcome.CHANGED
    assert tapped.new is not None
    assert tapped.new.credit is None
    step = advance(tapped.attempt, edited, NOON)
    assert step.question == TWO
    assert step.attempt.counted == 0


def test_going_on_drops_what_changed_or_went_and_tells_it() -> None:
    step = advance(begun(), quiz(question("one", "c")), NOON)
    assert [answer.question_id for answer in step.dropped] == ["one", "two"]
    assert step.question is None
    assert step.attempt.finished_at == NOON


def test_a_question_that_changed_before_it_was_asked_is_asked_as_it_is() -> None:
    attempt = choose(begun(), BOTH, "one", "a", NOON).attempt
    new_two = question("two", "c")
    step = advance(attempt, quiz(ONE, new_two), NOON)
    assert (step.question, step.dropped) == (new_two, ())


def test_editing_texts_breaks_nothing() -> None:
    reworded = replace(ONE, wordings={"en": replace(ONE.wordings["en"], question="new")})
    tapped = choose(begun(), quiz(reworded, TWO), "one", "a", NOON)
    assert tapped.outcome is Outcome.COUNTED


def test_what_never_arrived_is_shown_again_after_half_a_minute() -> None:
    attempt, soon, late = begun(), NOON + timedelta(seconds=29), NOON + timedelta(seconds=30)
    assert not attempt.lost(BOTH, 0, soon)
    assert attempt.lost(BOTH, 0, late)
    assert not attempt.lost(BOTH, 1, late)
    assert not replace(attempt, message_id=5).lost(BOTH, 0, late)
    assert not replace(attempt, closed_at=NOON).lost(BOTH, 0, late)
    answered = choose(attempt, BOTH, "one", "a", NOON).attempt
    assert not answered.lost(BOTH, 0, late)
    assert not answered.unexplained("one", soon)
    assert answered.unexplained("one", late)
    assert not replace(answered, explained_id=6).unexplained("one", late)
    assert not advance(answered, BOTH, NOON).attempt.unexplained("one", late)


TAPS = st.tuples(
    st.sampled_from(["one", "two", "several", "gone"]),
    st.sampled_from(["a", "b", "c", "x", "+a", "-b", "!"]),
)


@given(st.lists(TAPS, max_size=60), st.sampled_from([BOTH, quiz(ONE, SEVERAL, TWO)]))
def test_any_taps_in_any_order_leave_one_answer_per_question(
    taps: list[tuple[str, str]], of: Quiz
) -> None:
    attempt, new = begun(of), []
    for question_id, option in taps:
        if option == "!":
            tapped = submit(attempt, of, question_id, NOON)
        elif len(option) == 2:
            tapped = select(attempt, of, question_id, option[1], option[0] == "+", NOON)
        else:
            tapped = choose(attempt, of, question_id, option, NOON)
        new += [tapped.new.question_id] if tapped.new else []
        attempt = tapped.attempt
        if tapped.new and attempt.open:
            attempt = advance(attempt, of, NOON).attempt
    assert len(new) == len(set(new)) == len(attempt.answers)
    assert set(new) <= set(attempt.plan)
    assert attempt.open == (len(new) < len(attempt.plan))
    assert 0 <= attempt.points <= attempt.counted
