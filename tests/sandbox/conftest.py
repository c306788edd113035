"""A Telegram whose every answer and update is held against the Bot API afterwards."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.sandbox.clock import SandboxClock
from bot.sandbox.params import Attachment
from bot.sandbox.server import Server, serve
from bot.sandbox.telegram import Telegram
from tests.contract import check_log
from tests.people import Person
from tests.sandbox.asking import PNG


@pytest.fixture
def clock() -> SandboxClock:
    """Can be moved forward."""
    return SandboxClock()


@pytest.fixture
async def telegram(clock: SandboxClock) -> AsyncIterator[Telegram]:
    """Without a bot; tests make the calls themselves."""
    telegram = Telegram(clock)
    yield telegram
    telegram.before = telegram.after = None
    telegram.trouble.clear()
    await telegram.call("deleteWebhook", {})
    await telegram.call("getUpdates", {})
    check_log(telegram.log)


@pytest.fixture
async def learner(telegram: Telegram) -> Person:
    """A person the bot has met."""
    learner = Person(telegram, "Asha", "hi")
    await learner.says("/start")
    return learner


@pytest.fixture
async def server(telegram: Telegram) -> AsyncIterator[Server]:
    """The same over HTTP."""
    server = await serve(telegram)
    yield server
    await server.close()


@pytest.fixture
async def files(telegram: Telegram) -> None:
    """A document and a photo that were sent before: sandboxdocument0 and sandboxphoto1."""
    sender = Person(telegram, "Someone")
    await sender.says("/start")
    document = Attachment("a.csv", "text/csv", b"a,b")
    photo = Attachment("a.png", "image/png", PNG)
    await telegram.call("sendDocument", {"chat_id": sender.id}, {"document": document})
    await telegram.call("sendPhoto", {"chat_id": sender.id}, {"photo": photo})
    assert set(telegram.world.files) == {"sandboxdocument0", "sandboxphoto1"}
