"""How fast the outbox speaks, on a clock that the tests turn."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from datetime import datetime, timedelta
from typing import Any

import pytest
from telegram.error import RetryAfter

from bot.gateway.api import Api
from bot.gateway.calls import Call
from bot.gateway.outbox import Outbox
from bot.gateway.rates import Pace, Paces, Rates

START = datetime.fromisoformat("2026-12-01T12:00:00Z")


class TurnedClock:
    """Stands still until it is turned; then it stops at every moment that somebody waits for."""

    def __init__(self) -> None:
        self._now = START
        self._waiting: list[tuple[datetime, asyncio.Event]] = []

    def now(self) -> datetime:
        return self._now

    def set_back(self, by: timedelta) -> None:
        self._now -= by

    async def wait_until(self, moment: datetime) -> None:
        while moment > self._now:
            event = asyncio.Event()
            self._waiting.append((moment, event))
            await event.wait()

    async def turn(self, seconds: float) -> None:
        end = self._now + timedelta(seconds=seconds)
        await _settle()
        while due := [moment for moment, _ in self._waiting if moment <= end]:
            self._now = max(self._now, min(due))
            woken = [event for moment, event in self._waiting if moment <= self._now]
            self._waiting = [(m, event) for m, event in self._waiting if m > self._now]
            for event in woken:
                event.set()
            await _settle()
        self._now = end


async def _settle() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


class Recorder(Api):
    """Takes every call at once, and notes when it came."""

    def __init__(self, clock: TurnedClock) -> None:
        self._clock = clock
        self.made: list[tuple[float, Call]] = []
        self.floods: list[float] = []
        self.held: asyncio.Event | None = None

    async def make(self, call: Call, read_timeout_s: float | None = None) -> Any:
        if self.held is not None:
            await self.held.wait()
        if self.floods:
            raise RetryAfter(timedelta(seconds=self.floods.pop()))
        self.made.append(((self._clock.now() - START).total_seconds(), call))
        return {"message_id": len(self.made)}

    @property
    def times(self) -> list[float]:
        return [round(at, 2) for at, _ in self.made]

    @property
    def texts(self) -> list[str]:
        return [call.params["text"] for _, call in self.made]

    def to(self, chat_id: int) -> list[float]:
        return [round(at, 2) for at, call in self.made if call.chat_id == chat_id]


@pytest.fixture
def clock() -> TurnedClock:
    return TurnedClock()


@pytest.fixture
def api(clock: TurnedClock) -> Recorder:
    return Recorder(clock)


def _keep(call: Call, message_id: int) -> None:
    return None


@pytest.fixture
async def outbox(api: Recorder, clock: TurnedClock) -> AsyncIterator[Outbox]:
    outbox = Outbox(api, clock, _keep)
    yield outbox
    await outbox.stop()


def send(chat_id: int, text: str = "hello", **more: Any) -> Call:
    return Call("sendMessage", {"chat_id": chat_id, "text": text}, **more)


def edit(chat_id: int, message_id: int, text: str, **more: Any) -> Call:
    params: Mapping[str, Any] = {"chat_id": chat_id, "message_id": message_id, "text": text}
    return Call("editMessageText", params, **more)


async def test_a_private_chat_gets_five_messages_at_once_and_then_one_a_second(
    outbox: Outbox, api: Recorder, clock: TurnedClock
) -> None:
    outbox.post([send(7) for _ in range(8)])
    await clock.turn(10)
    assert api.times == [0, 0, 0, 0, 0, 1, 2, 3]


async def test_after_a_rest_a_chat_may_get_five_at_once_again(
    outbox: Outbox, api: Recorder, clock: TurnedClock
) -> None:
    outbox.post([send(7) for _ in range(5)])
    await clock.turn(5)
    outbox.post([send(7) for _ in range(6)])
    await clock.turn(5)
    assert api.times == [0] * 5 + [5] * 5 + [6]


async def test_a_learner_who_taps_twice_a_second_waits_for_nothing_in_the_first_questions(
    outbox: Outbox, api: Recorder, clock: TurnedClock
) -> None:
    for n in range(4):  # the explanation, half a second later the next question
        outbox.post([edit(7, n, "verdict"), send(7)])
        await clock.turn(0.5)
        outbox.post([send(7)])
        await clock.turn(0.5)
    assert [at for at, call in api.made if call.method == "sendMessage"] == [
        0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5,
    ]  # fmt: skip


async def test_edits_in_a_private_chat_are_not_paced(
    outbox: Outbox, api: Recorder, clock: TurnedClock
) -> None:
    outbox.post([edit(7, n, "x") for n in range(40)])
    await clock.turn(0)
    assert len(api.made) == 40


async def test_a_group_never_gets_more_than_twenty_messages_and_edits_in_a_minute(
    outbox: Outbox, api: Recorder, clock: TurnedClock
) -> None:
    for n in range(40):
        outbox.post([send(-7), edit(-7, n, "x")])
    await clock.turn(400)
    times = api.times
    assert len(times) == 80
    assert times[:6] == [0, 0, 0, 0, 0, 3.75]
    assert max(sum(start <= at < start + 60 for at in times) for start in times) == 20


async def test_a_group_that_waits_keeps_nobody_else_waiting(
    outbox: Outbox, api: Recorder, clock: TurnedClock
) -> None:
    outbox.post([send(-7) for _ in range(30)])
    outbox.post([send(7)])
    await clock.turn(0)
    assert api.to(7) == [0]


async def test_over_all_thirty_messages_go_out_in_a_second(
    outbox: Outbox, api: Recorder, clock: TurnedClock
) -> None:
    for chat_id in range(1, 301):
        outbox.post([send(chat_id)], broadcast=True)
    await clock.turn(20)
    assert len(api.made) == 300
    assert 300 / api.times[-1] == pytest.approx(30, rel=0.02)


async def test_what_somebody_waits_for_overtakes_a_broadcast_at_once(
    outbox: Outbox, api: Recorder, clock: TurnedClock
) -> None:
    for chat_id in range(1, 301):
        outbox.post([send(chat_id, "broadcast")], broadcast=True)
    await clock.turn(2)
    outbox.post([send(1000, "for you")])
    outbox.post([send(250, "for you too, before the broadcast to you")])
    await clock.turn(0)
    assert api.texts[-2:] == ["for you", "for you too, before the broadcast to you"]
    assert api.to(1000) == [2]
    await clock.turn(20)
    assert len(api.made) == 302
    assert len(api.to(250)) == 2


async def test_many_who_wait_at_once_are_served_before_the_broadcast_and_in_order(
    outbox: Outbox, api: Recorder, clock: TurnedClock
) -> None:
    for chat_id in range(1, 61):
        outbox.post([send(chat_id, "broadcast")], broadcast=True)
    for chat_id in range(100, 160):
        outbox.post([send(chat_id, "answer")])
    await clock.turn(10)
    waited = [call.chat_id for _, call in api.made if call.params["text"] == "answer"]
    assert waited == list(range(100, 160))
    assert api.texts.index("answer") < 5
    last = len(api.texts) - api.texts[::-1].index("answer")
    assert last <= 64


async def test_a_flood_pauses_its_chat_and_what_comes_meanwhile_waits_too(
    outbox: Outbox, api: Recorder, clock: TurnedClock
) -> None:
    api.floods = [17]
    outbox.post([send(7, "one")])
    await clock.turn(1)
    outbox.post([edit(7, 1, "two")])
    outbox.post([send(8, "other")])
    await clock.turn(30)
    assert api.texts == ["other", "one", "two"]
    assert api.times == [1, 17, 17]


async def test_a_clock_set_back_by_an_hour_delays_no_paced_message_by_an_hour(
    outbox: Outbox, api: Recorder, clock: TurnedClock
) -> None:
    outbox.post([send(7) for _ in range(5)])
    await clock.turn(0)
    clock.set_back(timedelta(hours=1))
    outbox.post([send(7, "later")])
    await clock.turn(3)
    assert api.texts[-1] == "later"


async def test_of_edits_that_wait_for_one_message_the_newest_is_made_in_its_place(
    outbox: Outbox, api: Recorder, clock: TurnedClock
) -> None:
    done: list[str] = []
    outbox.post([send(-7, f"{n}") for n in range(5)])
    outbox.post([edit(-7, 1, "1 answered")], lambda: done.append("first"))
    outbox.post([send(-7, "between")])
    outbox.post([edit(-7, 2, "another message")])
    outbox.post([edit(-7, 1, "2 answered")], lambda: done.append("second"))
    outbox.post([edit(-7, 1, "3 answered")], lambda: done.append("third"))
    await clock.turn(60)
    assert api.texts[5:] == ["between", "another message", "3 answered"]
    assert done == ["first", "second", "third"]


async def test_an_edit_under_way_is_followed_by_the_newer_one(
    outbox: Outbox, api: Recorder, clock: TurnedClock
) -> None:
    api.held = asyncio.Event()
    outbox.post([edit(7, 1, "first")])
    await clock.turn(0)
    outbox.post([edit(7, 1, "second")])
    outbox.post([edit(7, 1, "third")])
    api.held.set()
    await clock.turn(0)
    assert api.texts == ["first", "third"]


async def test_an_edit_with_a_way_out_is_not_left_out_for_one_without(
    outbox: Outbox, api: Recorder, clock: TurnedClock
) -> None:
    api.held = asyncio.Event()
    outbox.post([send(7, "before")])
    await clock.turn(0)
    outbox.post([edit(7, 1, "result", instead=send(7, "result anew"))])
    outbox.post([edit(7, 1, "redrawn")])
    api.held.set()
    await clock.turn(0)
    assert api.texts == ["before", "result", "redrawn"]


async def test_only_broadcasts_are_paid_for_and_only_if_wished(
    api: Recorder, clock: TurnedClock
) -> None:
    outbox = Outbox(api, clock, _keep, Rates(paid=True))
    outbox.post([send(7, "answer")])
    outbox.post([send(8, "news"), edit(8, 1, "edited")], broadcast=True)
    await clock.turn(1)
    paid = [call.params["text"] for _, call in api.made if "allow_paid_broadcast" in call.params]
    assert paid == ["news"]
    await outbox.stop()


async def test_paces_of_chats_at_rest_are_forgotten() -> None:
    paces, pace = Paces(), Pace(1.0, 5)
    for chat in range(10_000):
        paces.note(chat, pace, float(chat))
    assert len(paces) < 2_100


@pytest.mark.parametrize("group", [0.5, 1, 3, 20, 100])
def test_no_minute_of_a_group_has_more_than_its_rate(group: float) -> None:
    pace = Rates(group=group).grouped
    filled, times, now = 0.0, list[float](), 1e6
    while len(times) < 4 * group + 4:
        now = max(now, pace.due(filled, now))
        filled = pace.after(filled, now)
        times.append(now)
    assert max(sum(s <= at < s + 59.9 for at in times) for s in times) <= max(1, group)
