"""Changing the language: what every place that offers it does."""

from __future__ import annotations

from bot.screens import language as language_screens
from bot.screens import question as question_screens
from bot.screens.question import Asking
from bot.store import attempts, people
from bot.turn import Keep, Step, Turn


async def speak(turn: Turn, locale: str) -> bool:
    """From now on in this language; the open questions are drawn again in it, in place.

    False, and said so, if the language isn't there any more.
    """
    names = turn.world.languages()
    if locale not in names:
        turn.toast(language_screens.not_spoken(turn.lang))
        return False
    await people.speak(turn.tx, turn.person.id, locale)
    turn.speech = turn.world.speech(locale)
    turn.toast(language_screens.chosen(turn.lang, names[locale]))
    return True


async def redraw_questions(turn: Turn) -> None:
    """Every question that waits for an answer, where it stands.

    The newest one is sent anew if nobody knows where that is.
    """
    for n, attempt in enumerate(await attempts.open_ones(turn.tx, turn.person.id)):
        quiz = turn.world.quizzes.get(attempt.quiz_id)
        question = attempt.waiting(quiz) if quiz is not None else None
        if quiz is None or question is None:
            continue
        screen = question_screens.question(
            turn.lang, Asking.of(turn.speech, quiz, attempt, question)
        )
        if attempt.message_id is not None:
            turn.redraw(screen, attempt.message_id)
        elif n == 0:
            turn.send(screen, keep=Keep(Step.SHOWN, attempt.id, attempt.shown))
