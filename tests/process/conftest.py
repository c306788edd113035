"""A Telegram served over HTTP, and the bot as a process on it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
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
from tests.process.bot_process import BotProcess

MakeBot = Callable[..., BotProcess]


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

    def make(name: str = "bot", **more: object) -> BotProcess:
        folder = tmp_path / name
        folder.mkdir()
        made.append(BotProcess(telegram, server.url, folder, **more))  # type: ignore[arg-type]  # passed on
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
