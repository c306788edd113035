"""What bot and person see of each other."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from bot.sandbox.clock import SandboxClock
from bot.sandbox.errors import Drop, Fault
from bot.sandbox.params import Attachment
from bot.sandbox.telegram import Telegram
from tests.people import Person

KEYS = {
    "inline_keyboard": [[{"text": "A", "callback_data": "a"}, {"text": "B", "callback_data": "b"}]]
}


async def done(telegram: Telegram, method: str, **params: Any) -> Any:
    status, body = await telegram.call(method, params)
    assert status == 200, body
    return body["result"]


async def last_update(telegram: Telegram) -> dict[str, Any]:
    (update,) = await done(telegram, "getUpdates", offset=-1)
    return dict(update)


async def test_a_message_arrives_on_both_sides(telegram: Telegram, learner: Person) -> None:
    update = await last_update(telegram)
    assert update["message"]["from"] == {
        "id": learner.id,
        "is_bot": False,
        "first_name": "Asha",
        "language_code": "hi",
    }
    sent = await done(telegram, "sendMessage", chat_id=learner.id, text="Hi", reply_markup=KEYS)
    assert sent["chat"] == {"id": learner.id, "first_name": "Asha", "type": "private"}
    assert sent["from"]["is_bot"]
    assert sent["message_id"] == update["message"]["message_id"] + 1
    assert (learner.screen, learner.buttons) == ("Hi", ["A", "B"])


async def test_ids_are_the_chats_own(telegram: Telegram, learner: Person) -> None:
    other = Person(telegram, "Lan", "vi")
    await other.says("/start")
    assert [m["message_id"] for m in other.messages] == [m["message_id"] for m in learner.messages]


async def test_a_reply_shows_what_it_replies_to_until_that_is_gone(
    telegram: Telegram, learner: Person
) -> None:
    question = await done(telegram, "sendMessage", chat_id=learner.id, text="Q")
    answer = {"message_id": question["message_id"], "allow_sending_without_reply": True}
    reply = await done(
        telegram, "sendMessage", chat_id=str(learner.id), text="E", reply_parameters=answer
    )
    assert reply["reply_to_message"]["text"] == "Q"
    await learner.deletes(question)
    assert "reply_to_message" not in learner.messages[-1]


async def test_an_edit_without_a_keyboard_drops_it(telegram: Telegram, learner: Person) -> None:
    sent = await done(telegram, "sendMessage", chat_id=learner.id, text="Q", reply_markup=KEYS)
    place = {"chat_id": learner.id, "message_id": sent["message_id"]}
    edited = await done(telegram, "editMessageText", **place, text="Q")
    assert "reply_markup" not in edited
    assert "edit_date" in edited
    again = await done(telegram, "editMessageReplyMarkup", **place, reply_markup=KEYS)
    assert again["text"] == "Q"
    assert learner.buttons == ["A", "B"]
    assert len(learner.account.chat.posted[sent["message_id"]].history) == 2


async def test_a_tap_tells_the_bot_where_and_what(telegram: Telegram, learner: Person) -> None:
    sent = await done(telegram, "sendMessage", chat_id=learner.id, text="Q", reply_markup=KEYS)
    first = await learner.taps("B")
    query = (await last_update(telegram))["callback_query"]
    assert first is not None
    assert (query["id"], query["data"], query["message"]) == (first.id, "b", sent)
    await learner.taps("A", on=sent)
    again = (await last_update(telegram))["callback_query"]
    assert again["chat_instance"] == query["chat_instance"]
    assert again["id"] != query["id"]


async def test_a_tap_is_answered_once(telegram: Telegram, learner: Person) -> None:
    tap = await learner.forges("x")
    assert learner.answers_to_taps == [None]
    answer = {"callback_query_id": tap.id, "text": "✅", "show_alert": True}
    assert await done(telegram, "answerCallbackQuery", **answer) is True
    status, body = await telegram.call("answerCallbackQuery", answer)
    assert (status, body["description"]) == (
        400,
        "Bad Request: query is too old and response timeout expired or query ID is invalid",
    )
    assert (learner.toast, tap.refused) == ("✅", 1)
    assert [a.show_alert for a in learner.answers_to_taps if a] == [True]


@pytest.mark.parametrize(("late_s", "status"), [(14, 200), (16, 400)])
async def test_a_tap_can_be_answered_for_15_seconds(
    telegram: Telegram, learner: Person, clock: SandboxClock, late_s: int, status: int
) -> None:
    tap = await learner.forges("x")
    clock.forward(timedelta(seconds=late_s))
    assert (await telegram.call("answerCallbackQuery", {"callback_query_id": tap.id}))[0] == status


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ({"text": "x" * 201}, "MESSAGE_TOO_LONG"),
        ({"url": "https://example.com"}, "URL_INVALID"),
        ({"text": "हि" * 100}, None),
        ({"url": "t.me/quizbot_demo_bot?start=x"}, None),
    ],
)
async def test_an_answer_has_limits(
    telegram: Telegram, learner: Person, answer: dict[str, str], why: str | None
) -> None:
    tap = await learner.forges("x")
    _, body = await telegram.call("answerCallbackQuery", {"callback_query_id": tap.id, **answer})
    assert body.get("description") == (why and f"Bad Request: {why}")


async def test_a_tap_on_a_message_that_is_gone_or_foreign_has_no_message(
    telegram: Telegram, learner: Person
) -> None:
    sent = await done(telegram, "sendMessage", chat_id=learner.id, text="Q", reply_markup=KEYS)
    await learner.deletes(sent)
    telegram.tap(learner.id, sent["message_id"], 0, 0)
    query = (await last_update(telegram))["callback_query"]
    assert query["data"] == "a"
    assert query["message"] == {
        "chat": sent["chat"],
        "message_id": sent["message_id"],
        "date": 0,
    }
    await learner.forges("a", on=4711)
    assert (await last_update(telegram))["callback_query"]["message"]["date"] == 0


async def test_deep_links_are_followed(telegram: Telegram, learner: Person) -> None:
    await learner.follows("checkpoint-sharding")
    assert (await last_update(telegram))["message"]["text"] == "/start checkpoint-sharding"
    link = {"text": "Share", "url": "https://t.me/quizbot_demo_bot?start=x_1"}
    keys = {"inline_keyboard": [[link]]}
    await done(telegram, "sendMessage", chat_id=learner.id, text="t", reply_markup=keys)
    assert await learner.taps("Share") is None
    assert (await last_update(telegram))["message"]["text"] == "/start x_1"


async def test_blocking_and_unblocking_are_told(telegram: Telegram, learner: Person) -> None:
    await learner.blocks()
    await learner.blocks()
    change = (await last_update(telegram))["my_chat_member"]
    assert change["new_chat_member"]["status"] == "kicked"
    assert change["old_chat_member"]["status"] == "member"
    await learner.says("back")
    _, unblocked, said = await done(telegram, "getUpdates", offset=-3)
    assert unblocked["my_chat_member"]["new_chat_member"]["status"] == "member"
    assert said["message"]["text"] == "back"


async def test_impossible_acts_are_an_error(telegram: Telegram, learner: Person) -> None:
    for act in (
        lambda: telegram.say(1, "hi"),
        lambda: telegram.say(learner.id, " \n"),
        lambda: telegram.tap(learner.id, 1, 0, 0),
        lambda: telegram.tap(learner.id, 99, 0, 0),
        lambda: telegram.delete(learner.id, 99),
        lambda: telegram.start(learner.id, "no spaces"),
        lambda: telegram.start(learner.id, "x" * 65),
        lambda: telegram.join("Twin", id=learner.id),
    ):
        with pytest.raises(ValueError, match=r"\w"):
            act()
    with pytest.raises(AssertionError, match="no one button 'Z' for Asha"):
        await learner.taps("Z")


async def test_a_long_message_goes_in_parts(telegram: Telegram, learner: Person) -> None:
    await learner.says("x" * 5000)
    assert [len(message["text"]) for message in learner.messages[-2:]] == [4096, 904]


async def test_a_document_can_be_had_back(telegram: Telegram, learner: Person) -> None:
    files = {"document": Attachment("mine.json", "application/json", b'{"a":1}')}
    params = {"chat_id": learner.id, "caption": "<b>all</b>", "parse_mode": "HTML"}
    _, body = await telegram.call("sendDocument", params, files)
    document = body["result"]["document"]
    assert (document["file_name"], document["file_size"]) == ("mine.json", 7)
    assert learner.screen == "all"
    file = await done(telegram, "getFile", file_id=document["file_id"])
    assert file["file_path"] == "documents/file_0.json"
    again = await done(telegram, "sendDocument", chat_id=learner.id, document=document["file_id"])
    assert again["document"] == document


async def test_the_menu_is_the_persons_own(telegram: Telegram, learner: Person) -> None:
    def command(text: str) -> list[dict[str, str]]:
        return [{"command": "start", "description": text}]

    private = {"scope": {"type": "all_private_chats"}}
    await done(telegram, "setMyCommands", commands=command("Start"))
    await done(telegram, "setMyCommands", commands=command("Bắt đầu"), language_code="vi")
    menu = telegram.world.profile.menu
    assert menu(learner.id, "hi") == command("Start")
    assert menu(learner.id, "vi-VN") == command("Bắt đầu")
    assert menu(learner.id, "fil") == command("Start")
    await done(telegram, "setMyCommands", commands=command("Private"), **private)
    assert menu(learner.id, "vi") == command("Private")
    own = {"scope": {"type": "chat", "chat_id": learner.id}}
    await done(telegram, "setMyCommands", commands=command("Yours"), **own)
    assert menu(learner.id, "vi") == command("Yours")
    await done(telegram, "deleteMyCommands", **own)
    assert await done(telegram, "getMyCommands", **own) == []
    assert await done(telegram, "getMyCommands", **private) == command("Private")


async def test_descriptions_fall_back_to_the_default(telegram: Telegram, learner: Person) -> None:
    assert await done(telegram, "getMyName") == {"name": "quizbot"}
    for what in ("Name", "Description", "ShortDescription"):
        name = {"ShortDescription": "short_description"}.get(what, what.lower())
        await done(telegram, f"setMy{what}", **{name: "all"})
        await done(telegram, f"setMy{what}", **{name: "हिन्दी", "language_code": "hi"})
        assert await done(telegram, f"getMy{what}", language_code="hi") == {name: "हिन्दी"}
        assert await done(telegram, f"getMy{what}", language_code="vi") == {name: "all"}


async def test_the_rest_of_the_methods_answer(telegram: Telegram, learner: Person) -> None:
    assert (await done(telegram, "GETME"))["username"] == "quizbot_demo_bot"
    assert (await done(telegram, "getChat", chat_id=learner.id))["first_name"] == "Asha"
    assert await done(telegram, "sendChatAction", chat_id=learner.id, action="typing") is True


async def test_a_hook_can_refuse_delay_or_swallow_an_answer(
    telegram: Telegram, learner: Person
) -> None:
    send = {"chat_id": learner.id, "text": "t"}

    async def flood(method: str, params: Any) -> None:
        raise Fault.flood(7)

    async def drop(method: str, params: Any) -> None:
        raise Drop

    telegram.before = flood
    status, body = await telegram.call("sendMessage", send)
    assert (status, body) == (
        429,
        {
            "ok": False,
            "error_code": 429,
            "description": "Too Many Requests: retry after 7",
            "parameters": {"retry_after": 7},
        },
    )
    telegram.before, telegram.after = drop, None
    with pytest.raises(Drop):
        await telegram.call("sendMessage", send)
    assert learner.received == []
    telegram.before, telegram.after = None, drop
    with pytest.raises(Drop):
        await telegram.call("sendMessage", send)
    assert learner.screen == "t"
    telegram.after = flood
    assert (await telegram.call("getMe", {}))[0] == 429
    assert [call.method for call in telegram.log] == ["sendMessage", "getMe"]


async def test_until_waits_for_calls_and_acts(telegram: Telegram, learner: Person) -> None:
    seen = asyncio.create_task(telegram.until(lambda: learner.screen == "news"))
    await done(telegram, "sendMessage", chat_id=learner.id, text="news")
    await seen
    with pytest.raises(TimeoutError, match=r"not within 0 s; the last calls:\n  sendMessage"):
        await telegram.until(lambda: False, timeout_s=0)
