"""Several people take the shipped quiz at the same time, from the real process over HTTP."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

from bot.i18n import Catalogues
from bot.quiz.quiz import Quiz
from bot.sandbox.telegram import Telegram
from tests.contract import check_log
from tests.process import records
from tests.process.bot_process import PATIENCE_S, BotProcess
from tests.process.conftest import MakeBot
from tests.process.learners import Learner

FOUR = ("hi", "vi", "en", "de")
CROWD = 20
TIMES = 5
FORGED = ("", "x", "t:1:a:b", "b:checkpoint-sharding:zzzz", "n:1:99", "d:1:😀", "right_answer:1")


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


async def test_twenty_people_tap_everything_five_times_with_forged_taps_between(
    telegram: Telegram, make_bot: MakeBot, quiz_folder: Path, quiz: Quiz, catalogues: Catalogues
) -> None:
    bot = make_bot(QUIZBOT_QUIZ_DIR=quiz_folder)
    await bot.start()
    dice = random.Random(5)
    crowd: list[Learner] = []

    def interfere(learner: Learner) -> None:
        """A forged payload, or one that belongs to somebody else's attempt."""
        others = dice.choice([one for one in crowd if one is not learner]).payloads()
        stolen = [data for data in others if data.startswith(("n:", "t:", "m:", "r:"))]
        data = dice.choice([*FORGED, *stolen, *stolen])
        telegram.tap_data(learner.person.id, learner.person.received[-1]["message_id"], data)

    for n in range(CROWD):
        wrong = tuple(question.id for question in quiz.questions if dice.random() < 0.3)
        crowd.append(
            Learner(
                *(telegram, quiz, catalogues, FOUR[n % 4]),
                wrong=wrong,
                times=TIMES,
                between=interfere,
            )
        )
    await asyncio.gather(*(learner.takes_the_quiz() for learner in crowd))
    await asyncio.gather(*(learner.begins() for learner in crowd))
    await telegram.until(lambda: not len(telegram.updates), PATIENCE_S)
    assert await bot.stop() == 0
    presses = 3 + 2 * len(quiz.questions)  # the quiz, Start, options and Next, Try again
    for learner in crowd:
        first, again = records.attempts(bot.database, learner.person.id)
        assert records.answers(bot.database, first) == learner.answered
        assert records.points(bot.database, first) == learner.score
        assert records.answers(bot.database, again) == {}
        assert learner.doubled == 1  # the first question once more, of the second attempt
        taps = learner.person.account.taps
        assert len(taps) == presses * (TIMES + 1)
        assert None not in [tap.answer for tap in taps]
        assert {tap.refused for tap in taps} == {0}
    assert records.unfinished(bot.database) == []
    assert "too old" not in str(telegram.log)


def _check(learner: Learner, bot: BotProcess) -> None:
    """One attempt with the answers given, and every tap answered."""
    [attempt_id] = records.attempts(bot.database, learner.person.id)
    assert records.answers(bot.database, attempt_id) == learner.answered
    assert records.points(bot.database, attempt_id) == learner.score
    assert None not in learner.person.answers_to_taps
