"""Every limit and the exact words in which it is refused."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from bot.sandbox.clock import SandboxClock
from bot.sandbox.params import Attachment
from bot.sandbox.telegram import Telegram
from tests.people import Person

BUTTON = {"text": "A", "callback_data": "a"}


def keys(*rows: list[dict[str, Any]]) -> dict[str, Any]:
    return {"inline_keyboard": list(rows)}


def button(**fields: Any) -> dict[str, Any]:
    return {"text": "t", "reply_markup": keys([{"text": "A", **fields}])}


PARSE = "can't parse entities: "
BUTTONS = "can't parse inline keyboard button: "

REFUSED_SENDS: list[tuple[str, dict[str, Any], str]] = [
    ("no text", {}, "message text is empty"),
    ("empty text", {"text": ""}, "message text is empty"),
    ("white space", {"text": " \n\t "}, "text must be non-empty"),
    ("zero width", {"text": "\u200b\u200d"}, "text must be non-empty"),
    ("only a tag", {"text": "<b></b>", "parse_mode": "HTML"}, "text must be non-empty"),
    ("4097 characters", {"text": "x" * 4097}, "message is too long"),
    ("4097 emoji", {"text": "🙂" * 4097}, "message is too long"),
    ("32769 bytes", {"text": "<b>" * 10923, "parse_mode": "HTML"}, "text is too long"),
    ("no such mode", {"text": "t", "parse_mode": "BBCode"}, "unsupported parse_mode"),
    ("unknown chat", {"chat_id": 5, "text": "t"}, "chat not found"),
    ("chat that is no number", {"chat_id": "you", "text": "t"}, "chat not found"),
    ("unknown user name", {"chat_id": "@nobody", "text": "t"}, "chat not found"),
    ("group", {"chat_id": -100123, "text": "t"}, "chat not found"),
    ("no chat", {"chat_id": "", "text": "t"}, "chat_id is empty"),
    (
        "reply to nothing",
        {"text": "t", "reply_parameters": {"message_id": 99}},
        "message to be replied not found",
    ),
    (
        "old reply to nothing",
        {"text": "t", "reply_to_message_id": 99},
        "message to be replied not found",
    ),
    (
        "reply without id",
        {"text": "t", "reply_parameters": {"quote": "q"}},
        'can\'t find field "message_id"',
    ),
    ("data of 65 bytes", button(callback_data="x" * 65), "BUTTON_DATA_INVALID"),
    ("data of 22 × 3 bytes", button(callback_data="हि" * 11), "BUTTON_DATA_INVALID"),
    (
        "empty data",
        button(callback_data=""),
        f"{BUTTONS}Text buttons are unallowed in the inline keyboard",
    ),
    (
        "typeless button",
        button(),
        f"{BUTTONS}Text buttons are unallowed in the inline keyboard",
    ),
    (
        "button without text",
        {"text": "t", "reply_markup": keys([{"callback_data": "a"}])},
        f'{BUTTONS}Can\'t find field "text"',
    ),
    (
        "button text that is no text",
        {"text": "t", "reply_markup": keys([{"text": 1, "callback_data": "a"}])},
        f'{BUTTONS}Field "text" must be of type String',
    ),
    (
        "no link",
        button(url="not-a-url"),
        "inline keyboard button URL 'not-a-url' is invalid: Wrong HTTP URL",
    ),
    (
        "ftp",
        button(url="ftp://example.com"),
        "inline keyboard button URL 'ftp://example.com' is invalid: Unsupported URL protocol",
    ),
    ("nothing to copy", button(copy_text={"text": ""}), "BUTTON_COPY_TEXT_INVALID"),
    ("257 to copy", button(copy_text={"text": "x" * 257}), "BUTTON_COPY_TEXT_INVALID"),
    ("pay", button(pay=True), "BUTTON_TYPE_INVALID"),
    (
        "9 in a row",
        {"text": "t", "reply_markup": keys([BUTTON] * 9)},
        "reply markup is too long",
    ),
    (
        "101 buttons",
        {"text": "t", "reply_markup": keys(*[[BUTTON]] * 101)},
        "reply markup is too long",
    ),
    (
        "rows that are no list",
        {"text": "t", "reply_markup": {"inline_keyboard": "bad"}},
        'field "inline_keyboard" must be of type Array',
    ),
    ("no markup object", {"text": "t", "reply_markup": "[]"}, "object expected as reply markup"),
    (
        "broken JSON",
        {"text": "t", "reply_markup": "{"},
        "can't parse reply keyboard markup JSON object",
    ),
    (
        "entity of no type",
        {"text": "hello", "entities": [{"type": "shiny", "offset": 0, "length": 1}]},
        "can't parse MessageEntity: Unsupported type specified",
    ),
    (
        "entity before the text",
        {"text": "hello", "entities": [{"type": "bold", "offset": -1, "length": 1}]},
        "receive an entity with incorrect offset -1",
    ),
    (
        "entity behind the text",
        {"text": "hello", "entities": [{"type": "bold", "offset": 100, "length": 1}]},
        "entity begins after the end of the text at UTF-16 offset 100",
    ),
    (
        "entity over the end",
        {"text": "hello", "entities": [{"type": "bold", "offset": 0, "length": 100}]},
        "entity beginning at UTF-16 offset 0 ends after the end of the text at UTF-16 offset 100",
    ),
    (
        "entity with no link",
        {"text": "hello", "entities": [{"type": "text_link", "offset": 0, "length": 5}]},
        "can't parse MessageEntity: Can't find field \"url\"",
    ),
    (
        "entity with a bad link",
        {
            "text": "hello",
            "entities": [{"type": "text_link", "offset": 0, "length": 5, "url": "not-a-url"}],
        },
        "entity URL 'not-a-url' is invalid: Wrong HTTP URL",
    ),
]


@pytest.mark.parametrize(
    ("params", "why"),
    [case[1:] for case in REFUSED_SENDS],
    ids=[case[0] for case in REFUSED_SENDS],
)
async def test_send_message_is_refused(
    telegram: Telegram, learner: Person, params: dict[str, Any], why: str
) -> None:
    status, body = await telegram.call("sendMessage", {"chat_id": learner.id, **params})
    assert (status, body) == (
        400,
        {"ok": False, "error_code": 400, "description": f"Bad Request: {why}"},
    )
    assert learner.received == []


REFUSED_HTML = [
    ("<b>x", 'Can\'t find end tag corresponding to start tag "b"'),
    ("a < b", 'Unsupported start tag "" at byte offset 2'),
    ("é<x>", 'Unsupported start tag "x" at byte offset 2'),
    ("<script>alert(1)</script>", 'Unsupported start tag "script" at byte offset 0'),
    ("<b", "Unclosed start tag at byte offset 0"),
    ("<a href", "Unclosed start tag at byte offset 0"),
    ("<a href=", 'Unclosed start tag "a" at byte offset 0'),
    ('<a href="x', "Unclosed start tag at byte offset 0"),
    ("<a href=a/b>x</a>", "Unexpected end of name token at byte offset 8"),
    ("<a =x>y</a>", 'Empty attribute name in the tag "a" at byte offset 0'),
    ("x</b>", "Unexpected end tag at byte offset 1"),
    ("<b>x</b", "Unclosed end tag at byte offset 4"),
    (
        "<b><i>test</b></i>",
        'Unmatched end tag at byte offset 10, expected "</i>", found "</b>"',
    ),
    ("<span>x</span>", 'Tag "span" must have class "tg-spoiler" at byte offset 0'),
    ('<tg-emoji emoji-id="x">x</tg-emoji>', "Invalid custom emoji identifier specified"),
]


@pytest.mark.parametrize(("html", "why"), REFUSED_HTML)
async def test_broken_html_is_refused(
    telegram: Telegram, learner: Person, html: str, why: str
) -> None:
    _, body = await telegram.call(
        "sendMessage", {"chat_id": learner.id, "text": html, "parse_mode": "HTML"}
    )
    assert body["description"] == f"Bad Request: {PARSE}{why}"


LARGEST: list[dict[str, Any]] = [
    {"text": "x" * 4096},
    {"text": f"<b>{'x' * 4096}</b>", "parse_mode": "HTML"},
    {"text": "t", "reply_markup": keys([BUTTON] * 8)},
    {"text": "t", "reply_markup": keys(*[[BUTTON] * 4] * 25)},
    button(callback_data="x" * 64),
    button(copy_text={"text": "x" * 256}),
    button(disabled={}),
    button(url="tg://user?id=1"),
    {"text": "t", "reply_parameters": {"message_id": 9, "allow_sending_without_reply": True}},
    {"text": "t", "reply_to_message_id": 9, "allow_sending_without_reply": True},
]


@pytest.mark.parametrize("params", LARGEST, ids=lambda params: str(params)[:40])
async def test_send_message_is_accepted_at_the_limit(
    telegram: Telegram, learner: Person, params: dict[str, Any]
) -> None:
    status, body = await telegram.call("sendMessage", {"chat_id": learner.id, **params})
    assert (status, body["ok"]) == (200, True), body
    assert "reply_to_message" not in body["result"]


async def test_buttons_with_empty_text_vanish_without_a_word(
    telegram: Telegram, learner: Person
) -> None:
    markup = keys(
        [{"text": " ", "callback_data": "x"}, BUTTON], [{"text": "", "callback_data": "x"}]
    )
    await telegram.call(
        "sendMessage", {"chat_id": learner.id, "text": "t", "reply_markup": markup}
    )
    assert learner.buttons == ["A"]


EDITS: list[tuple[str, dict[str, Any], str]] = [
    ("no id", {"text": "t"}, "message identifier is not specified"),
    ("unknown message", {"message_id": 99, "text": "t"}, "message to edit not found"),
    ("the person's message", {"message_id": 1, "text": "t"}, "message can't be edited"),
    ("empty text", {"message_id": 2, "text": ""}, "message text is empty"),
    ("too long", {"message_id": 2, "text": "x" * 4097}, "message is too long"),
    (
        "the same again",
        {
            "message_id": 2,
            "text": "<b>Hi</b>",
            "parse_mode": "HTML",
            "reply_markup": keys([BUTTON]),
        },
        "message is not modified: specified new message content and reply markup are exactly the"
        " same as a current content and reply markup of the message",
    ),
    ("a document", {"message_id": 3, "text": "t"}, "there is no text in the message to edit"),
    ("another keyboard", {"message_id": 4, "text": "t"}, "message can't be edited"),
]


@pytest.mark.parametrize(("params", "why"), [e[1:] for e in EDITS], ids=[e[0] for e in EDITS])
async def test_an_edit_is_refused(
    telegram: Telegram, learner: Person, params: dict[str, Any], why: str
) -> None:
    hi = {"text": "<b>Hi</b>", "parse_mode": "HTML", "reply_markup": keys([BUTTON])}
    await telegram.call("sendMessage", {"chat_id": learner.id, **hi})
    await telegram.call("sendDocument", *_document(learner))
    other = {"text": "t", "reply_markup": {"remove_keyboard": True}}
    await telegram.call("sendMessage", {"chat_id": learner.id, **other})
    before = learner.messages
    _, body = await telegram.call("editMessageText", {"chat_id": learner.id, **params})
    assert body["description"] == f"Bad Request: {why}"
    assert learner.messages == before


async def test_the_same_keyboard_again_is_no_change(telegram: Telegram, learner: Person) -> None:
    sent = {"chat_id": learner.id, "text": "t", "reply_markup": keys([BUTTON])}
    await telegram.call("sendMessage", sent)
    same = {"chat_id": learner.id, "message_id": 2, "reply_markup": keys([BUTTON])}
    _, body = await telegram.call("editMessageReplyMarkup", same)
    assert body["description"].startswith("Bad Request: message is not modified: specified new")


async def test_deleting_twice_or_too_late_is_refused(
    telegram: Telegram, learner: Person, clock: SandboxClock
) -> None:
    await learner.says("second")
    first, second = ({"chat_id": learner.id, "message_id": n} for n in (1, 2))
    assert (await telegram.call("deleteMessage", first))[1] == {"ok": True, "result": True}
    _, again = await telegram.call("deleteMessage", first)
    assert again["description"] == "Bad Request: message to delete not found"
    clock.forward(timedelta(hours=48, seconds=1))
    _, late = await telegram.call("deleteMessage", second)
    assert late["description"] == "Bad Request: message can't be deleted"


async def test_a_stranger_and_one_who_blocked_the_bot_can_not_be_written_to(
    telegram: Telegram, learner: Person
) -> None:
    stranger = Person(telegram, "Lan")
    _, body = await telegram.call("sendMessage", {"chat_id": stranger.id, "text": "t"})
    assert body["description"] == "Bad Request: chat not found"
    await learner.blocks()
    status, body = await telegram.call("sendMessage", {"chat_id": learner.id, "text": "t"})
    assert (status, body["description"]) == (403, "Forbidden: bot was blocked by the user")
    await learner.unblocks()
    assert (await telegram.call("sendMessage", {"chat_id": learner.id, "text": "t"}))[0] == 200


async def test_files_have_their_limits(telegram: Telegram, learner: Person) -> None:
    async def send(params: dict[str, Any], content: bytes = b"x") -> str:
        files = {"document": Attachment("a.json", "application/json", content)}
        _, body = await telegram.call("sendDocument", {"chat_id": learner.id, **params}, files)
        description: str = body["description"]
        return description

    too_long = await send({"caption": "x" * 1025})
    assert too_long == "Bad Request: message caption is too long"
    assert await send({}, b"") == "Bad Request: file must be non-empty"
    _, body = await telegram.call("sendDocument", {"chat_id": learner.id, "document": "nope"})
    assert body["description"] == "Bad Request: wrong file identifier/HTTP URL specified"
    _, body = await telegram.call("sendDocument", {"chat_id": learner.id})
    assert body["description"] == "Bad Request: there is no document in the request"
    _, body = await telegram.call("getFile", {"file_id": "nope"})
    assert body["description"] == "Bad Request: invalid file_id"


PROFILE: list[tuple[str, dict[str, Any], str]] = [
    (
        "setMyCommands",
        {"commands": [], "language_code": "pt-br"},
        "invalid language code specified",
    ),
    ("setMyName", {"name": "n", "language_code": "EN"}, "invalid language code specified"),
    ("setMyName", {"name": "x" * 65}, "name is too long"),
    ("setMyDescription", {"description": "x" * 513}, "description is too long"),
    ("setMyShortDescription", {"short_description": "x" * 121}, "short description is too long"),
    (
        "setMyCommands",
        {"commands": [{"command": "x" * 33, "description": "d"}]},
        "command length must not exceed 32",
    ),
    (
        "setMyCommands",
        {"commands": [{"command": "x", "description": "d" * 257}]},
        "command description length must not exceed 256",
    ),
    (
        "setMyCommands",
        {"commands": [{"command": "no-dash", "description": "d"}]},
        "BOT_COMMAND_INVALID",
    ),
    (
        "setMyCommands",
        {"commands": [{"command": "", "description": "d"}]},
        "command must be non-empty",
    ),
    (
        "setMyCommands",
        {"commands": [{"command": "c", "description": "d"}] * 101},
        "BOT_COMMANDS_TOO_MUCH",
    ),
    ("sendChatAction", {"action": "sleeping"}, "wrong parameter action in request"),
]


@pytest.mark.parametrize(("method", "params", "why"), PROFILE, ids=lambda v: str(v)[:30])
async def test_the_profile_is_refused(
    telegram: Telegram, learner: Person, method: str, params: dict[str, Any], why: str
) -> None:
    if method == "sendChatAction":
        params = params | {"chat_id": learner.id}
    status, body = await telegram.call(method, params)
    assert (status, body["description"]) == (400, f"Bad Request: {why}")


async def test_a_wrong_token_and_an_unknown_method_are_refused(telegram: Telegram) -> None:
    status, body = await telegram.call("getMe", {}, token="1:wrong")
    assert (status, body) == (
        401,
        {"ok": False, "error_code": 401, "description": "Unauthorized"},
    )
    status, body = await telegram.call("getMoon", {})
    assert (status, body["description"]) == (404, "Not Found: method not found")


def _document(learner: Person) -> tuple[dict[str, Any], dict[str, Any]]:
    files = {"document": Attachment("a.json", "application/json", b"{}")}
    return {"chat_id": learner.id}, files
