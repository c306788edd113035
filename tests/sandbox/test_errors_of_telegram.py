"""The table: each refusal that the product can meet, and the request that provokes it.

The descriptions are those that Telegram's server sends, word for word.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest

from bot.sandbox.clock import SandboxClock
from bot.sandbox.groups import Group
from bot.sandbox.params import Attachment
from bot.sandbox.telegram import Telegram
from tests.people import Person
from tests.sandbox.asking import KEYS, PNG, done

BAD, FORBIDDEN = "Bad Request: ", "Forbidden: "
NOT_MODIFIED = (
    "message is not modified: specified new message content and reply markup are exactly the same"
    " as a current content and reply markup of the message"
)
TOO_OLD = "query is too old and response timeout expired or query ID is invalid"


@dataclass
class Scene:
    """Grace leads a forum with a topic, a group and a supergroup; message 2 of her private chat
    is a question of the bot's, as is `posted` in the supergroup."""

    telegram: Telegram
    clock: SandboxClock
    grace: Person
    forum: Group
    group: Group
    team: Group
    topic: int
    posted: int
    tap: str
    files: dict[str, Attachment] = field(default_factory=dict)


@pytest.fixture
async def scene(telegram: Telegram, clock: SandboxClock) -> Scene:
    grace = Person(telegram, "Grace")
    await grace.says("/start")
    forum, group = await grace.founds("F", "forum"), await grace.founds("G", "group")
    team = await grace.founds("T")
    question = {"text": "Q", "reply_markup": KEYS}
    await done(telegram, "sendMessage", chat_id=grace.id, **question)
    posted = await done(telegram, "sendMessage", chat_id=team.id, **question)
    tap = await grace.forges("x")
    topic = telegram.create_topic(grace.id, forum.id, "Week 1")
    return Scene(telegram, clock, grace, forum, group, team, topic, posted["message_id"], tap.id)


Request = Callable[[Scene], tuple[str, dict[str, Any]]]


def send(**params: Any) -> Request:
    return lambda s: ("sendMessage", {"chat_id": s.grace.id, "text": "t", **params})


def edit(**params: Any) -> Request:
    return lambda s: (
        "editMessageText",
        {"chat_id": s.grace.id, "message_id": 2, "text": "t", **params},
    )


def of_team(method: str, act: Callable[[Scene], Any], **params: Any) -> Request:
    def request(s: Scene) -> tuple[str, dict[str, Any]]:
        act(s)
        return method, {"chat_id": s.team.id, "text": "t", **params}

    return request


def of_group(act: Callable[[Scene], Any]) -> Request:
    def request(s: Scene) -> tuple[str, dict[str, Any]]:
        act(s)
        return "sendMessage", {"chat_id": s.group.id, "text": "t"}

    return request


def of_forum(thread: int | None, act: Callable[[Scene], Any] = lambda _: None) -> Request:
    def request(s: Scene) -> tuple[str, dict[str, Any]]:
        act(s)
        number = s.topic if thread is None else thread
        return "sendMessage", {"chat_id": s.forum.id, "text": "t", "message_thread_id": number}

    return request


def in_private(act: Callable[[Scene], Any]) -> Request:
    def request(s: Scene) -> tuple[str, dict[str, Any]]:
        act(s)
        return "sendMessage", {"chat_id": s.grace.id, "text": "t"}

    return request


def tapped(**params: Any) -> Request:
    return lambda s: ("answerCallbackQuery", {"callback_query_id": s.tap, **params})


def too_late(s: Scene) -> tuple[str, dict[str, Any]]:
    s.clock.forward(timedelta(seconds=16))
    return "answerCallbackQuery", {"callback_query_id": s.tap}


def delete_late(s: Scene) -> tuple[str, dict[str, Any]]:
    s.clock.forward(timedelta(hours=49))
    return "deleteMessage", {"chat_id": s.grace.id, "message_id": 2}


def photo(content: bytes, **params: Any) -> Request:
    def request(s: Scene) -> tuple[str, dict[str, Any]]:
        s.files["photo"] = Attachment("a.png", "image/png", content)
        return "sendPhoto", {"chat_id": s.grace.id, **params}

    return request


def plain(method: str, **params: Any) -> Request:
    return lambda s: (method, params)


def flood(s: Scene) -> tuple[str, dict[str, Any]]:
    s.telegram.trouble.flood(5)
    return "getMe", {}


def broken(status: int) -> Request:
    def request(s: Scene) -> tuple[str, dict[str, Any]]:
        s.telegram.trouble.broken(status)
        return "getMe", {}

    return request


def pushed(s: Scene) -> tuple[str, dict[str, Any]]:
    s.telegram.world.webhook.url = "http://127.0.0.1:9/"
    return "getUpdates", {}


def keys(*rows: int, **button: Any) -> dict[str, Any]:
    one = {"text": "A", **(button or {"callback_data": "a"})}
    return {"inline_keyboard": [[one] * length for length in rows]}


def picture(width: int, height: int) -> bytes:
    return PNG[:16] + width.to_bytes(4) + height.to_bytes(4) + PNG[24:]


HTML = {"parse_mode": "HTML"}

