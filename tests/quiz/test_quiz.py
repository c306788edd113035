"""Questions as values: order, credit, fingerprint."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.quiz.quiz import Question, Scoring, Wording


def question(answer: str = "b", options: str = "abcd", **more: object) -> Question:
    wording = Wording("en", "?", {id_: id_.upper() for id_ in options}, "because")
    return Question(
        "q1",
        tuple(options),
        frozenset(answer),
        {"en": wording},
        **more,  # type: ignore[arg-type]  # any field
    )


def test_the_order_is_the_same_for_a_seed_and_differs_between_seeds() -> None:
    orders = {question(options="abcdefgh").order(seed) for seed in range(50)}
    assert len(orders) > 40
    assert question().order(7) == question().order(7)


def test_the_order_of_a_seed_never_changes_between_releases() -> None:
    # Attempts under way keep only the seed: another order here would move their letters.
    assert question(options="fedcba").order(2026) == question(options="abcdef").order(2026)
    assert question(options="abcdef").order(2026) == ("c", "f", "e", "d", "b", "a")


def test_shuffling_can_be_switched_off() -> None:
    assert question(shuffle=False).order(3) == ("a", "b", "c", "d")


@given(st.integers(0, 2**32 - 1))
def test_an_option_pinned_last_is_last_in_every_order(seed: int) -> None:
    order = question(last="b").order(seed)
    assert order[-1] == "b"
    assert sorted(order) == list("abcd")


def test_the_right_option_is_not_always_in_the_same_place() -> None:
    places = [question().order(seed).index("b") for seed in range(400)]
    assert all(70 <= places.count(place) <= 130 for place in range(4))


@pytest.mark.parametrize(
    ("chosen", "all_or_nothing", "partial"),
    [
        ("ab", 1.0, 1.0),
        ("a", 0.0, 0.5),
        ("ac", 0.0, 0.0),
        ("abc", 0.0, 0.5),
        ("cd", 0.0, 0.0),
        ("abcd", 0.0, 0.0),
    ],
)
def test_several_correct_options_earn_credit_by_the_quizs_rule(
    chosen: str, all_or_nothing: float, partial: float
) -> None:
    several = question("ab", multiple=True)
    assert several.credit(frozenset(chosen), Scoring.ALL_OR_NOTHING) == all_or_nothing
    assert several.credit(frozenset(chosen), Scoring.PARTIAL) == partial


def test_a_single_answer_is_right_or_wrong_under_either_rule() -> None:
    for scoring in Scoring:
        assert question().credit(frozenset("b"), scoring) == 1.0
        assert question().credit(frozenset("c"), scoring) == 0.0


def test_the_fingerprint_ignores_texts_and_order_but_not_options_or_key() -> None:
    one = question()
    reworded = {"en": replace(one.wordings["en"], question="!", explanation="")}
    assert replace(one, wordings=reworded).fingerprint == one.fingerprint
    assert replace(one, option_ids=tuple("dcba")).fingerprint == one.fingerprint
    assert replace(one, option_ids=tuple("abc")).fingerprint != one.fingerprint
    assert replace(one, answer=frozenset("c")).fingerprint != one.fingerprint
    assert replace(one, multiple=True).fingerprint != one.fingerprint
