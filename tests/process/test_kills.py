"""kill -9 at random moments while people take quizzes."""

from __future__ import annotations

import asyncio
import random
from collections import Counter

import pytest

from bot import shipped
from bot.i18n import Catalogues
from bot.quiz.quiz import Quiz
from bot.sandbox.telegram import Telegram
from tests.process import records
from tests.process.bot_process import PATIENCE_S, BotProcess, Launch
from tests.process.conftest import KILLS, LONG_S, MakeBot
from tests.process.learners import Learner

_STATES = "SELECT DISTINCT state FROM inbox WHERE kept_until IS NULL"
LANGUAGES = ("hi", "vi", "en", "de")


@pytest.mark.timeout(LONG_S)
async def test_kills_at_random_moments_lose_and_double_no_answer(
    telegram: Telegram,
    make_bot: MakeBot,
    launch: Launch,
    shipped_quiz: Quiz,
    catalogues: Catalogues,
    capsys: pytest.CaptureFixture[str],
) -> None:
    bot = make_bot(launch=launch, QUIZBOT_QUIZ_DIR=shipped.quizzes())
    seed = random.SystemRandom().getrandbits(32)
    dice = random.Random(seed)
    learners: list[Learner] = []
    killing_over = asyncio.Event()

    async def keep_learning(language: str) -> None:
        """One learner after the other, until nothing is killed any more."""
        while not killing_over.is_set():
            wrong = tuple(q.id for q in shipped_quiz.questions if dice.random() < 0.3)
            learners.append(Learner(telegram, shipped_quiz, catalogues, language, wrong=wrong))
            await learners[-1].takes_the_quiz()

    await bot.start()
    try:
        async with bot.kept_running(), asyncio.TaskGroup() as group:
            for language in LANGUAGES:
                group.create_task(keep_learning(language))
            windows = await _kill_at_random(bot, KILLS or 12, dice)
            killing_over.set()
        await telegram.until(lambda: not len(telegram.updates), PATIENCE_S)
        assert await bot.stop() == 0
        counts = _counted(bot, learners)
    except BaseException:
        print(f"the seed of the moments was {seed}")
        raise
    with capsys.disabled():
        print(f"\n{bot.kills} kills at random moments: {_listed(windows)}")
        print(f"{len(learners)} learners: {_listed(counts)}")
    assert records.unfinished(bot.database) == []


async def _kill_at_random(bot: BotProcess, kills: int, dice: random.Random) -> Counter[str]:
    """At a random call or soon after it, or at any moment of a start; returns how often it died
    with what under way."""
    windows: Counter[str] = Counter()
    for _ in range(kills):
        calls = len(bot.telegram.log) + dice.randrange(60)
        if dice.random() < 0.8:
            await _calls(bot.telegram, calls)
        await asyncio.sleep(dice.random() * dice.choice((0.003, 0.03, 0.3)))
        await bot.kill()
        states = {state for (state,) in records.rows(bot.database, _STATES)}
        windows[f"{' and '.join(sorted(states)) or 'nothing'} unfinished"] += 1
        await bot.telegram.until(lambda: bot.alive, PATIENCE_S)
    return windows


async def _calls(telegram: Telegram, count: int) -> None:
    """Returns when so many calls were executed."""
    await telegram.until(lambda: len(telegram.log) >= count, PATIENCE_S)


def _counted(bot: BotProcess, learners: list[Learner]) -> Counter[str]:
    """What went wrong, in numbers; asserts that no answer, attempt or tap is among it."""
    counts = Counter(
        {
            "answers": 0,
            "doubled messages": 0,
            "taps answered again": 0,
            "taps answered too late": 0,
        }
    )
    for learner in learners:
        [attempt_id] = records.attempts(bot.database, learner.person.id)
        assert records.answers(bot.database, attempt_id) == learner.answered
        assert records.points(bot.database, attempt_id) == learner.score
        taps = learner.person.account.taps
        assert learner.ignored_taps == []
        assert 0 <= learner.doubled <= bot.kills
        counts["doubled messages"] += learner.doubled
        counts["answers"] += len(learner.answered)
        counts["taps answered again"] += sum(tap.refused for tap in taps if tap.answer)
        counts["taps answered too late"] += sum(tap.answer is None for tap in taps)
    assert counts["doubled messages"] <= bot.kills * len(LANGUAGES)
    return counts


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{count} {what}" for what, count in counts.items())
