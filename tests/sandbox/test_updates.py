"""How updates are delivered."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

from bot.sandbox.clock import SandboxClock
from bot.sandbox.telegram import Telegram
from tests.people import Person


async def poll(telegram: Telegram, **params: Any) -> list[dict[str, Any]]:
    status, body = await telegram.call("getUpdates", params)
    assert status == 200, body
    result: list[dict[str, Any]] = body["result"]
    return result


async def waiting(telegram: Telegram, **params: Any) -> asyncio.Task[list[dict[str, Any]]]:
    """A long poll that the server has already seen."""
    polling = asyncio.create_task(poll(telegram, **params))
    await telegram.until(lambda: telegram.updates.polled)
    return polling


async def test_an_update_is_delivered_until_the_offset_confirms_it(
    telegram: Telegram, learner: Person
) -> None:
    await learner.says("second")
    first, second = await poll(telegram)
    assert second["update_id"] == first["update_id"] + 1
    assert await poll(telegram, offset=first["update_id"]) == [first, second]
    assert await poll(telegram, offset=second["update_id"]) == [second]
    assert await poll(telegram) == [second]
    assert await poll(telegram, offset=second["update_id"] + 1) == []


async def test_a_negative_offset_forgets_all_but_the_last(
    telegram: Telegram, learner: Person
) -> None:
    await learner.says("second")
    await learner.says("third")
    assert [u["message"]["text"] for u in await poll(telegram, offset=-1)] == ["third"]
    assert len(await poll(telegram)) == 1


async def test_the_limit_holds_and_is_a_hundred_at_most(
    telegram: Telegram, learner: Person
) -> None:
    for number in range(120):
        await learner.says(str(number))
    assert len(await poll(telegram, limit=3)) == 3
    assert len(await poll(telegram, limit="7")) == 7
    assert len(await poll(telegram)) == 100
    assert len(await poll(telegram, limit=5000)) == 100


async def test_a_long_poll_ends_with_the_first_update(telegram: Telegram, learner: Person) -> None:
    (start,) = await poll(telegram)
    polling = await waiting(telegram, offset=start["update_id"] + 1, timeout=50)
    await learner.says("news")
    assert [update["message"]["text"] for update in await polling] == ["news"]


async def test_a_long_poll_ends_empty_when_its_time_is_up(
    telegram: Telegram, clock: SandboxClock
) -> None:
    polling = await waiting(telegram, timeout=10_000)
    clock.forward(timedelta(seconds=50))
    assert await polling == []


async def test_a_cancelled_poll_leaves_no_trace(telegram: Telegram, learner: Person) -> None:
    (start,) = await poll(telegram)
    polling = await waiting(telegram, offset=start["update_id"] + 1, timeout=50)
    polling.cancel()
    await asyncio.gather(polling, return_exceptions=True)
    assert not telegram.updates.polled
    await learner.says("news")
    assert len(await poll(telegram)) == 1


async def test_a_second_poller_ends_the_first_with_409(telegram: Telegram) -> None:
    polling = asyncio.create_task(telegram.call("getUpdates", {"timeout": 50}))
    await telegram.until(lambda: telegram.updates.polled)
    assert await poll(telegram) == []
    status, body = await polling
    assert (status, body["description"]) == (
        409,
        "Conflict: terminated by other getUpdates request; make sure that only one bot instance"
        " is running",
    )


async def test_an_undelivered_tap_vanishes_after_150_seconds(
    telegram: Telegram, learner: Person, clock: SandboxClock
) -> None:
    await learner.forges("x")
    clock.forward(timedelta(seconds=149))
    assert len(await poll(telegram)) == 2
    clock.forward(timedelta(seconds=2))
    assert ["message" in update for update in await poll(telegram)] == [True]
    clock.forward(timedelta(hours=24))
    assert await poll(telegram) == []


async def test_allowed_updates_are_remembered(telegram: Telegram, learner: Person) -> None:
    await poll(telegram, allowed_updates='["message"]')
    await learner.forges("x")
    await learner.says("y")
    assert [sorted(update)[0] for update in await poll(telegram)] == ["message", "message"]
    assert (await telegram.call("getWebhookInfo", {}))[1]["result"] == {
        "url": "",
        "has_custom_certificate": False,
        "pending_update_count": 2,
        "allowed_updates": ["message"],
    }
    await poll(telegram, allowed_updates=[])
    await learner.forges("x")
    assert "callback_query" in (await poll(telegram))[-1]


async def test_delete_webhook_can_drop_what_waits(telegram: Telegram, learner: Person) -> None:
    await telegram.call("deleteWebhook", {})
    assert len(await poll(telegram)) == 1
    await telegram.call("deleteWebhook", {"drop_pending_updates": "true"})
    assert await poll(telegram) == []
