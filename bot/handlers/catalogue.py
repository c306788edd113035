"""The quizzes there are: /start, /quiz, the catalogue and a quiz's card."""

from __future__ import annotations

from bot import buttons
from bot.i18n import choose
from bot.quiz.quiz import Quiz
from bot.screens import catalogue as screens
from bot.screens import language as language_screens
from bot.screens import question as question_screens
from bot.screens.catalogue import CardView, Entry
from bot.screens.screen import Screen
from bot.store import attempts, people
from bot.store.attempts import Best, Standing
from bot.turn import Command, Feature, Turn


async def start(turn: Turn) -> None:
    """/start: the quizzes. The first contact also carries the languages."""
    turn.send(_with_languages(turn, screens.welcome(turn.lang, await _entries(turn))))


async def open_link(turn: Turn, link: buttons.QuizLink) -> None:
    """A deep link to a quiz: its card. The first contact also carries the languages."""
    quiz = turn.world.quizzes.get(link.quiz_id)
    if quiz is None:
        turn.send(screens.no_such_quiz(turn.lang, await _entries(turn)))
    else:
        turn.send(_with_languages(turn, await _card(turn, quiz), quiz.id))


def _with_languages(turn: Turn, screen: Screen, quiz_id: str = "") -> Screen:
    if not turn.person.new:
        return screen
    return language_screens.with_languages(screen, turn.world.languages(), quiz_id)


async def speak_first(turn: Turn, button: buttons.SpeakFirst) -> None:
    """A language chosen on the first message, which is drawn again in it."""
    names = turn.world.languages()
    if button.locale not in names:
        turn.toast(language_screens.not_spoken(turn.lang))
        return
    await people.speak(turn.tx, turn.person.id, button.locale)
    turn.speech = turn.world.speech(button.locale)
    turn.toast(language_screens.chosen(turn.lang, names[button.locale]))
    quiz = turn.world.quizzes.get(button.quiz_id)
    if quiz is not None:
        screen = await _card(turn, quiz)
    else:
        screen = screens.welcome(turn.lang, await _entries(turn))
    turn.edit(language_screens.with_languages(screen, names, button.quiz_id))


async def go_on(turn: Turn) -> None:
    """/quiz: what is under way, else the catalogue."""
    under_way = [
        (
            _entry(
                turn, turn.world.quizzes[attempt.quiz_id], Standing(attempt.quiz_id, open=attempt)
            ),
            attempt,
        )
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
        turn.toast(question_screens.quiz_gone(turn.lang))
    else:
        turn.edit(await _card(turn, quiz))


async def _card(turn: Turn, quiz: Quiz) -> Screen:
    standing = await attempts.standing(turn.tx, turn.person.id, quiz.id)
    spoken = choose(turn.lang.locale, quiz.descriptions, quiz.locale) if quiz.descriptions else ""
    view = CardView(
        quiz.id,
        question_screens.title(quiz, turn.lang),
        quiz.descriptions.get(spoken, ""),
        len(quiz.questions),
        standing.newest_id,
        standing.open,
        _points(standing.best),
        turn.date_of(standing.best.last_at) if standing.best is not None else None,
    )
    return screens.card(turn.lang, view)


async def _entries(turn: Turn) -> list[Entry]:
    standings = await attempts.standings(turn.tx, turn.person.id)
    return [
        _entry(turn, quiz, standings.get(quiz.id, Standing(quiz.id)))
        for quiz in turn.world.quizzes.values()
    ]


def _entry(turn: Turn, quiz: Quiz, standing: Standing) -> Entry:
    title = question_screens.title(quiz, turn.lang)
    return Entry(quiz.id, title, standing.open, _points(standing.best))


def _points(best: Best | None) -> tuple[float, int] | None:
    return (best.points, best.counted) if best is not None else None


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
