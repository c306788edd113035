from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

import pytest
from telegram.error import NetworkError, TimedOut

from bot.gateway.api import Api
from bot.gateway.calls import Call, Upload
from bot.gateway.outbox import Outbox
from bot.gateway.transport import NotSent
from bot.sandbox.telegram import Telegram
from tests.gateway.conftest import HastyClock, Wire, message, refused
from tests.people import Person

RESET = NetworkError("the connection was lost")
NOT_SENT = NotSent("can't connect")
GONE = refused("Bad Request: message to edit not found")


class Kept:
    """What the outbox reported."""

    def __init__(self) -> None:
        self.ids: dict[str, int] = {}
        self.done = 0

    def keep(self, call: Call, message_id: int) -> None:
        assert call.keep is not None
        self.ids[call.keep] = message_id

    def finished(self) -> None:
        self.done += 1


@pytest.fixture
def kept() -> Kept:
    return Kept()


@pytest.fixture
def outbox(api: Api, clock: HastyClock, kept: Kept) -> Outbox:
    return Outbox(api, clock, kept.keep)


def _held(event: asyncio.Event) -> Callable[[], Awaitable[None]]:
    async def wait() -> None:
        await event.wait()

    return wait


def texts(person: Person) -> list[str]:
    return [message["text"] for message in person.received]


async def sent(outbox: Outbox, person: Person, text: str = "first") -> int:
    outbox.post([message(person, text)])
    await outbox.idle()
    return int(person.received[-1]["message_id"])


def edit(person: Person, message_id: int, text: str, instead: Call | None = None) -> Call:
    params = {"chat_id": person.id, "message_id": message_id, "text": text}
    return Call("editMessageText", params, instead=instead)


async def test_a_chat_gets_its_messages_in_order_and_the_batch_is_done_once(
    outbox: Outbox, asha: Person, kept: Kept
) -> None:
    outbox.post([message(asha, "one"), message(asha, "two")], kept.finished)
    outbox.post([message(asha, "three")])
    assert kept.done == 0
    await outbox.idle()
    assert texts(asha) == ["one", "two", "three"]
    assert kept.done == 1


async def test_a_batch_for_two_chats_is_done_after_both(
    telegram: Telegram, outbox: Outbox, asha: Person, binh: Person, kept: Kept, wire: Wire
) -> None:
    held = asyncio.Event()
    wire.plan("sendMessage", _held(held))
    outbox.post([message(asha, "one"), message(binh, "two")], kept.finished)
    await telegram.until(lambda: bool(texts(binh)))
    assert kept.done == 0
    held.set()
    await outbox.idle()
    assert texts(asha) == ["one"]
    assert kept.done == 1


async def test_nothing_to_make_is_done_at_once(outbox: Outbox, kept: Kept) -> None:
    outbox.post([], kept.finished)
    assert kept.done == 1


async def test_a_chat_that_hangs_keeps_nobody_else_waiting(
    telegram: Telegram, outbox: Outbox, asha: Person, binh: Person, wire: Wire
) -> None:
    held = asyncio.Event()
    wire.plan("sendMessage", _held(held))
    outbox.post([message(asha, "slow")])
    outbox.post([message(asha, "behind it")])
    outbox.post([message(binh, "quick")])
    await telegram.until(lambda: bool(texts(binh)))
    assert texts(asha) == []
    held.set()
    await outbox.idle()
    assert texts(asha) == ["slow", "behind it"]


async def test_no_more_calls_than_the_cap_are_under_way(
    api: Api, clock: HastyClock, kept: Kept, asha: Person, wire: Wire
) -> None:
    outbox = Outbox(api, clock, kept.keep, cap=2)
    held = asyncio.Event()
    wire.plan("sendChatAction", *[_held(held)] * 5)
    for chat_id in range(5):
        outbox.post([Call("sendChatAction", {"chat_id": asha.id + chat_id, "action": "typing"})])
    for _ in range(50):
        await asyncio.sleep(0)
    assert len(wire.asked) == 2
    await outbox.stop()
    assert len(outbox) == 0


