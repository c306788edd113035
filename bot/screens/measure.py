"""Whether everything a quiz becomes on the screen fits into Telegram's messages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime

from bot.i18n import Catalogues, Language
from bot.markup import length
from bot.quiz.attempt import Answer, Attempt, Best
from bot.quiz.quiz import Question, Quiz
from bot.screens import catalogue, question, result
from bot.screens.catalogue import CardView, Entry
from bot.screens.question import Asking, Speech
from bot.screens.screen import LONGEST, Screen

LONGEST_TITLE = 100  # so that ten of them, told twice, and the link to share stay in their limits
PLENTY = 1500  # more than everything that the interface adds to a question's own words

Excess = tuple[str, str, str, int, int]
"""Question id (empty for the card), locale, what it is, its length and the limit."""


def excesses(catalogues: Catalogues) -> Callable[[Quiz], Iterator[Excess]]:
    """What of a quiz is too long in any of its languages under any of the interface's.

    Lengths are UTF-16 units of the text as rendered.
    """
    languages = [catalogues.language(locale) for locale in catalogues.locales]
    return lambda quiz: _quiz(catalogues, languages, quiz)


def _quiz(catalogues: Catalogues, languages: list[Language], quiz: Quiz) -> Iterator[Excess]:
    for locale, title in quiz.titles.items():
        if _units(title) > LONGEST_TITLE:
            yield "", locale, "the title", _units(title), LONGEST_TITLE
    for locale in quiz.descriptions:
        yield from _over("", locale, "the card", (_card(lang, quiz, locale) for lang in languages))
    for item in quiz.questions:
        for locale, wording in item.wordings.items():
            words = [wording.question, wording.explanation, *wording.options.values()]
            if 2 * sum(map(_units, words)) + PLENTY <= LONGEST:
                continue
            speeches = [Speech(catalogues, locale, lang) for lang in languages]
            for what, screens in _screens(speeches, quiz, item):
                yield from _over(item.id, locale, what, screens)


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _over(id_: str, locale: str, what: str, screens: Iterable[Screen]) -> Iterator[Excess]:
    longest = max(length(screen.html) for screen in screens)
    if longest > LONGEST:
        yield id_, locale, what, longest, LONGEST


def _card(lang: Language, quiz: Quiz, locale: str) -> Screen:
    questions = len(quiz.questions)
    best = Best(questions, questions, datetime(2000, 9, 30, tzinfo=UTC))
    title = max(quiz.titles.values(), key=_units)
    view = CardView(Entry(quiz.id, title, best=best), quiz.descriptions[locale], questions, 0)
    return catalogue.card(lang, view, best.last_at.date())


def _screens(
    speeches: list[Speech], quiz: Quiz, item: Question
) -> Iterator[tuple[str, list[Screen]]]:
    """The messages a question becomes when every option was chosen, which is the longest case."""
    at = datetime(2000, 1, 1, tzinfo=UTC)
    answer = Answer(item.id, item.fingerprint, frozenset(item.option_ids), 0.0, at)
    plan = tuple(question_.id for question_ in quiz.questions)
    attempt = Attempt(1, 1, quiz.id, 0, plan, at, answers={item.id: answer})
    askings = [(speech.lang, Asking.of(speech, quiz, attempt, item)) for speech in speeches]
    yield "the question", [question.question(lang, asking) for lang, asking in askings]
    yield "the explanation", [question.explanation(lang, asking) for lang, asking in askings]
    yield (
        "the question in the review of mistakes",
        [result.mistake(lang, [asking], 0) for lang, asking in askings],
    )
