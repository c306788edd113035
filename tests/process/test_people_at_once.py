"""Several people take the shipped quiz at the same time, from the real process over HTTP."""

from __future__ import annotations

import asyncio

from bot.i18n import Catalogues
from bot.quiz.quiz import Quiz
from bot.sandbox.telegram import Telegram
from tests.contract import check_log
from tests.process import records
from tests.process.bot_process import BotProcess
from tests.process.learners import Learner

FOUR = ("hi", "vi", "en", "de")


async def test_four_people_take_the_quiz_each_in_one_language(
    telegram: Telegram, bot: BotProcess, shipped_quiz: Quiz, catalogues: Catalogues
) -> None:
    wrong = (shipped_quiz.questions[1].id, shipped_quiz.questions[4].id)
    learners = [
        Learner(telegram, shipped_quiz, catalogues, code, wrong=wrong if code == "vi" else ())
        for code in FOUR
    ]
    assert [learner.lang.locale for learner in learners] == ["hi", "vi", "en", "en"]
    await asyncio.gather(*(learner.takes_the_quiz() for learner in learners))
    assert [learner.score for learner in learners] == [8, 6, 8, 8]
    assert await bot.stop() == 0
    for learner in learners:
        _check(learner, bot)
        assert learner.doubled == 0
        assert [tap.refused for tap in learner.person.account.taps] == [0] * 18
    check_log(telegram.log)


def _check(learner: Learner, bot: BotProcess) -> None:
    """One attempt with the answers given, and every tap answered."""
    [attempt_id] = records.attempts(bot.database, learner.person.id)
    assert records.answers(bot.database, attempt_id) == learner.answered
    assert records.points(bot.database, attempt_id) == learner.score
    assert None not in learner.person.answers_to_taps
