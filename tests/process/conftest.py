"""A Telegram served over HTTP, and the bot as a process on it."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from bot import shipped
from bot.i18n import Catalogues
from bot.library import load as library
from bot.quiz.quiz import Quiz
from bot.sandbox.clock import SandboxClock
from bot.sandbox.server import Server, serve
from bot.sandbox.telegram import Telegram
from bot.screens.measure import excesses
from tests.conftest import TOKEN
from tests.process import small
from tests.process.bot_process import BotProcess, Launch, cold
from tests.process.nursery import Nursery

MakeBot = Callable[..., BotProcess]

# So many kills, of a bot that is started as an operator does, and the shipped quiz wherever a
# small one does by default: a run of many minutes.
KILLS = int(os.environ.get("QUIZBOT_TESTS_KILLS", "0"))
LONG_S = 7200 if KILLS else 240


@pytest.fixture
def telegram() -> Telegram:
    """A Telegram with this bot on it; tests of the process are too long to hold every call of
    theirs against the Bot API."""
    return Telegram(SandboxClock(), token=TOKEN)


@pytest.fixture
async def server(telegram: Telegram) -> AsyncIterator[Server]:
    """The Telegram on a free port."""
    server = await serve(telegram)
    yield server
    await server.close()


@pytest.fixture
def expected() -> list[str]:
    """Parts of lines that the bot may log as errors in this test."""
    return []


@pytest.fixture
async def make_bot(
    telegram: Telegram, server: Server, tmp_path: Path, expected: list[str]
) -> AsyncIterator[MakeBot]:
    """Makes bots, not started yet; their output is searched at the end."""
    made: list[BotProcess] = []

    def make(name: str = "bot", launch: Launch = cold, **settings: str | Path) -> BotProcess:
        folder = tmp_path / name
        folder.mkdir()
        made.append(BotProcess(telegram, server.url, folder, launch, **settings))
        return made[-1]

    yield make
    for bot in made:
        await bot.bury()
    for bot in made:
        bot.check_output(*expected)


@pytest.fixture
async def bot(make_bot: MakeBot) -> BotProcess:
    """The bot with the shipped quizzes, polling."""
    bot = make_bot()
    await bot.start()
    return bot


@pytest.fixture(scope="session")
def shipped_quiz(catalogues: Catalogues) -> Quiz:
    """The quiz on checkpoint sharding."""
    return library.load(shipped.quizzes(), excesses(catalogues)).quizzes["checkpoint-sharding"]


@pytest.fixture(scope="session")
def nursery() -> Iterator[Nursery]:
    """Where bots are born quickly."""
    nursery = Nursery()
    yield nursery
    nursery.close()


@pytest.fixture
async def quick(nursery: Nursery) -> AsyncIterator[Launch]:
    """How to start a bot without waiting for its imports."""
    yield nursery.launch
    await nursery.empty()


@pytest.fixture
def launch(quick: Launch) -> Launch:
    """How to start a bot that is killed many times."""
    return cold if KILLS else quick


@pytest.fixture
def quiz_folder(tmp_path: Path) -> Path:
    """A folder of quizzes with a small one, or the shipped ones in a long run."""
    if KILLS:
        return shipped.quizzes()
    small.write(tmp_path / "quizzes")
    return tmp_path / "quizzes"


@pytest.fixture
def quiz(quiz_folder: Path, catalogues: Catalogues) -> Quiz:
    """The one in the folder."""
    [quiz] = library.load(quiz_folder, excesses(catalogues)).quizzes.values()
    return quiz
