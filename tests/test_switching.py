"""The whole bot on a webhook, and from polling to it and back."""

from __future__ import annotations

import asyncio
import json
import random
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import replace
from pathlib import Path

import aiohttp
import pytest

from bot.app import App
from bot.i18n import Catalogues
from bot.quiz.quiz import Quiz
from bot.sandbox.push import Pusher, poster
from bot.sandbox.telegram import Telegram
from bot.settings import Settings, Webhook
from bot.store.database import Store
from tests.conftest import TOKEN, Running, running
from tests.people import HeartRequest, Person


def free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        return int(server.getsockname()[1])


@asynccontextmanager
async def on_webhook(
    telegram: Telegram, catalogues: Catalogues, shelf: dict[str, Quiz], folder: Path
) -> AsyncIterator[Running]:
    port = free_port()
    settings = replace(
        Settings(token=TOKEN).for_demo(TOKEN, "http://sandbox", folder),
        listen=("127.0.0.1", port),
        webhook=Webhook(f"http://127.0.0.1:{port}/hook", "open-sesame"),
    )
    async with (
        Store.open(folder / "quizbot.sqlite3") as store,
        aiohttp.ClientSession() as session,
    ):
        app = App(
            settings, store, catalogues, shelf, telegram.clock, random.Random(7),
            request=lambda: HeartRequest(telegram),
        )  # fmt: skip
        pushing = asyncio.create_task(Pusher(telegram, poster(session)).run())
        serving = asyncio.create_task(app.run(lambda _: None))
        try:
            await telegram.until(lambda: bool(telegram.world.webhook.url))
            yield Running(telegram, app, store)
        finally:
            for task in (serving, pushing):
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task


async def test_people_are_answered(
    telegram: Telegram, catalogues: Catalogues, shelf: dict[str, Quiz], tmp_path: Path
) -> None:
    async with on_webhook(telegram, catalogues, shelf, tmp_path) as bot:
        learner = bot.person()
        await learner.says("/start")
        await learner.taps("Capitals")
        await learner.taps("Start")
        assert len(learner.received) >= 2
        assert None not in learner.answers_to_taps


async def test_between_polling_and_webhook_nothing_is_lost_and_nothing_doubled(
    telegram: Telegram, catalogues: Catalogues, shelf: dict[str, Quiz], tmp_path: Path
) -> None:
    people: list[Person] = []

    async def speaks_while_nobody_listens() -> None:
        people.append(Person(telegram, f"P{len(people)}", "en"))
        await people[-1].says("/help")
        await people[-1].says("/help")

    async with running(telegram, catalogues, shelf, tmp_path) as bot:
        await bot.settled()
    await speaks_while_nobody_listens()
    async with on_webhook(telegram, catalogues, shelf, tmp_path) as bot:
        await bot.settled()
    await speaks_while_nobody_listens()
    async with running(telegram, catalogues, shelf, tmp_path) as bot:
        await bot.settled()
    await speaks_while_nobody_listens()
    async with on_webhook(telegram, catalogues, shelf, tmp_path) as bot:
        await bot.settled()
    assert [len(person.received) for person in people] == [2, 2, 2]


@pytest.mark.parametrize("copies", [2, 3])
async def test_an_update_brought_twice_counts_once(
    telegram: Telegram,
    catalogues: Catalogues,
    shelf: dict[str, Quiz],
    tmp_path: Path,
    copies: int,
) -> None:
    async with on_webhook(telegram, catalogues, shelf, tmp_path) as bot:
        learner = Person(telegram, "Asha", "en")
        update = {
            "update_id": 99,
            "message": {
                "message_id": 1,
                "date": 1_800_000_000,
                "chat": _chat(learner),
                "from": learner.account.user,
                "text": "/help",
                "entities": [{"type": "bot_command", "offset": 0, "length": 5}],
            },
        }
        telegram.say(learner.id, "hello")
        await bot.settled()
        before = len(learner.received)
        hook = bot.app.gateway.webhook
        assert hook is not None
        body = json.dumps(update).encode()
        statuses = await asyncio.gather(*[hook.take("open-sesame", body) for _ in range(copies)])
        await bot.settled()
        assert statuses == [200] * copies
        assert len(learner.received) == before + 1


def _chat(learner: Person) -> dict[str, object]:
    return {"id": learner.id, "type": "private", "first_name": "Asha"}
