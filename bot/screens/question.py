"""A question, before and after it is answered, and its explanation."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Self

from bot import buttons
from bot.i18n import Catalogues, Language, choose, direction_mark
from bot.markup import Html, bold, columns, escape, has_markup, plain, render
from bot.quiz.attempt import Answer, Attempt
from bot.quiz.quiz import Question, Quiz, Wording
from bot.screens import notices
from bot.screens.screen import Button, Row, Screen, column, grid, lines, link

WIDEST_BUTTON = 30  # columns; more is cut with "…" on a phone
LETTERS_PER_ROW = 6
BAR_CELLS = 10


class Mark(Enum):
    """What stands before an option."""

    NONE = ""
    RIGHT = "✅ "
    WRONG = "❌ "


STYLES = {Mark.RIGHT: "success", Mark.WRONG: "danger"}


@dataclass(frozen=True, slots=True)
class Speech:
    """How to speak to someone: the interface's language, and the one wanted for questions.

    They differ where a quiz exists in a language that the interface doesn't.
    """

    catalogues: Catalogues
    wanted: str
    lang: Language


@dataclass(frozen=True, slots=True)
class Asking:
    """A question as one attempt asks it: its words, letters and order, and what was chosen."""

    attempt: Attempt
    title: str
    question: Question
    wording: Wording
    letters: tuple[str, ...]
    order: tuple[str, ...]
    selected: frozenset[str] = frozenset()
    answer: Answer | None = None

    @classmethod
    def of(cls, speech: Speech, quiz: Quiz, attempt: Attempt, question: Question) -> Self:
        """In the language wanted or, as a whole, in the nearest the question exists in."""
        wanted = speech.wanted
        wording = question.wordings[choose(wanted, question.wordings, quiz.locale)]
        asked = attempt.asked
        on_screen = asked is not None and asked.question_id == question.id
        return cls(
            attempt=attempt,
            title=title(quiz, speech.lang),
            question=question,
            wording=wording,
            letters=speech.catalogues.letters(wording.locale),
            order=question.order(attempt.seed),
            selected=asked.selected if asked is not None and on_screen else frozenset(),
            answer=attempt.answers.get(question.id),
        )

    @property
    def number(self) -> int:
        """The question's place in the attempt, from 1."""
        return self.attempt.plan.index(self.question.id) + 1

    @property
    def lettered(self) -> bool:
        """Whether the options stand in the message, with letters on the buttons."""
        texts = self.wording.options.values()
        return any(
            has_markup(text) or "\n" in text or columns(text) > WIDEST_BUTTON for text in texts
        )

    def mark(self, option: str) -> Mark:
        """How the option came out, once answered."""
        if self.answer is None:
            return Mark.NONE
        if option in self.question.answer:
            return Mark.RIGHT
        return Mark.WRONG if option in self.answer.chosen else Mark.NONE


def title(quiz: Quiz, lang: Language) -> str:
    """The quiz's title in the interface's language, else in the quiz's source language."""
    return quiz.titles[choose(lang.locale, quiz.titles, quiz.locale)]


def question(lang: Language, asking: Asking) -> Screen:
    """The question's message."""
    mark = direction_mark(asking.wording.locale)
    text = lines(
        bold(escape(lang.mark + asking.title)),
        escape(f"{lang.mark}{progress(lang, asking.number, len(asking.attempt.plan))}"),
        Html(""),
        Html(escape(mark) + render(asking.wording.question)),
        *_lettered_lines(asking, mark),
        *_hint(lang, asking),
    )
    return Screen(text, (*_option_rows(asking), *_done_row(lang, asking)))