@pytest.mark.parametrize("trouble", [RESET, NOT_SENT, TimedOut(), refused("Bad Gateway", 502)])
async def test_an_edit_is_repeated_after_any_temporary_trouble(
    outbox: Outbox, asha: Person, wire: Wire, clock: HastyClock, trouble: Exception
) -> None:
    message_id = await sent(outbox, asha)
    wire.plan("editMessageText", trouble, trouble)
    outbox.post([edit(asha, message_id, "second")])
    await outbox.idle()
    assert texts(asha) == ["second"]
    assert wire.methods.count("editMessageText") == 3
    assert clock.pauses == [1.0, 2.0]


async def test_a_send_that_certainly_did_not_arrive_is_repeated(
    outbox: Outbox, asha: Person, wire: Wire, clock: HastyClock
) -> None:
    wire.plan("sendMessage", *[NOT_SENT] * 20)
    outbox.post([message(asha, "hello")])
    await outbox.idle()
    assert texts(asha) == ["hello"]
    assert clock.pauses[:8] == [1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 30.0, 30.0]


@pytest.mark.parametrize("trouble", [RESET, TimedOut(), refused("Bad Gateway", 502)])
async def test_a_send_that_may_have_arrived_is_not_repeated_and_the_next_one_follows(
    outbox: Outbox, asha: Person, wire: Wire, kept: Kept, trouble: Exception
) -> None:
    wire.plan("sendMessage", trouble)
    outbox.post([message(asha, "doubtful"), message(asha, "next")], kept.finished)
    await outbox.idle()
    assert wire.texts == ["doubtful", "next"]
    assert kept.done == 1


async def test_an_edit_that_never_succeeds_is_given_up_and_the_next_call_follows(
    outbox: Outbox, asha: Person, wire: Wire, kept: Kept, caplog: pytest.LogCaptureFixture
) -> None:
    message_id = await sent(outbox, asha)
    wire.plan("editMessageText", *[RESET] * 9)
    outbox.post([edit(asha, message_id, "second"), message(asha, "next")], kept.finished)
    await outbox.idle()
    assert texts(asha) == ["first", "next"]
    assert wire.methods.count("editMessageText") == 9
    assert kept.done == 1
    assert "MAYBE_SENT" in caplog.text


async def test_a_flood_pauses_its_chat_for_as_long_as_telegram_says_and_no_other(
    outbox: Outbox, asha: Person, binh: Person, wire: Wire, clock: HastyClock
) -> None:
    flood = refused("Too Many Requests: retry after 17", 429, retry_after=17)
    wire.plan("sendMessage", flood)
    outbox.post([message(asha, "one"), message(asha, "two")])
    outbox.post([message(binh, "other")])
    await outbox.idle()
    assert texts(asha) == ["one", "two"]
    assert texts(binh) == ["other"]
    assert clock.pauses == [17.0]


