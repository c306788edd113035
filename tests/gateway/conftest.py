"""A Telegram that makes trouble on request, and a clock that does not keep one waiting."""

from __future__ import annotations

import asyncio
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from telegram import Bot

from bot.gateway.api import Api
from bot.gateway.calls import Call
from bot.sandbox.errors import Fault
from bot.sandbox.telegram import Telegram
from bot.store.database import Store
from tests.people import HeartRequest, Person

Outcome = Exception | Callable[[], Awaitable[None]]


class HastyClock:
    """Whoever waits for a moment finds that it has come; `pauses` are the seconds waited for.

    What is due in an hour does not come: no test is about that.
    """

    def __init__(self) -> None:
        self._now = datetime(2026, 12, 1, 12, tzinfo=UTC)
        self.pauses: list[float] = []

    def now(self) -> datetime:
        return self._now

    async def wait_until(self, moment: datetime) -> None:
        if moment - self._now >= timedelta(hours=1):
            await asyncio.Event().wait()
        self.pauses.append((moment - self._now).total_seconds())
        self._now = max(self._now, moment)
        await asyncio.sleep(0)


class Wire:
    """What was asked of Telegram, in order, and what comes of it instead of the usual."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, Mapping[str, Any]]] = []
        self._planned: dict[str, deque[Outcome]] = defaultdict(deque)

    @property
    def methods(self) -> list[str]:
        return [method for method, _ in self.asked]

    @property
    def texts(self) -> list[str]:
        """What was sent, whatever came of it."""
        return [params["text"] for _, params in self.asked if "text" in params]

    def plan(self, method: str, *outcomes: Outcome) -> None:
        """The next calls of the method raise these, or wait for them, one each."""
        self._planned[method].extend(outcomes)

    async def before(self, method: str, params: Mapping[str, Any]) -> None:
        self.asked.append((method, params))
        if planned := self._planned[method]:
            outcome = planned.popleft()
            if isinstance(outcome, Exception):
                raise outcome
            await outcome()


def refused(description: str, status: int = 400, **parameters: int) -> Fault:
    """An error, word for word as Telegram's server says it."""
    body: dict[str, Any] = {"ok": False, "error_code": status, "description": description}
    return Fault(status, body | ({"parameters": parameters} if parameters else {}))


def message(person: Person, text: str, **more: Any) -> Call:
    return Call("sendMessage", {"chat_id": person.id, "text": text}, **more)


@pytest.fixture
def clock() -> HastyClock:
    return HastyClock()


@pytest.fixture
def wire(telegram: Telegram) -> Wire:
    wire = Wire()
    telegram.before = wire.before
    return wire


@pytest.fixture
def ptb_bot(telegram: Telegram, wire: Wire) -> Bot:
    return Bot(
        telegram.bot.token,
        request=HeartRequest(telegram),
        get_updates_request=HeartRequest(telegram),
    )


@pytest.fixture
def api(ptb_bot: Bot) -> Api:
    return Api(ptb_bot)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "quizbot.sqlite3"


@pytest.fixture
async def store(path: Path) -> AsyncIterator[Store]:
    async with Store.open(path) as store:
        yield store


@pytest.fixture
def asha(telegram: Telegram) -> Person:
    """Someone the bot may write to."""
    return known(telegram, "Asha")


@pytest.fixture
def binh(telegram: Telegram) -> Person:
    """Someone else the bot may write to."""
    return known(telegram, "Bình")


def known(telegram: Telegram, name: str) -> Person:
    person = Person(telegram, name)
    telegram.say(person.id, "hello")
    return person