# What is provoked (the numbers of the facts it comes from), the request, the description.
TABLE: list[tuple[str, Request, str]] = [
    ("text of 4097", send(text="x" * 4097), f"{BAD}message is too long"),
    ("markup of 32769 bytes", send(text="<b>" * 10923, **HTML), f"{BAD}text is too long"),
    ("no text", send(text=""), f"{BAD}message text is empty"),
    ("white space", send(text=" \n"), f"{BAD}text must be non-empty"),
    ("caption of 1025", photo(PNG, caption="x" * 1025), f"{BAD}message caption is too long"),
    (
        "unknown tag",
        send(text="<x>", **HTML),
        f'{BAD}can\'t parse entities: Unsupported start tag "x" at byte offset 0',
    ),
    (
        "unclosed tag",
        send(text="<b>x", **HTML),
        f'{BAD}can\'t parse entities: Can\'t find end tag corresponding to start tag "b"',
    ),
    ("65 bytes of data", send(reply_markup=keys(1, callback_data="x" * 65)),
     f"{BAD}BUTTON_DATA_INVALID"),
    ("101 buttons", send(reply_markup=keys(*[1] * 101)), f"{BAD}reply markup is too long"),
    ("9 in a row", send(reply_markup=keys(9)), f"{BAD}reply markup is too long"),
    ("toast of 201", tapped(text="x" * 201), f"{BAD}MESSAGE_TOO_LONG"),
    ("foreign link in an answer", tapped(url="https://example.com"), f"{BAD}URL_INVALID"),
    ("late answer", too_late, BAD + TOO_OLD),
    ("answer to no tap", plain("answerCallbackQuery", callback_query_id="7"), BAD + TOO_OLD),
    ("edit that changes nothing", edit(text="Q", reply_markup=KEYS), BAD + NOT_MODIFIED),
    ("edit of nothing", edit(message_id=99), f"{BAD}message to edit not found"),
    ("edit of a person's message", edit(message_id=1), f"{BAD}message can't be edited"),
    ("reply to nothing", send(reply_parameters={"message_id": 99}),
     f"{BAD}message to be replied not found"),
    ("delete of nothing", lambda s: ("deleteMessage", {"chat_id": s.grace.id, "message_id": 99}),
     f"{BAD}message to delete not found"),
    ("delete after 48 h", delete_late, f"{BAD}message can't be deleted"),
    ("unknown chat", send(chat_id=12345), f"{BAD}chat not found"),
    ("no chat", send(chat_id=""), f"{BAD}chat_id is empty"),
    ("blocked", in_private(lambda s: s.telegram.block(s.grace.id)),
     f"{FORBIDDEN}bot was blocked by the user"),
    ("deactivated", in_private(lambda s: s.telegram.deactivate(s.grace.id)),
     f"{FORBIDDEN}user is deactivated"),
    ("kicked from a group", of_group(lambda s: s.telegram.remove_bot(s.grace.id, s.group.id)),
     f"{FORBIDDEN}bot was kicked from the group chat"),
    ("kicked from a supergroup",
     of_team("sendMessage", lambda s: s.telegram.remove_bot(s.grace.id, s.team.id)),
     f"{FORBIDDEN}bot was kicked from the supergroup chat"),
    ("deleted group", of_group(lambda s: s.telegram.delete_group(s.grace.id, s.group.id)),
     f"{FORBIDDEN}the group chat was deleted"),
    ("upgraded group", of_group(lambda s: s.telegram.upgrade(s.grace.id, s.group.id)),
     f"{BAD}group chat was upgraded to a supergroup chat"),
    ("General as thread 1", of_forum(1), f"{BAD}message thread not found"),
    ("unknown topic", of_forum(99), f"{BAD}message thread not found"),
    ("deleted topic",
     of_forum(None, lambda s: s.telegram.delete_topic(s.grace.id, s.forum.id, s.topic)),
     f"{BAD}message thread not found"),
    ("closed topic",
     of_forum(None, lambda s: s.telegram.close_topic(s.grace.id, s.forum.id, s.topic)),
     f"{BAD}TOPIC_CLOSED"),
    ("may not write",
     of_team("sendMessage",
             lambda s: s.telegram.restrict_bot(s.grace.id, s.team.id, ["can_send_messages"])),
     f"{BAD}not enough rights to send text messages to the chat"),
    ("may not pin", of_team("pinChatMessage", lambda _: None, message_id=1),
     f"{BAD}not enough rights to manage pinned messages in the chat"),
    ("language of three letters", plain("setMyDescription", description="d", language_code="fil"),
     f"{BAD}invalid language code specified"),
    ("command of 33", plain("setMyCommands", commands=[{"command": "x" * 33, "description": "d"}]),
     f"{BAD}command length must not exceed 32"),
    ("picture too long and thin", photo(picture(2100, 100)), f"{BAD}PHOTO_INVALID_DIMENSIONS"),
    ("picture too large", photo(picture(6000, 6000)), f"{BAD}PHOTO_INVALID_DIMENSIONS"),
    ("no picture", photo(b"text"), f"{BAD}IMAGE_PROCESS_FAILED"),
    ("empty file", photo(b""), f"{BAD}file must be non-empty"),
    ("unknown file", plain("getFile", file_id="x"), f"{BAD}invalid file_id"),
    ("unknown method", plain("getMoon"), "Not Found: method not found"),
    ("flood", flood, "Too Many Requests: retry after 5"),
    ("token revoked", broken(401), "Unauthorized"),
    ("server restarting", broken(500), "Internal Server Error: restart"),
    ("server away", broken(502), "Bad Gateway"),
    ("polling beside a webhook", pushed,
     "Conflict: can't use getUpdates method while webhook is active;"
     " use deleteWebhook to delete the webhook first"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("request_", "said"), [row[1:] for row in TABLE], ids=[r[0] for r in TABLE]
)
async def test_it_is_refused_in_telegrams_words(
    scene: Scene, request_: Request, said: str
) -> None:
    method, params = request_(scene)
    status, body = await scene.telegram.call(method, params, scene.files)
    assert (body["ok"], body["error_code"], body["description"]) == (False, status, said)
    wants_params = {"Too Many": "retry_after", "Bad Request: group chat": "migrate_to_chat_id"}
    for begins, parameter in wants_params.items():
        if said.startswith(begins):
            assert parameter in body["parameters"]