def progress(lang: Language, number: int, total: int) -> str:
    """Where we are, with a bar: `3/8  ▰▰▰▱▱▱▱▱`."""
    cells = min(total, BAR_CELLS)
    full = max(1, number * cells // total)
    # Translators: a question's place in the quiz, as in 3/8
    place = lang.text("{number}/{total}", number=number, total=total)
    return f"{place}  {'▰' * full}{'▱' * (cells - full)}"


def _lettered_lines(asking: Asking, mark: str) -> Iterable[Html]:
    if asking.lettered:
        yield Html("")
        yield from (_option_line(asking, option, mark) for option in asking.order)


def _option_line(asking: Asking, option: str, mark: str) -> Html:
    """One option with its letter; a choice stands out in bold once answered."""
    letter = bold(escape(f"{_letter(asking, option)}."))
    text = render(asking.wording.options[option])
    line = Html(f"{letter} {text}")
    chosen = asking.answer is not None and option in asking.answer.chosen
    return Html(escape(mark + asking.mark(option).value) + (bold(line) if chosen else line))


def _letter(asking: Asking, option: str) -> str:
    return asking.letters[asking.order.index(option)]


def _hint(lang: Language, asking: Asking) -> Iterable[Html]:
    if asking.question.multiple and asking.answer is None:
        yield Html("")
        # Translators: "Done" is the button of that name
        yield escape(lang.mark + lang.text("Choose all that apply, then tap Done."))


def _option_rows(asking: Asking) -> tuple[Row, ...]:
    options = [_option_button(asking, option) for option in asking.order]
    if asking.lettered:
        return grid(options, LETTERS_PER_ROW)
    return column(options)


def _option_button(asking: Asking, option: str) -> Button:
    text = plain(asking.wording.options[option])
    label = _letter(asking, option) if asking.lettered else text
    mark = asking.mark(option)
    return Button(
        f"{_box(asking, option)}{mark.value}{label}",
        _meaning(asking, option),
        style=STYLES.get(mark),
    )


def _meaning(asking: Asking, option: str) -> buttons.Meaning:
    """What the button shows is what it does: an option not selected yet is taken in."""
    keys = buttons.key(asking.question.id), buttons.key(option)
    if asking.question.multiple:
        return buttons.Select(asking.attempt.id, *keys, int(option not in asking.selected))
    return buttons.Choose(asking.attempt.id, *keys)


def _box(asking: Asking, option: str) -> str:
    """Where several may be chosen: which are, and once answered, which were."""
    if not asking.question.multiple:
        return ""
    if asking.answer is not None:
        return "☑ " if option in asking.answer.chosen else ""
    return "☑ " if option in asking.selected else "☐ "


def _done_row(lang: Language, asking: Asking) -> tuple[Row, ...]:
    if not asking.question.multiple or asking.answer is not None:
        return ()
    selected = buttons.key_of_set(asking.selected)
    done = buttons.Done(asking.attempt.id, buttons.key(asking.question.id), selected)
    return ((Button(lang.term("button", "Done"), done, style="primary"),),)


def explanation(lang: Language, asking: Asking) -> Screen:
    """The verdict, the correct option and why, with the button that goes on."""
    return Screen(explained(lang, asking), (_next(lang, asking.attempt),))


def explained(lang: Language, asking: Asking) -> Html:
    """The verdict, the correct option and why."""
    mark = direction_mark(asking.wording.locale)
    why = asking.wording.explanation
    return lines(
        bold(escape(lang.mark + verdict(lang, asking.answer))),
        *(_correct_line(asking, option, mark) for option in _correct(asking)),
        *((Html(""), Html(escape(mark) + render(why))) if why else ()),
        *_read_more(lang, asking),
    )


def _correct(asking: Asking) -> list[str]:
    return [option for option in asking.order if option in asking.question.answer]


def _correct_line(asking: Asking, option: str, mark: str) -> Html:
    text = render(asking.wording.options[option])
    letter = Html(f"{bold(escape(_letter(asking, option) + '.'))} ") if asking.lettered else ""
    return Html(f"{mark}✅ {letter}{text}")


def _read_more(lang: Language, asking: Asking) -> Iterable[Html]:
    if asking.question.link is not None:
        yield Html("")
        yield Html(escape(lang.mark) + link(asking.question.link, lang.text("🔗 Read more")))


def _next(lang: Language, attempt: Attempt) -> Row:
    ended = attempt.finished_at is not None
    label = lang.term("button", "Your result ▸") if ended else lang.term("button", "Next ▸")
    return (Button(label, buttons.Show(attempt.id, attempt.shown), style="primary"),)


def verdict(lang: Language, answer: Answer | None) -> str:
    """Right, wrong, or something between, in a few words."""
    if answer is None or answer.credit is None:
        return lang.text("This question didn't count.")
    if answer.credit >= 1:
        return lang.text("✅ Correct!")
    if answer.credit > 0:
        return lang.text("🟡 Partly right: {share}", share=lang.percent(answer.credit))
    # Translators: a wrong answer; it should encourage, not blame
    return lang.text("❌ Not quite.")


def changed(lang: Language, attempt: Attempt) -> Screen:
    """The question changed or went while it was open; the attempt goes on."""
    return Screen(escape(lang.mark + notices.changed(lang, 1)), (_next(lang, attempt),))


def dropped(lang: Language, count: int) -> Screen:
    """Questions changed or went before they could be answered."""
    return Screen(escape(lang.mark + notices.changed(lang, count)))
