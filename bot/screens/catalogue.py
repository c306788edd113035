"""The catalogue of quizzes, a quiz's card, and going on where one stopped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from bot import buttons
from bot.i18n import Language
from bot.markup import Html, bold, columns, escape, render
from bot.quiz.attempt import Attempt, Best
from bot.screens.result import best_so_far, points
from bot.screens.screen import Button, Row, Screen, column, lines

PER_PAGE = 10
WIDEST_LABEL = 34  # columns; wider labels are cut on a phone, so the text tells them in full


@dataclass(frozen=True, slots=True)
class Entry:
    """A quiz, and how the learner stands at it."""

    quiz_id: str
    title: str
    open: Attempt | None = None
    best: Best | None = None


def describe_start(lang: Language) -> str:
    """/start in the command menu."""
    # Translators: commands stand in a narrow menu: up to about 40 characters, no full stop
    return lang.term("command", "See all quizzes")


def describe_quiz(lang: Language) -> str:
    """/quiz in the command menu."""
    return lang.term("command", "Go on where you stopped, or pick a quiz")


def welcome(lang: Language, entries: Sequence[Entry], page: int = 0) -> Screen:
    """What the bot is, and the quizzes."""
    greeting = lang.text("👋 Welcome! Pick a quiz: every answer comes with an explanation.")
    return _listing(lang, greeting, entries, page)


def catalogue(lang: Language, entries: Sequence[Entry], page: int = 0) -> Screen:
    """The quizzes with the learner's state at each, a page at a time."""
    return _listing(lang, lang.text("📚 Pick a quiz:"), entries, page)


def _listing(lang: Language, head: str, entries: Sequence[Entry], page: int) -> Screen:
    if not entries:
        return Screen(escape(lang.mark + lang.text("There are no quizzes here yet.")))
    last = (len(entries) - 1) // PER_PAGE
    page = min(page, last)
    shown = entries[page * PER_PAGE : (page + 1) * PER_PAGE]
    labels = [_label(lang, entry) for entry in shown]
    choices = [
        Button(label, buttons.Card(entry.quiz_id))
        for label, entry in zip(labels, shown, strict=True)
    ]
    text = lines(escape(lang.mark + head), *_in_full(lang, labels))
    return Screen(text, (*column(choices), *_turn(page, last)))


def _label(lang: Language, entry: Entry) -> str:
    """The title behind the state: `▶ 3/8` under way, `✅ 7/8` the best so far."""
    if entry.open is not None:
        done, of = len(entry.open.answers), len(entry.open.plan)
        return f"▶ {points(lang, done, of)} · {lang.isolate(entry.title)}"
    if entry.best is not None:
        best = points(lang, entry.best.points, entry.best.counted)
        return f"✅ {best} · {lang.isolate(entry.title)}"
    return entry.title


def _in_full(lang: Language, labels: Sequence[str]) -> list[Html]:
    """The labels in the text too, when some are too wide for a button on a phone."""
    if all(columns(label) <= WIDEST_LABEL for label in labels):
        return []
    return [Html(""), *(escape(f"{lang.mark}• {label}") for label in labels)]


def _turn(page: int, last: int) -> tuple[Row, ...]:
    back = Button("◂", buttons.Catalogue(page - 1)) if page > 0 else None
    on = Button("▸", buttons.Catalogue(page + 1)) if page < last else None
    row = tuple(button for button in (back, on) if button is not None)
    return (row,) if row else ()


@dataclass(frozen=True, slots=True)
class CardView:
    """A quiz for its card. `newest_id` is the learner's newest attempt at it, 0 for none."""

    entry: Entry
    description: str
    questions: int
    newest_id: int


def card(lang: Language, view: CardView, last_on: date | None) -> Screen:
    """Title, description, number of questions, best score; Start, or Continue and Start over.

    `last_on` is when the quiz was last finished, where the learner is.
    """
    text = lines(
        bold(escape(lang.mark + view.entry.title)),
        Html(escape(lang.mark) + render(view.description)) if view.description else None,
        Html(""),
        escape(lang.mark + lang.plural("{n} question", "{n} questions", view.questions)),
        *_so_far(lang, view.entry, last_on),
    )
    return Screen(text, (*_begin_rows(lang, view), *_back(lang)))


def _so_far(lang: Language, entry: Entry, last_on: date | None) -> list[Html]:
    said = []
    if entry.best is not None:
        said.append(best_so_far(lang, entry.best))
    if last_on is not None:
        said.append(lang.text("Last finished: {date}", date=lang.date(last_on)))
    return [escape(lang.mark + line) for line in said]


def _begin_rows(lang: Language, view: CardView) -> tuple[Row, ...]:
    begin, attempt = buttons.Begin(view.entry.quiz_id, view.newest_id), view.entry.open
    if attempt is None:
        # Translators: begins the quiz
        return ((Button(lang.term("button", "Start"), begin, style="primary"),),)
    place = points(lang, len(attempt.answers), len(attempt.plan))
    # Translators: goes on with the quiz begun; {place} is as in 3/8
    go_on = lang.term("button", "Continue ({place})", place=place)
    return column(
        [
            Button(go_on, buttons.Show(attempt.id, attempt.shown), style="primary"),
            Button(lang.term("button", "Start over"), begin),
        ]
    )


def _back(lang: Language) -> tuple[Row, ...]:
    return ((Button(lang.term("button", "◂ All quizzes"), buttons.Catalogue(0)),),)


def go_on(lang: Language, entries: Sequence[Entry]) -> Screen:
    """The newest quizzes under way, each to go on with exactly where the learner stopped."""
    newest = entries[:PER_PAGE]
    labels = [_label(lang, entry) for entry in newest]
    choices = [
        Button(label, buttons.Show(entry.open.id, entry.open.shown))
        for label, entry in zip(labels, newest, strict=True)
        if entry.open is not None
    ]
    more = Button(lang.term("button", "📚 More quizzes"), buttons.MoreQuizzes())
    head = escape(lang.mark + lang.text("Go on where you stopped:"))
    return Screen(lines(head, *_in_full(lang, labels)), column([*choices, more]))


def no_such_quiz(lang: Language, entries: Sequence[Entry]) -> Screen:
    """A deep link to a quiz that isn't here, and those that are."""
    return _listing(
        lang, lang.text("The quiz this link leads to isn't here any more. These are:"), entries, 0
    )