@pytest.mark.parametrize(
    "said",
    [
        "Bad Request: message is not modified: specified new message content and reply markup are"
        " exactly the same as a current content and reply markup of the message",
        "Bad Request: message to edit not found",
    ],
)
async def test_an_edit_of_no_use_counts_as_made(
    outbox: Outbox,
    asha: Person,
    wire: Wire,
    kept: Kept,
    said: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    wire.plan("editMessageText", refused(said))
    outbox.post([edit(asha, 1, "x"), message(asha, "next")], kept.finished)
    await outbox.idle()
    assert texts(asha) == ["next"]
    assert kept.done == 1
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


async def test_a_message_is_sent_instead_of_an_edit_whose_target_is_gone(
    outbox: Outbox, asha: Person, kept: Kept, wire: Wire
) -> None:
    wire.plan("editMessageText", GONE)
    instead = message(asha, "anew", keep="question:1")
    outbox.post([edit(asha, 999, "x", instead), message(asha, "next")], kept.finished)
    await outbox.idle()
    assert texts(asha) == ["anew", "next"]
    assert kept.ids == {"question:1": asha.received[0]["message_id"]}
    assert kept.done == 1


async def test_the_message_sent_instead_is_itself_repeated_only_when_it_did_not_arrive(
    outbox: Outbox, asha: Person, wire: Wire
) -> None:
    wire.plan("editMessageText", GONE)
    wire.plan("sendMessage", NOT_SENT, RESET)
    outbox.post([edit(asha, 999, "x", message(asha, "anew"))])
    await outbox.idle()
    assert wire.methods == ["editMessageText", "sendMessage", "sendMessage"]


@pytest.mark.parametrize(
    ("status", "said", "level"),
    [
        (403, "Forbidden: bot was blocked by the user", logging.INFO),
        (403, "Forbidden: user is deactivated", logging.INFO),
        (400, "Bad Request: chat not found", logging.INFO),
        (400, "Bad Request: not enough rights to send text messages to the chat", logging.WARNING),
    ],
)
async def test_nothing_more_is_tried_where_nobody_listens_and_it_is_logged_once(
    outbox: Outbox,
    asha: Person,
    wire: Wire,
    kept: Kept,
    status: int,
    said: str,
    level: int,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    wire.plan("sendMessage", refused(said, status))
    outbox.post([message(asha, "one"), message(asha, "two")], kept.finished)
    outbox.post([message(asha, "a later batch")])
    await outbox.idle()
    assert wire.texts == ["one", "a later batch"]
    assert kept.done == 1
    assert [
        record.levelno for record in caplog.records if record.name == "bot.gateway.delivery"
    ] == [level]


async def test_a_group_that_became_a_supergroup_gets_the_message_under_its_new_id(
    outbox: Outbox, asha: Person, wire: Wire
) -> None:
    said = "Bad Request: group chat was upgraded to a supergroup chat"
    wire.plan("sendMessage", refused(said, migrate_to_chat_id=asha.id))
    outbox.post([Call("sendMessage", {"chat_id": -5, "text": "hello"})])
    await outbox.idle()
    assert texts(asha) == ["hello"]


@pytest.mark.logs_errors
async def test_a_wrong_call_is_logged_once_without_its_contents_and_the_next_follows(
    outbox: Outbox, asha: Person, wire: Wire, kept: Kept, caplog: pytest.LogCaptureFixture
) -> None:
    wire.plan("sendMessage", refused("Bad Request: BUTTON_DATA_INVALID"))
    outbox.post([message(asha, "what was said"), message(asha, "next")], kept.finished)
    await outbox.idle()
    assert texts(asha) == ["next"]
    assert kept.done == 1
    [record] = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert "sendMessage" in record.getMessage()
    assert "utton_data_invalid" in record.getMessage()
    assert "what was said" not in caplog.text


@pytest.mark.logs_errors
async def test_a_refused_token_leaves_the_batch_to_the_next_run(
    outbox: Outbox, asha: Person, wire: Wire, kept: Kept
) -> None:
    wire.plan("sendMessage", refused("Unauthorized", 401))
    outbox.post([message(asha, "one"), message(asha, "two")], kept.finished)
    await outbox.idle()
    assert wire.texts == ["one"]
    assert kept.done == 0


async def test_only_calls_that_ask_for_it_have_their_message_id_kept(
    outbox: Outbox, asha: Person, kept: Kept
) -> None:
    outbox.post([message(asha, "one"), message(asha, "two", keep="question:2")])
    await outbox.idle()
    assert kept.ids == {"question:2": asha.received[1]["message_id"]}


async def test_an_answer_is_made_at_once_or_said_to_be_still_due(
    outbox: Outbox, wire: Wire
) -> None:
    answer = Call("answerCallbackQuery", {"callback_query_id": "77"})
    old = "Bad Request: query is too old and response timeout expired or query ID is invalid"
    wire.plan("answerCallbackQuery", RESET, NOT_SENT, refused(old))
    assert not await outbox.make_at_once(answer, 5.0)
    assert not await outbox.make_at_once(answer, 5.0)
    assert await outbox.make_at_once(answer, 5.0)


async def test_an_answer_that_takes_too_long_is_still_due(outbox: Outbox, wire: Wire) -> None:
    wire.plan("answerCallbackQuery", _held(asyncio.Event()))
    assert not await outbox.make_at_once(Call("answerCallbackQuery", {}), 0.01)


async def test_a_file_is_uploaded_under_its_name(outbox: Outbox, asha: Person) -> None:
    upload = Upload("document", "data.json", '{"name": "Bình"}')
    outbox.post([Call("sendDocument", {"chat_id": asha.id, "caption": "yours"}, upload)])
    await outbox.idle()
    [received] = asha.received
    assert received["document"]["file_name"] == "data.json"
    assert received["document"]["file_size"] == len('{"name": "Bình"}'.encode())


async def test_no_chat_leaves_anything_behind(outbox: Outbox, asha: Person, binh: Person) -> None:
    outbox.post([message(asha, "one"), message(binh, "two")])
    assert len(outbox) == 2
    await outbox.idle()
    assert len(outbox) == 0
