"""What most tests need: a Telegram, the bot on it, and people who talk to it."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from bot import shipped
from bot.app import App
from bot.i18n import Catalogues
from bot.quiz.quiz import Quiz
from bot.sandbox.clock import SandboxClock
from bot.sandbox.telegram import Telegram
from bot.settings import Settings
from bot.store.database import Store
from tests import quizzes
from tests.contract import check_log
from tests.people import HeartRequest, Person

TOKEN = "1000000042:never-in-any-output-AAAAAAAAAAAAAAAAAAA"


@pytest.fixture(autouse=True)
def nothing_went_wrong(
    caplog: pytest.LogCaptureFixture, request: pytest.FixtureRequest
) -> Iterator[None]:
    """A handler that fails must fail the test: PTB and the gateway only log it."""
    yield
    if request.node.get_closest_marker("logs_errors") is None:
        logged = [*caplog.get_records("setup"), *caplog.get_records("call")]
        errors = [record.getMessage() for record in logged if record.levelno >= logging.ERROR]
        assert errors == []


@pytest.fixture(scope="session")
def catalogues() -> Catalogues:
    """The shipped interface languages."""
    return Catalogues.load(shipped.locales(), "en")


@pytest.fixture
def clock() -> SandboxClock:
    """The time of Telegram and the bot; it can be moved forward."""
    return SandboxClock()


@pytest.fixture
def telegram(clock: SandboxClock) -> Iterator[Telegram]:
    """A Telegram with this bot on it. All that the bot asked is held against the Bot API."""
    telegram = Telegram(clock, token=TOKEN)
    yield telegram
    check_log(telegram.log)


@pytest.fixture
def shelf() -> dict[str, Quiz]:
    """The quizzes that the bot serves; tests may put others there."""
    return {quiz.id: quiz for quiz in (quizzes.CAPITALS, quizzes.SHARDS, quizzes.SEVERAL)}


class Running:
    """The bot in process, on a Telegram without HTTP."""

    def __init__(self, telegram: Telegram, app: App, store: Store) -> None:
        self.telegram, self.app, self.store = telegram, app, store

    async def settled(self) -> None:
        """Returns when every update is confirmed and nothing is under way."""
        await self.telegram.until(lambda: not len(self.telegram.updates))
        await self.app.gateway.idle()

    def person(self, name: str = "Asha", language_code: str | None = "en") -> Person:
        """Someone new."""
        return Person(self.telegram, name, language_code, settle=self.settled)


@asynccontextmanager
async def running(
    telegram: Telegram, catalogues: Catalogues, shelf: dict[str, Quiz], folder: Path
) -> AsyncIterator[Running]:
    """The bot on the database in the folder, until the block ends."""
    settings = Settings(token=TOKEN).for_demo(TOKEN, "http://sandbox", folder)
    async with Store.open(folder / "quizbot.sqlite3") as store:
        app = App(
            settings, store, catalogues, shelf, telegram.clock, random.Random(7),
            request=lambda: HeartRequest(telegram),
        )  # fmt: skip
        connected = asyncio.Event()
        serving = asyncio.create_task(app.run(lambda _: connected.set()))
        waiting = asyncio.create_task(connected.wait())
        await asyncio.wait((serving, waiting), return_when=asyncio.FIRST_COMPLETED)
        try:
            yield Running(telegram, app, store)
        finally:
            waiting.cancel()
            serving.cancel()
            with suppress(asyncio.CancelledError):
                await serving


@pytest.fixture
async def bot(
    telegram: Telegram, catalogues: Catalogues, shelf: dict[str, Quiz], tmp_path: Path
) -> AsyncIterator[Running]:
    """The bot, serving three small quizzes."""
    async with running(telegram, catalogues, shelf, tmp_path) as it:
        yield it


@pytest.fixture
def learner(bot: Running) -> Person:
    """Someone whose Telegram speaks English."""
    return bot.person()


@pytest.fixture
def join(bot: Running) -> Callable[[str, str | None], Person]:
    """Further people, by name and language code."""
    return bot.person
