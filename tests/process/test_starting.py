"""Trouble at the start: what keeps the bot waiting, and what ends it with one sentence."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.sandbox.server import Server, serve
from bot.sandbox.telegram import Telegram
from bot.store import migrations
from tests.people import Person
from tests.process.bot_process import BotProcess, Launch
from tests.process.conftest import MakeBot

DOWN = "Telegram can't be reached"


async def refuses(bot: BotProcess, code: int) -> str:
    """The one sentence with which the bot ends by itself."""
    await bot.launch()
    assert await bot.ended() == code, bot.output
    assert "Traceback" not in bot.output
    [sentence] = [line for line in bot.output.splitlines() if line.startswith("quizbot: ")]
    assert bot.output.endswith(sentence + "\n")
    return sentence


async def test_without_a_network_it_says_so_once_and_serves_as_soon_as_there_is_one(
    telegram: Telegram, server: Server, make_bot: MakeBot
) -> None:
    learner = Person(telegram)
    await learner.says("/start")
    await server.close()
    bot = make_bot()
    await bot.launch()
    await bot.prints(DOWN)
    again = await serve(telegram, port=server.port)
    await telegram.until(lambda: bool(learner.received))
    assert await bot.stop() == 0
    await again.close()
    assert bot.output.count(DOWN) == 1
    assert bot.output.count("Telegram can be reached again.") == 1


async def test_it_can_be_stopped_while_it_waits_for_a_network(
    server: Server, make_bot: MakeBot
) -> None:
    await server.close()
    bot = make_bot()
    await bot.launch()
    await bot.prints(DOWN)
    assert await bot.stop() == 0


async def test_a_refused_token_is_one_sentence(make_bot: MakeBot, quick: Launch) -> None:
    other = "1000000042:another-secret-AAAAAAAAAAAAAAAAAAAAAAAAAAA"
    bot = make_bot(launch=quick, QUIZBOT_TOKEN=other)
    assert "QUIZBOT_TOKEN" in await refuses(bot, 1)
    assert other.partition(":")[2] not in bot.output


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("QUIZBOT_TOKEN", "not a token"),
        ("QUIZBOT_TOKEN_FILE", "/nowhere/token"),
        ("QUIZBOT_API_URL", "api.telegram.org"),
        ("QUIZBOT_QUIZ_DIR", "/nowhere/quizzes"),
        ("QUIZBOT_LOCALE", "klingonese"),
        ("QUIZBOT_TIMEZONE", "Mars/Olympus"),
        ("QUIZBOT_LOG_LEVEL", "LOUD"),
    ],
)
async def test_a_wrong_setting_is_one_sentence_that_names_it(
    make_bot: MakeBot, quick: Launch, variable: str, value: str
) -> None:
    bot = make_bot(launch=quick, **{variable: value})
    assert variable in await refuses(bot, 2)


async def test_no_data_folder(make_bot: MakeBot, quick: Launch, tmp_path: Path) -> None:
    missing = tmp_path / "missing"
    bot = make_bot(launch=quick, QUIZBOT_DATA_DIR=missing)
    assert f"mkdir -p {missing}" in await refuses(bot, 1)


async def test_a_file_where_the_data_folder_should_be(
    make_bot: MakeBot, quick: Launch, tmp_path: Path
) -> None:
    file = tmp_path / "file"
    file.touch()
    bot = make_bot(launch=quick, QUIZBOT_DATA_DIR=file)
    assert "QUIZBOT_DATA_DIR" in await refuses(bot, 1)


async def test_a_folder_where_the_database_should_be(make_bot: MakeBot, quick: Launch) -> None:
    bot = make_bot(launch=quick)
    bot.database.mkdir()
    assert str(bot.database) in await refuses(bot, 1)


async def test_a_data_folder_that_another_bot_uses(
    bot: BotProcess, make_bot: MakeBot, quick: Launch
) -> None:
    second = make_bot("second", quick, QUIZBOT_DATA_DIR=bot.data)
    sentence = await refuses(second, 1)
    assert "Another quizbot" in sentence
    assert str(bot.data) in sentence
    assert await bot.stop() == 0


async def test_a_database_from_a_newer_version(make_bot: MakeBot, quick: Launch) -> None:
    bot = make_bot(launch=quick)
    with closing(sqlite3.connect(bot.database)) as connection:
        connection.execute("PRAGMA user_version = 4711")
    sentence = await refuses(bot, 1)
    assert "4711" in sentence
    assert f"version {len(migrations.found())}:" in sentence
