"""Values in, words and keyboards out: what dialogues can't reach easily."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot import shipped
from bot.i18n import Catalogues
from bot.markup import length
from bot.quiz.attempt import Answer, Attempt
from bot.quiz.quiz import Question, Quiz, Wording
from bot.sandbox.html import parse_html, utf16
from bot.screens import question as screens
from bot.screens import result
from bot.screens.measure import excesses
from bot.screens.question import Asking, Speech
from bot.screens.screen import LONGEST, Screen
from tests.seen import plain

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)


def asking(
    catalogues: Catalogues,
    wording: Wording,
    *,
    lang: str = "en",
    answered: str = "",
    more: int = 0,
) -> Asking:
    """The question of a quiz with only this wording, with `more` questions before it."""
    item = Question("q", tuple(wording.options), frozenset([next(iter(wording.options))]),
                    {wording.locale: wording}, shuffle=False)  # fmt: skip
    quiz = Quiz("z", wording.locale, {wording.locale: "Title"}, {}, (item,))
    plan = (*(f"p{n}" for n in range(more)), "q")
    attempt = Attempt(1, 1, "z", 0, plan, NOON)
    if answered:
        answer = Answer("q", item.fingerprint, frozenset([answered]), 0.0, NOON)
        attempt = replace(attempt, answers={"q": answer})
    speech = Speech(catalogues, wording.locale, catalogues.language(lang))
    return Asking.of(speech, quiz, attempt, item)


def words(*options: str, locale: str = "en", stem: str = "?", why: str = "") -> Wording:
    """A wording whose options have the ids a, b, c …"""
    return Wording(locale, stem, dict(zip("abcdefghijkl", options, strict=False)), why)


def labels(screen: Screen) -> list[list[str]]:
    """The labels, row by row."""
    return [[button.text for button in row] for row in screen.rows]


def test_arabic_options_have_arabic_letters_and_lines_that_run_from_the_right(
    catalogues: Catalogues,
) -> None:
    wording = words("لأن ملفًا واحدًا قد يكون أكبر من أن يتسع له جهاز واحد", "MP3",
                    locale="ar", stem="safetensors: لماذا؟")  # fmt: skip
    asked = asking(catalogues, wording)
    screen = screens.question(catalogues.language("en"), asked)
    text, _ = parse_html(screen.html)
    lines = text.splitlines()
    assert lines[3] == "\u200fsafetensors: لماذا؟"
    assert lines[5].startswith("\u200fأ. ")
    assert lines[6] == "\u200fب. MP3"
    assert labels(screen) == [["أ", "ب"]]


@pytest.mark.parametrize(
    ("options", "rows"),
    [
        (["x" * 30, "y"], [["x" * 30], ["y"]]),
        (["x" * 31, "y"], [["A", "B"]]),
        (["分" * 15, "y"], [["分" * 15], ["y"]]),
        (["分" * 16, "y"], [["A", "B"]]),
        (["`code`", "y"], [["A", "B"]]),
        (["x" * 31] * 6 + ["y"] * 2, [list("ABCDEF"), list("GH")]),
        (["x" * 31] + ["y"] * 11, [list("ABCDEF"), list("GHIJKL")]),
    ],
)
def test_wide_options_and_markup_make_letters(
    catalogues: Catalogues, options: list[str], rows: list[list[str]]
) -> None:
    screen = screens.question(catalogues.language("en"), asking(catalogues, words(*options)))
    assert labels(screen) == rows


def test_combining_marks_take_no_columns(catalogues: Catalogues) -> None:
    hindi = "की" * 30  # 30 letters, each with a vowel sign
    screen = screens.question(
        catalogues.language("hi"), asking(catalogues, words(hindi, "न", locale="hi"))
    )
    assert labels(screen) == [[hindi], ["न"]]


@pytest.mark.parametrize(
    ("number", "total", "bar"),
    [(1, 1, "▰"), (1, 8, "▰▱▱▱▱▱▱▱"), (8, 8, "▰▰▰▰▰▰▰▰"), (1, 200, "▰▱▱▱▱▱▱▱▱▱"),
     (199, 200, "▰▰▰▰▰▰▰▰▰▱"), (200, 200, "▰▰▰▰▰▰▰▰▰▰")],
)  # fmt: skip
def test_the_bar(catalogues: Catalogues, number: int, total: int, bar: str) -> None:
    assert screens.progress(catalogues.language("en"), number, total).endswith(f"  {bar}")


SHIPPED = Catalogues.load(shipped.locales(), "en")

# What the checker lets into a quiz: no control characters, no halves of surrogate pairs.
letters = st.characters(exclude_categories=("Cc", "Cs")) | st.just("\n")
texts = st.text(letters, min_size=1, max_size=60).filter(lambda text: text.strip() != "")


@given(texts, texts, texts, st.sampled_from(["en", "hi", "vi"]), st.booleans())
def test_whatever_a_quiz_contains_telegram_takes_it(
    stem: str, option: str, why: str, lang: str, answered: bool
) -> None:
    catalogues = SHIPPED
    wording = words(option, "other", stem=stem, why=why)
    asked = asking(catalogues, wording, answered="b" if answered else "")
    language = catalogues.language(lang)
    for screen in (
        screens.question(language, asked),
        screens.explanation(language, asked),
        result.mistake(language, [asked], 0),
    ):
        text, _ = parse_html(screen.html)
        assert utf16(text) == length(screen.html)


REVIEW = "the question in the review of mistakes"


@pytest.mark.parametrize(
    ("wording", "what"),
    [
        (words("a", "b", stem="x" * 4100), {"the question", REVIEW}),
        (words("a", "b", why="y" * 4100), {"the explanation", REVIEW}),
        (words("a", "b", stem="x" * 2200, why="y" * 2200), {REVIEW}),
        (words("a", "b", stem="😀" * 2045), {"the question", REVIEW}),
        (words("a", "b", stem="x" * 3000), set()),
    ],
)  # fmt: skip
def test_what_is_too_long_for_a_message_is_measured_as_rendered(
    catalogues: Catalogues, wording: Wording, what: set[str]
) -> None:
    item = asking(catalogues, wording).question
    quiz = Quiz("z", "en", {"en": "Title"}, {"en": "Short."}, (item,))
    found = list(excesses(catalogues)(quiz))
    assert {excess[2] for excess in found} == what
    assert all(excess[3] > excess[4] == LONGEST for excess in found)


def test_a_title_that_is_too_long_is_measured(catalogues: Catalogues) -> None:
    item = asking(catalogues, words("a", "b")).question
    quiz = Quiz("z", "en", {"en": "T" * 100, "hi": "T" * 101}, {}, (item,))
    assert list(excesses(catalogues)(quiz)) == [("", "hi", "the title", 101, 100)]


def test_a_card_that_is_too_long_is_measured(catalogues: Catalogues) -> None:
    item = asking(catalogues, words("a", "b")).question
    quiz = Quiz("z", "en", {"en": "Title"}, {"en": "d" * 4100}, (item,))
    assert [excess[:3] for excess in excesses(catalogues)(quiz)] == [("", "en", "the card")]


def ended(right: int, of: int, pass_mark: int | None, stem: str = "?") -> tuple[Quiz, Attempt]:
    """A quiz of that many questions, and an attempt at it with the first ones right."""
    wording = words("a", "b", stem=stem)
    questions = tuple(
        Question(f"q{n}", ("a", "b"), frozenset("a"), {"en": wording}) for n in range(of)
    )
    quiz = Quiz("z", "en", {"en": "Z"}, {}, questions, pass_mark=pass_mark)
    answers = {
        q.id: Answer(q.id, q.fingerprint, frozenset("a"), float(n < right), NOON)
        for n, q in enumerate(questions)
    }
    plan = tuple(q.id for q in questions)
    return quiz, Attempt(1, 1, "z", 0, plan, NOON, finished_at=NOON, answers=answers)


def shown_result(catalogues: Catalogues, quiz: Quiz, attempt: Attempt) -> list[str]:
    """The lines of the result."""
    speech = Speech(catalogues, "en", catalogues.language("en"))
    askings = [Asking.of(speech, quiz, attempt, question) for question in quiz.questions]
    screen = result.result(speech.lang, quiz, attempt, askings, None, "a_bot")
    assert length(screen.html) <= LONGEST
    return plain(parse_html(screen.html)[0]).splitlines()


@pytest.mark.parametrize(
    ("right", "of", "mark", "passed", "percent"),
    [(29, 50, 58, True, "58%"), (57, 100, 57, True, "57%"), (16, 23, 70, False, "69%"),
     (7, 8, 88, False, "87%"), (7, 8, 87, True, "88%"), (0, 3, 0, True, "0%")],
)  # fmt: skip
def test_the_pass_mark_is_exact_and_the_percentage_never_contradicts_it(
    catalogues: Catalogues, right: int, of: int, mark: int, passed: bool, percent: str
) -> None:
    shown = shown_result(catalogues, *ended(right, of, mark))
    assert shown[2] == f"Your score: {right}/{of} ({percent})"
    assert shown[3].startswith("Passed" if passed else "Not passed")


def test_a_result_of_hundreds_of_questions_fits_into_a_message(catalogues: Catalogues) -> None:
    numbered = shown_result(catalogues, *ended(300, 300, None, "x" * 50))
    assert numbered[-300:] == [f"✅ {n}." for n in range(1, 301)]
    bare = shown_result(catalogues, *ended(1000, 1000, None))
    assert bare[-100:] == ["✅" * 10] * 100
