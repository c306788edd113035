"""What the chat page asks and is told."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime
from typing import Any

import aiohttp
import pytest

from bot.sandbox import page
from bot.sandbox.params import Attachment
from bot.sandbox.server import Server
from bot.sandbox.telegram import Telegram
from tests.people import Person

KEYS = {
    "inline_keyboard": [
        [{"text": "A", "callback_data": "a"}, {"text": "B", "url": "https://example.com/"}]
    ]
}


@pytest.fixture
async def browser(server: Server) -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession(server.url) as browser:
        yield browser


async def test_the_state_tells_who_is_here(
    browser: aiohttp.ClientSession, learner: Person, telegram: Telegram
) -> None:
    telegram.join("Lan", "vi", about="tiếng Việt")
    async with browser.get("/sandbox/state") as response:
        state = await response.json()
    assert state["bot"] == {"username": "quizbot_demo_bot", "first_name": "quizbot"}
    assert [(p["first_name"], p["language_code"], p["about"]) for p in state["people"]] == [
        ("Asha", "hi", ""),
        ("Lan", "vi", "tiếng Việt"),
    ]
    assert datetime.fromisoformat(state["now"]).tzinfo is not None


async def test_the_page_acts_for_a_person_and_sees_what_follows(
    browser: aiohttp.ClientSession, learner: Person, telegram: Telegram
) -> None:
    commands = [{"command": "start", "description": "Start"}]
    await telegram.call("setMyCommands", {"commands": commands})
    async with browser.ws_connect(f"/sandbox/events?person={learner.id}") as events:
        history = await events.receive_json()
        assert (history["type"], history["commands"]) == ("history", commands)
        assert [(m["text"], m["out"]) for m in history["messages"]] == [("/start", True)]

        said = await _post(browser, "say", person=learner.id, text="hello")
        message = (await events.receive_json())["message"]
        assert (message["text"], message["message_id"]) == ("hello", said["message_id"])

        sent = {"chat_id": learner.id, "text": "Q", "reply_markup": KEYS}
        await telegram.call("sendMessage", sent)
        question = (await events.receive_json())["message"]
        assert "out" not in question
        assert question["reply_markup"] == KEYS

        place = {"person": learner.id, "message_id": question["message_id"]}
        tapped = await _post(browser, "tap", **place, row=0, column=0)
        answer = {"callback_query_id": tapped["callback_query_id"]}
        await telegram.call("answerCallbackQuery", answer | {"text": "✅"})
        told = await events.receive_json()
        assert told == {"type": "answered", **answer, "text": "✅", "show_alert": False}

        edit = {"chat_id": learner.id, "message_id": question["message_id"]}
        await telegram.call("editMessageText", edit | {"text": "done"})
        edited = await events.receive_json()
        assert (edited["type"], edited["message"]["text"]) == ("edited", "done")
        await telegram.call("deleteMessage", edit)
        assert await events.receive_json() == {
            "type": "deleted",
            "message_id": question["message_id"],
        }
        await telegram.call("deleteMyCommands", {})
        assert await events.receive_json() == {"type": "commands", "commands": []}
        await _post(browser, "start", person=learner.id, payload="x_1")
        assert (await events.receive_json())["message"]["text"] == "/start x_1"
    await telegram.until(lambda: not learner.account.watchers)


async def test_an_empty_chat_is_told_what_the_bot_says_of_itself(
    browser: aiohttp.ClientSession, telegram: Telegram
) -> None:
    for code, text in (("", "Quizzes."), ("hi", "क्विज़।")):
        await telegram.call("setMyDescription", {"description": text, "language_code": code})
    for spoken, told in (("hi-IN", "क्विज़।"), ("vi", "Quizzes."), (None, "Quizzes.")):
        person = Person(telegram, "Asha", spoken)
        async with browser.ws_connect(f"/sandbox/events?person={person.id}") as events:
            assert (await events.receive_json())["description"] == told


async def test_the_list_of_chats_says_who_is_who_in_a_group(
    browser: aiohttp.ClientSession, telegram: Telegram, learner: Person
) -> None:
    other = Person(telegram, "Linh", "vi")
    team = await learner.founds("Team", "supergroup", other)
    telegram.promote(learner.id, other.id, team.id, anonymous=True)
    async with browser.ws_connect(f"/sandbox/chats?person={other.id}") as chats:
        listed = (await chats.receive_json())["chats"][-1]
    assert listed["people"] == [
        {"id": learner.id, "status": "creator", "anonymous": False},
        {"id": other.id, "status": "administrator", "anonymous": True},
    ]


async def test_a_document_can_be_downloaded(
    browser: aiohttp.ClientSession, learner: Person, telegram: Telegram
) -> None:
    files = {"document": Attachment("a.html", "text/html", b"<script>")}
    await telegram.call("sendDocument", {"chat_id": learner.id}, files)
    document = learner.messages[-1]["document"]
    assert (document["file_name"], document["file_size"]) == ("a.html", 8)
    async with browser.get(document["url"]) as response:
        assert response.headers["Content-Disposition"] == "attachment"
        assert await response.read() == b"<script>"
    async with browser.get("/sandbox/document/none") as response:
        assert response.status == 404


async def test_bad_bodies_are_refused_in_a_sentence(
    browser: aiohttp.ClientSession, learner: Person
) -> None:
    place = {"person": learner.id, "message_id": 1, "row": 0, "column": 0}
    for path, body, sentence in (
        ("say", [], "The body is not a JSON object."),
        ("say", {"person": learner.id}, "The field text must be text."),
        ("say", {"person": "1", "text": "x"}, "The field person must be a number."),
        ("say", {"person": True, "text": "x"}, "The field person must be a number."),
        ("say", {"person": 1, "text": "x"}, "there is no person 1."),
        ("say", {"person": learner.id, "text": " "}, "the message has no text."),
        ("tap", place, "message 1 has no button in row 0, column 0."),
        (
            "start",
            {"person": learner.id, "payload": "a b"},
            "a start payload is at most 64 of A-Z a-z 0-9 _ -.",
        ),
    ):
        async with browser.post(f"/sandbox/{path}", json=body) as response:
            assert (response.status, await response.text()) == (400, sentence)
    async with browser.post("/sandbox/say", data=b"{") as response:
        assert (response.status, await response.text()) == (400, "The body is not JSON.")
    async with browser.get("/sandbox/events?person=x") as response:
        assert response.status == 400
    assert len(learner.messages) == 1


async def test_a_link_button_is_the_pages_own_business(
    browser: aiohttp.ClientSession, learner: Person, telegram: Telegram
) -> None:
    sent = {"chat_id": learner.id, "text": "Q", "reply_markup": KEYS}
    await telegram.call("sendMessage", sent)
    tap = {"person": learner.id, "message_id": 2, "row": 0, "column": 1}
    async with browser.post("/sandbox/tap", json=tap) as response:
        assert (response.status, await response.text()) == (
            400,
            "this button does nothing at the bot.",
        )


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "127.0.0.1.evil.example:80"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Host": "[evil"},
    ],
    ids=str,
)
async def test_other_sites_are_kept_out(
    browser: aiohttp.ClientSession, learner: Person, headers: dict[str, str]
) -> None:
    for path in ("/", "/page/index.html", "/sandbox/state"):
        async with browser.get(path, headers=headers) as response:
            assert response.status == 403
    body = {"person": learner.id, "text": "spam"}
    async with browser.post("/sandbox/say", json=body, headers=headers) as response:
        assert response.status == 403
    with pytest.raises(aiohttp.WSServerHandshakeError):
        await browser.ws_connect(f"/sandbox/events?person={learner.id}", headers=headers)
    assert len(learner.messages) == 1


async def test_local_names_are_let_in(browser: aiohttp.ClientSession) -> None:
    for host in ("localhost:8080", "127.0.0.1", "[::1]:9"):
        headers = {"Host": host, "Origin": f"http://{host}"}
        async with browser.get("/sandbox/state", headers=headers) as response:
            assert response.status == 200


async def test_only_the_pages_own_files_are_served(
    browser: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    (tmp_path / "page").mkdir()
    (tmp_path / "page" / "index.html").write_text("<p>chat")
    (tmp_path / "page" / "chat.js").write_text("1")
    (tmp_path / "secret").write_text("no")
    monkeypatch.setattr(page, "FILES", tmp_path / "page")
    for path, expected in (("/", "<p>chat"), ("/page/chat.js", "1")):
        async with browser.get(path) as response:
            assert await response.text() == expected
    for path in ("/page/none.js", "/page/..%2Fsecret"):
        async with browser.get(path) as response:
            assert response.status == 404


async def _post(browser: aiohttp.ClientSession, path: str, **body: Any) -> dict[str, Any]:
    async with browser.post(f"/sandbox/{path}", json=body) as response:
        assert response.status == 200, await response.text()
        result: dict[str, Any] = await response.json()
        return result
