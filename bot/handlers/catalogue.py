"""The quizzes there are: /start, /quiz, the catalogue and a quiz's card."""

from __future__ import annotations

from bot import buttons, tongue
from bot.i18n import choose
from bot.quiz.attempt import Attempt, Best
from bot.quiz.quiz import Quiz
from bot.screens import catalogue as screens
from bot.screens import language as language_screens
from bot.screens import notices
from bot.screens import question as question_screens
from bot.screens.catalogue import CardView, Entry
from bot.screens.screen import Screen
from bot.store import attempts
from bot.store.attempts import Standing
from bot.turn import Command, Feature, Turn


async def start(turn: Turn) -> None:
    """/start: the quizzes."""
    screen = screens.welcome(turn.lang, await _entries(turn))
    turn.send(await _with_languages(turn, screen))


async def open_link(turn: Turn, link: buttons.QuizLink) -> None:
    """A deep link to a quiz: its card."""
    quiz = turn.world.quizzes.get(link.quiz_id)
    if quiz is None:
        screen = screens.no_such_quiz(turn.lang, await _entries(turn))
        turn.send(await _with_languages(turn, screen))
    else:
        turn.send(await _with_languages(turn, await _card(turn, quiz), quiz.id))


async def _with_languages(turn: Turn, screen: Screen, quiz_id: str = "") -> Screen:
    """With the languages below, until the person has chosen one or begun a quiz."""
    if turn.person.locale is not None or await attempts.any_of(turn.tx, turn.person.id):
        return screen
    return language_screens.with_languages(screen, turn.world.languages(), quiz_id)


async def speak_first(turn: Turn, button: buttons.SpeakFirst) -> None:
    """A language chosen on the first message, which is drawn again in it."""
    if not await tongue.speak(turn, button.locale):
        return
    quiz = turn.world.quizzes.get(button.quiz_id)
    if quiz is not None:
        screen = await _card(turn, quiz)
    else:
        screen = screens.welcome(turn.lang, await _entries(turn))
    names = turn.world.languages()
    turn.edit(language_screens.with_languages(screen, names, button.quiz_id))
    await tongue.redraw_questions(turn)


async def go_on(turn: Turn) -> None:
    """/quiz: what is under way, else the catalogue."""
    under_way = [
        _entry(turn, turn.world.quizzes[attempt.quiz_id], attempt)
        for attempt in await attempts.open_ones(turn.tx, turn.person.id)
        if attempt.quiz_id in turn.world.quizzes
    ]
    if under_way:
        turn.send(screens.go_on(turn.lang, under_way))
    else:
        await more(turn, buttons.MoreQuizzes())


async def more(turn: Turn, _: buttons.MoreQuizzes) -> None:
    """The catalogue as a new message."""
    turn.send(screens.catalogue(turn.lang, await _entries(turn)))


async def browse(turn: Turn, button: buttons.Catalogue) -> None:
    """A page of the catalogue, in place of the message tapped."""
    turn.edit(screens.catalogue(turn.lang, await _entries(turn), button.page))


async def card(turn: Turn, button: buttons.Card) -> None:
    """A quiz's card, in place of the message tapped."""
    quiz = turn.world.quizzes.get(button.quiz_id)
    if quiz is None:
        turn.toast(notices.quiz_gone(turn.lang))
    else:
        turn.edit(await _card(turn, quiz))


async def _card(turn: Turn, quiz: Quiz) -> Screen:
    standing = await attempts.standing(turn.tx, turn.person.id, quiz.id)
    entry = _entry(turn, quiz, standing.open, standing.best)
    spoken = choose(turn.lang.locale, quiz.descriptions, quiz.locale) if quiz.descriptions else ""
    description = quiz.descriptions.get(spoken, "")
    view = CardView(entry, description, len(quiz.questions), standing.newest_id)
    last_on = turn.date_of(standing.best.last_at) if standing.best is not None else None
    return screens.card(turn.lang, view, last_on)


async def _entries(turn: Turn) -> list[Entry]:
    standings = await attempts.standings(turn.tx, turn.person.id)
    none = Standing()
    return [
        _entry(turn, quiz, standings.get(quiz.id, none).open, standings.get(quiz.id, none).best)
        for quiz in turn.world.quizzes.values()
    ]


def _entry(turn: Turn, quiz: Quiz, open_: Attempt | None, best: Best | None = None) -> Entry:
    return Entry(quiz.id, question_screens.title(quiz, turn.lang), open_, best)


FEATURE = Feature(
    commands=(
        Command("start", start, screens.describe_start),
        Command("quiz", go_on, screens.describe_quiz),
    ),
    buttons={
        buttons.Catalogue: browse,
        buttons.MoreQuizzes: more,
        buttons.Card: card,
        buttons.SpeakFirst: speak_first,
    },
    links={buttons.QuizLink: open_link},
)
