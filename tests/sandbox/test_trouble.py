"""Trouble on demand, in process and over HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import aiohttp
import pytest

from bot.sandbox.clock import SandboxClock
from bot.sandbox.errors import Drop
from bot.sandbox.server import Server
from bot.sandbox.switches import switch, switches
from bot.sandbox.telegram import Telegram
from bot.sandbox.trouble import EVERYTHING
from tests.people import Person
from tests.sandbox.asking import done, refused


@pytest.fixture
async def client(server: Server, telegram: Telegram) -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession(f"{server.url}/bot{telegram.bot.token}/") as client:
        yield client


def hello(person: Person) -> dict[str, Any]:
    return {"chat_id": person.id, "text": "hello"}


async def test_a_flood_of_one_chat_leaves_others_alone_and_ends_by_itself(
    telegram: Telegram, learner: Person, clock: SandboxClock
) -> None:
    other = Person(telegram, "Lan")
    await other.says("/start")
    telegram.trouble.flood(7, chat=learner.id)
    status, body = await telegram.call("sendMessage", {"chat_id": str(learner.id), "text": "t"})
    assert (status, body["parameters"]) == (429, {"retry_after": 7})
    assert body["description"] == "Too Many Requests: retry after 7"
    await done(telegram, "sendMessage", **hello(other))
    clock.forward(timedelta(seconds=5))
    _, body = await telegram.call("sendMessage", hello(learner))
    assert body["parameters"] == {"retry_after": 2}
    clock.forward(timedelta(seconds=2))
    await done(telegram, "sendMessage", **hello(learner))
    assert telegram.trouble.rules == []


async def test_a_flood_of_all_leaves_polling_alone_unless_it_is_meant(
    telegram: Telegram, learner: Person
) -> None:
    telegram.trouble.flood(7)
    assert (await telegram.call("getMe", {}))[0] == 429
    await done(telegram, "getUpdates")
    telegram.trouble.clear()
    telegram.trouble.flood(7, methods=EVERYTHING)
    assert (await telegram.call("getUpdates", {}))[0] == 429


async def test_a_rule_lets_calls_pass_and_is_over_after_its_times(
    telegram: Telegram, learner: Person
) -> None:
    rule = telegram.trouble.broken(502, methods=["sendMessage"], skip=1, times=2)
    await done(telegram, "getMe")
    statuses = [(await telegram.call("sendMessage", hello(learner)))[0] for _ in range(4)]
    assert (statuses, rule.met) == ([200, 502, 502, 200], 2)


async def test_errors_of_the_server_have_their_words(telegram: Telegram, learner: Person) -> None:
    for status, words in (
        (401, "Unauthorized"),
        (500, "Internal Server Error: restart"),
        (502, "Bad Gateway"),
    ):
        telegram.trouble.broken(status)
        assert await refused(telegram, "sendMessage", hello(learner)) == words
    assert learner.received == []
    revoked = telegram.trouble.revoked()
    assert await refused(telegram, "getUpdates", {}) == "Unauthorized"
    telegram.trouble.lift(revoked)
    await done(telegram, "getUpdates")


async def test_a_lost_answer_was_executed_and_a_reset_call_was_not(
    telegram: Telegram, learner: Person
) -> None:
    telegram.trouble.lose()
    with pytest.raises(Drop):
        await telegram.call("sendMessage", hello(learner))
    assert learner.screen == "hello"
    telegram.trouble.reset()
    with pytest.raises(Drop):
        await telegram.call("sendMessage", hello(learner) | {"text": "again"})
    assert learner.screen == "hello"


async def test_a_hanging_call_ends_when_the_rule_is_lifted(
    telegram: Telegram, learner: Person
) -> None:
    asked = asyncio.Event()

    async def note(method: str, params: Any) -> None:
        asked.set()

    rule, telegram.before = telegram.trouble.hang(), note
    hanging = asyncio.create_task(telegram.call("sendMessage", hello(learner)))
    await asked.wait()
    assert (rule.met, hanging.done()) == (1, False)
    await done(telegram, "getMe")
    telegram.trouble.clear()
    with pytest.raises(Drop):
        await hanging


async def test_a_slow_server_answers_all_the_same(telegram: Telegram, learner: Person) -> None:
    rule = telegram.trouble.slow(0.001)
    await done(telegram, "sendMessage", **hello(learner))
    await done(telegram, "sendMessage", **hello(learner))
    assert rule.met == 2


@pytest.mark.parametrize(
    ("moment", "sent", "answered"),
    [("before", 0, False), ("executed", 1, False), ("replied", 1, True)],
)
async def test_the_bot_can_be_killed_at_a_chosen_call(
    telegram: Telegram, client: aiohttp.ClientSession, learner: Person,
    moment: Any, sent: int, answered: bool,
) -> None:  # fmt: skip
    killed = asyncio.Event()
    telegram.trouble.kill(killed.set, moment, methods=["sendMessage"], skip=1)
    assert await _heard(client, "getMe", {})
    assert await _heard(client, "sendMessage", hello(learner))
    assert not killed.is_set()
    assert await _heard(client, "sendMessage", hello(learner)) is answered
    await killed.wait()
    assert len(learner.received) == 1 + sent
    assert await _heard(client, "sendMessage", hello(learner))


async def test_an_update_that_nobody_can_read(telegram: Telegram, learner: Person) -> None:
    telegram.trouble.unparsable({"poll_answer": {"poll_id": "1"}})
    await learner.says("behind it")
    *_, wrong, good = await done(telegram, "getUpdates")
    assert wrong["poll_answer"] == {"poll_id": "1"}
    assert good["update_id"] == wrong["update_id"] + 1


async def test_the_friendly_half_can_be_switched(telegram: Telegram, learner: Person) -> None:
    trouble, now = telegram.trouble, telegram.clock.now()
    for what, chat in (("flood", learner.id), ("slow", None), ("lost", None), ("broken", None)):
        switch(trouble, what, True, chat)
        switch(trouble, what, True, chat)
    on = switches(trouble, now)
    assert [(told["what"], told["chat"]) for told in on] == [
        ("flood", learner.id), ("slow", None), ("lost", None), ("broken", None),
    ]  # fmt: skip
    assert 29 <= on[0]["left_s"] <= 30.1
    for what, chat in (("flood", learner.id), ("slow", None), ("lost", None), ("broken", None)):
        switch(trouble, what, False, chat)
    assert switches(trouble, now) == []
    with pytest.raises(ValueError, match="there is no trouble storm"):
        switch(trouble, "storm", True, None)


async def _heard(client: aiohttp.ClientSession, method: str, params: dict[str, Any]) -> bool:
    try:
        async with client.post(method, json=params) as response:
            return bool((await response.json())["ok"])
    except aiohttp.ClientConnectionError:
        return False
