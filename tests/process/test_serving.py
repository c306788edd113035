"""While it serves: quiz files that break, an end that finds work under way, being forgotten."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bot.i18n import Catalogues
from bot.quiz.quiz import Quiz
from bot.sandbox.errors import Drop
from bot.sandbox.telegram import Telegram
from tests.people import Person
from tests.process import records, small
from tests.process.bot_process import PATIENCE_S, BotProcess, Launch
from tests.process.conftest import MakeBot
from tests.process.learners import Learner
from tests.seen import plain

SERVED = "quizzes served: "


async def reloads(bot: BotProcess) -> None:
    """SIGHUP, until the files are read."""
    before = bot.output.count(SERVED)
    bot.hang_up()
    await bot.telegram.until(lambda: bot.output.count(SERVED) > before, PATIENCE_S)


async def titles(learner: Person) -> list[str]:
    """What the catalogue offers."""
    count = len(learner.received)
    await learner.says("/quiz")
    await learner.telegram.until(lambda: len(learner.received) > count, PATIENCE_S)
    return [plain(label) for label in learner.buttons]


async def test_a_broken_file_is_named_and_the_others_are_served(
    telegram: Telegram, make_bot: MakeBot, tmp_path: Path, expected: list[str]
) -> None:
    folder = tmp_path / "quizzes"
    small.write(folder)
    good = (folder / small.ID / "quiz.yaml").read_text()
    broken = folder / "broken" / "quiz.yaml"
    broken.parent.mkdir()
    broken.write_text(good.replace("answer: four", "answer: six"))
    expected.append(f"{broken}:10:")
    bot = make_bot(QUIZBOT_QUIZ_DIR=folder)
    await bot.start()
    learner = Person(telegram, language_code="en")
    assert await titles(learner) == ["A small quiz"]
    assert f"{broken}:10:13: " in bot.output, bot.output

    broken.write_text(good.replace("A small quiz", "Mended"))
    await reloads(bot)
    assert sorted(await titles(learner)) == ["A small quiz", "Mended"]

    broken.write_text("title: [")
    expected.append(f"{broken}:1:")
    await reloads(bot)
    assert sorted(await titles(learner)) == ["A small quiz", "Mended"]
    assert await bot.stop() == 0


async def test_an_end_does_not_wait_long_for_a_call_and_the_next_start_makes_it(
    telegram: Telegram, make_bot: MakeBot, quick: Launch
) -> None:
    bot = make_bot(launch=quick)
    await bot.start()
    held, free = asyncio.Event(), asyncio.Event()

    async def hold(method: str, _: Mapping[str, Any]) -> None:
        if method == "sendMessage":
            held.set()
            await free.wait()
            raise Drop

    telegram.before = hold
    learner = Person(telegram)
    await learner.says("/start")
    await held.wait()
    assert await bot.stop() == 0
    # `docker stop` would kill it after 10 s.
    assert "not finished in 7 s; the next start takes up the rest" in bot.output
    telegram.before = None
    free.set()
    await bot.start()
    await telegram.until(lambda: bool(learner.received), PATIENCE_S)
    assert await bot.stop() == 0
    assert len(learner.received) == 1


async def test_being_forgotten_leaves_no_row_and_takes_nothing_from_others(
    telegram: Telegram, make_bot: MakeBot, quick: Launch, tmp_path: Path, catalogues: Catalogues
) -> None:
    quiz: Quiz = small.write(tmp_path / "quizzes")
    bot = make_bot(launch=quick, QUIZBOT_QUIZ_DIR=tmp_path / "quizzes")
    await bot.start()
    going, staying = (Learner(telegram, quiz, catalogues, code) for code in ("vi", "hi"))
    for learner in (going, staying):
        await learner.takes_the_quiz()
        _send_garbled(telegram, learner.person)
    await telegram.until(lambda: not len(telegram.updates), PATIENCE_S)
    assert await bot.stop() == 0
    assert bot.output.count("is set aside") == 2
    await bot.start()
    kept = records.about(bot.database, staying.person.id)
    assert set(kept) == set(records.about(bot.database, going.person.id))
    assert set(kept) == {"people", "attempts", "inbox"}

    await going.is_forgotten()
    await going.person.says("/start")
    await going.sees(lambda: any("🌐" in label for label in going.person.buttons) or None)
    await going.is_forgotten()
    assert await bot.stop() == 0
    assert records.about(bot.database, going.person.id) == {}
    assert records.about(bot.database, staying.person.id) == kept
    [attempt_id] = records.attempts(bot.database, staying.person.id)
    assert records.answers(bot.database, attempt_id) == staying.answered
    assert records.rows(bot.database, "SELECT DISTINCT attempt_id FROM answers") == [(attempt_id,)]


def _send_garbled(telegram: Telegram, person: Person) -> None:
    """A message that nothing can be made of, but whose it is."""
    telegram.updates.add(
        "message", {"from": person.account.user, "chat": person.account.chat.place}
    )
