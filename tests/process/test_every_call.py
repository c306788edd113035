"""kill -9 at the calls of a whole dialogue: before Telegram executes one, and after that but
before the bot is told. A long run takes every call, others a third of these windows."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bot.i18n import Catalogues
from bot.quiz.quiz import Quiz
from bot.sandbox.errors import Drop
from bot.sandbox.profile import Profile
from bot.sandbox.telegram import Telegram
from tests.process import records
from tests.process.bot_process import PATIENCE_S, BotProcess, Launch
from tests.process.conftest import KILLS, LONG_S, MakeBot
from tests.process.learners import Learner

_AT_START = (
    "getMe",
    "deleteWebhook",
    "getUpdates",
    "getMyCommands",
    "setMyCommands",
    "getMyDescription",
    "setMyDescription",
    "getMyShortDescription",
    "setMyShortDescription",
)
STRIDE = 1 if KILLS else 3  # odd: of each call it takes the one window or the other
_BESIDES = 2  # messages besides the quiz's own: the languages, and whether to erase everything


@dataclass(frozen=True, slots=True)
class Window:
    """The n-th call of a method, from 1, from when it was aimed at or, if `starting`, from a
    start."""

    method: str
    n: int
    executed: bool
    starting: bool = False

    def __str__(self) -> str:
        when = "after" if self.executed else "before"
        return f"{self.method}{' at the start' * self.starting}, {when} its execution"


class Reaper:
    """Kills the bot in the window it is aimed at, once. `calls` counts those since then."""

    def __init__(self, bot: BotProcess) -> None:
        self._bot = bot
        self._window: Window | None = None
        self.calls: Counter[str] = Counter()
        bot.telegram.before, bot.telegram.after = self._before, self._after

    def aim(self, window: Window | None) -> None:
        """None: at nothing."""
        self._window = window
        self.calls.clear()

    async def done(self) -> None:
        """Returns when the bot was killed and polls again."""
        telegram, bot = self._bot.telegram, self._bot
        await telegram.until(lambda: self._window is None, PATIENCE_S)  # the call came
        await telegram.until(lambda: bot.alive and telegram.updates.polled, PATIENCE_S)

    async def _before(self, method: str, _: Mapping[str, Any]) -> None:
        self.calls[method] += 1
        await self._strike(method, executed=False)

    async def _after(self, method: str, _: Mapping[str, Any]) -> None:
        await self._strike(method, executed=True)

    async def _strike(self, method: str, *, executed: bool) -> None:
        aimed = self._window
        here = (method, self.calls[method], executed)
        if aimed is not None and here == (aimed.method, aimed.n, aimed.executed):
            self._window = None
            await self._bot.kill()
            raise Drop


@pytest.mark.timeout(LONG_S)
async def test_a_kill_at_any_call_loses_and_doubles_no_answer(
    telegram: Telegram,
    make_bot: MakeBot,
    launch: Launch,
    quiz_folder: Path,
    quiz: Quiz,
    catalogues: Catalogues,
    capsys: pytest.CaptureFixture[str],
) -> None:
    bot = make_bot(launch=launch, QUIZBOT_QUIZ_DIR=quiz_folder)
    reaper = Reaper(bot)
    learners: dict[Window, Learner] = {}
    table: dict[str, Counter[str]] = defaultdict(Counter)
    await bot.start()
    async with bot.kept_running():
        reaper.aim(None)
        first = Learner(telegram, quiz, catalogues, "vi")
        await _dialogue(first, bot)
        await first.is_forgotten()
        for window in [*_at_start(), *_in_dialogue(reaper.calls)][::STRIDE]:
            learners[window] = Learner(telegram, quiz, catalogues, "vi", wrong=quiz_wrong(quiz))
            table[str(window)] += await _killed_in(window, reaper, bot, learners[window])
    assert await bot.stop() == 0
    for window, learner in learners.items():
        expected = 2 if window.starting else learner.messages + _BESIDES
        doubled = len(learner.person.received) - expected
        table[str(window)]["doubled messages"] += doubled
        assert 0 <= doubled <= 1
        assert records.about(bot.database, learner.person.id) == {}
        assert learner.ignored_taps == []
    with capsys.disabled():
        print(_as_text(table))
    assert records.unfinished(bot.database) == []
    assert {language for _, language in telegram.world.profile.commands} == {"", "en", "hi", "vi"}
    for counts in table.values():
        assert (counts["second attempts"], counts["lost answers"], counts["doubled answers"]) == (
            0,
            0,
            0,
        )


def quiz_wrong(quiz: Quiz) -> tuple[str, ...]:
    """The last question is answered wrongly: a score that nothing reaches by chance."""
    return (quiz.questions[-1].id,)


def _at_start() -> list[Window]:
    return [Window(m, 1, executed, starting=True) for m in _AT_START for executed in (False, True)]


def _in_dialogue(calls: Mapping[str, int]) -> list[Window]:
    return [
        Window(method, n, executed)
        for method, count in calls.items()
        if method not in _AT_START or method == "getUpdates"
        for n in range(1, count + 1)
        for executed in (False, True)
    ]


async def _killed_in(
    window: Window, reaper: Reaper, bot: BotProcess, learner: Learner
) -> Counter[str]:
    """A dialogue with a kill in the window, counted; in the end all of it is erased."""
    reaper.aim(window)
    if window.starting:
        bot.telegram.world.profile = Profile()
        await bot.kill()
        await learner.opens_the_card()
        counts = Counter({"kills": 1})
    else:
        counts = await _dialogue(learner, bot)
    await learner.is_forgotten()
    await reaper.done()
    return counts


async def _dialogue(learner: Learner, bot: BotProcess) -> Counter[str]:
    """Everything a person does but having it erased; returns what became of it."""
    await learner.opens_the_card()
    await learner.begins()
    await learner.speaks("hi")
    await learner.goes_through()
    attempts = records.attempts(bot.database, learner.person.id)
    found = records.answers(bot.database, attempts[-1])
    assert records.points(bot.database, attempts[-1]) == learner.score
    return Counter(
        {
            "kills": 1,
            "second attempts": len(attempts) - 1,
            "lost answers": len(learner.answered.items() - found.items()),
            "doubled answers": len(found.items() - learner.answered.items()),
        }
    )


def _as_text(table: Mapping[str, Counter[str]]) -> str:
    columns = ("kills", "second attempts", "lost answers", "doubled answers", "doubled messages")
    head = f"{'killed at':55}{''.join(f'{name:>18}' for name in columns)}"
    rows = [
        f"{w:55}{''.join(f'{counts[name]:18}' for name in columns)}" for w, counts in table.items()
    ]
    return "\n".join(("", head, *rows))
