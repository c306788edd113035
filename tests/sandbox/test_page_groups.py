"""What the chat page asks and is told about groups, trouble, time and the log."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from typing import Any

import aiohttp
import pytest

from bot.sandbox.clock import SandboxClock
from bot.sandbox.errors import Drop
from bot.sandbox.page_acts import ACTS
from bot.sandbox.params import Attachment
from bot.sandbox.server import Server
from bot.sandbox.telegram import Telegram
from tests.people import Person
from tests.sandbox.asking import KEYS, PNG, done


@pytest.fixture
async def browser(server: Server) -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession(server.url) as browser:
        yield browser


async def post(browser: aiohttp.ClientSession, path: str, **body: Any) -> dict[str, Any]:
    async with browser.post(f"/sandbox/{path}", json=body) as response:
        assert response.status == 200, await response.text()
        result: dict[str, Any] = await response.json()
        return result


async def act(browser: aiohttp.ClientSession, who: Person, verb: str, /, **body: Any) -> Any:
    return await post(browser, "act", act=verb, person=who.id, **body)


async def got(events: aiohttp.ClientWebSocketResponse, kind: str) -> dict[str, Any]:
    """The next event of this kind."""
    async with asyncio.timeout(10):
        while True:
            event: dict[str, Any] = await events.receive_json()
            if event["type"] == kind:
                return event


async def test_a_group_from_making_it_to_a_message_that_one_sees_alone(
    browser: aiohttp.ClientSession, telegram: Telegram
) -> None:
    lead, ravi = Person(telegram, "Grace"), Person(telegram, "Ravi")
    async with browser.ws_connect(f"/sandbox/chats?person={ravi.id}") as chats:
        assert [c["type"] for c in (await chats.receive_json())["chats"]] == ["private"]
        made = await act(
            browser, lead, "create_group", title="Team", kind="forum", members=[ravi.id]
        )
        listed = (await got(chats, "chats"))["chats"][-1]
        assert (listed["id"], listed["title"], listed["bot"]) == (made["chat"], "Team", "left")
        assert listed["topics"] == [{"id": 1, "name": "General", "closed": False}]
        await act(browser, lead, "add_bot", chat=made["chat"])
        topic = await act(browser, lead, "create_topic", chat=made["chat"], name="Week 1")
        while len(listed["topics"]) == 1 or listed["unread"] < 3:
            listed = (await got(chats, "chats"))["chats"][-1]
        assert (listed["bot"], listed["unread"], listed["members"]) == ("member", 3, 3)
    place = f"chat={made['chat']}"
    async with (
        browser.ws_connect(f"/sandbox/events?person={lead.id}&{place}") as grace_sees,
        browser.ws_connect(f"/sandbox/events?person={ravi.id}&{place}") as ravi_sees,
    ):
        assert len((await got(ravi_sees, "history"))["messages"]) == 3
        await got(grace_sees, "history")
        where = {"person": ravi.id, "chat": made["chat"]}
        await post(browser, "say", **where, text="/daily", thread=topic["thread"])
        said = (await got(ravi_sees, "message"))["message"]
        assert (said["out"], said["message_thread_id"]) == (True, topic["thread"])
        assert "out" not in (await got(grace_sees, "message"))["message"]
        sent = {"chat_id": made["chat"], "message_thread_id": topic["thread"]}
        await done(telegram, "sendMessage", **sent, text="Q", reply_markup=KEYS)
        question = (await got(ravi_sees, "message"))["message"]
        tap = {"message_id": question["message_id"], "row": 0, "column": 1}
        tapped = await post(browser, "tap", **where, **tap)
        only = {"receiver_user_id": ravi.id, **tapped, "replace_callback_query_message": True}
        await done(
            telegram, "sendMessage", **sent, text="yours", reply_markup=KEYS,
            ephemeral_message_parameters=only,
        )  # fmt: skip
        await done(telegram, "answerCallbackQuery", **tapped, text="✅")
        await done(telegram, "sendMessage", **sent, text="for all")
        yours = (await got(ravi_sees, "message"))["message"]
        assert (yours["text"], yours["replaces"]) == ("yours", question["message_id"])
        assert (await got(ravi_sees, "answered"))["text"] == "✅"
        seen = [(await got(grace_sees, "message"))["message"]["text"] for _ in range(2)]
        assert seen == ["Q", "for all"]
        assert (await got(ravi_sees, "message"))["message"]["text"] == "for all"
        again = {"message_id": 0, "ephemeral_message_id": yours["ephemeral_message_id"]}
        await post(browser, "tap", **where, **again, row=0, column=0)
        await act(browser, lead, "close_topic", chat=made["chat"], thread=topic["thread"])
        assert "forum_topic_closed" in (await got(ravi_sees, "message"))["message"]


async def test_every_act_of_the_page_works(
    browser: aiohttp.ClientSession, telegram: Telegram
) -> None:
    lead, ravi = Person(telegram, "Grace"), Person(telegram, "Ravi")
    team = (await act(browser, lead, "create_group", title="T", kind="supergroup"))["chat"]
    old = (await act(browser, lead, "create_group", title="O", kind="group"))["chat"]
    tried = {"create_group"}

    async def does(who: Person, verb: str, /, **body: Any) -> Any:
        tried.add(verb)
        return await act(browser, who, verb, **body)

    await does(ravi, "enter", chat=team)
    of_member: list[tuple[str, dict[str, Any]]] = [
        ("promote", {"rights": ["can_pin_messages"], "anonymous": True}),
        ("demote", {}),
        ("restrict", {"denied": ["can_send_messages"]}),
        ("kick", {}),
    ]
    for name, more in of_member:
        await does(lead, name, chat=team, member=ravi.id, **more)
    await does(ravi, "enter", chat=team)
    await does(ravi, "leave", chat=team)
    of_bot: list[tuple[str, dict[str, Any]]] = [
        ("add_bot", {"rights": ["can_pin_messages"]}),
        ("demote_bot", {}),
        ("promote_bot", {}),
        ("restrict_bot", {"denied": []}),
        ("permissions", {"denied": ["can_send_polls"]}),
        ("topics", {"on": True}),
    ]
    for name, more in of_bot:
        await does(lead, name, chat=team, **more)
    thread = (await does(lead, "create_topic", chat=team, name="W"))["thread"]
    for name in ("close_topic", "reopen_topic", "delete_topic"):
        await does(lead, name, chat=team, thread=thread)
    said = (await post(browser, "say", person=lead.id, chat=team, text="/hi"))["message_id"]
    await does(lead, "forward", chat=team, message_id=said)
    await does(lead, "delete", chat=team, message_id=said)
    await does(lead, "block")
    await does(lead, "unblock")
    await does(lead, "remove_bot", chat=team)
    await does(lead, "upgrade", chat=old)
    await does(lead, "delete_group", chat=team)
    joined = await does(lead, "join", first_name="Lan", language_code="vi")
    assert telegram.person(joined["person"]).language_code == "vi"
    assert tried == set(ACTS)


async def test_impossible_acts_are_told_in_a_sentence(
    browser: aiohttp.ClientSession, telegram: Telegram
) -> None:
    lead = Person(telegram, "Grace")
    for body, sentence in (
        ({"act": "fly"}, "There is no act fly."),
        ({"act": "leave", "chat": -1}, "there is no group -1."),
        (
            {"act": "create_group", "title": "T", "kind": "channel"},
            "a group has a title and is a group, a supergroup or a forum.",
        ),
        (
            {"act": "create_group", "title": "T", "kind": "group", "members": ["x"]},
            "The field members must be a list of numbers.",
        ),
        ({"act": "topics", "chat": 1, "on": 1}, "The field on must be true or false."),
        ({"act": "permissions", "chat": 1, "denied": [1]},
         "The field denied must be a list of texts."),
    ):  # fmt: skip
        async with browser.post("/sandbox/act", json={"person": lead.id, **body}) as response:
            assert (response.status, await response.text()) == (400, sentence)
    for path in (f"events?person={lead.id}&chat=-5", "chats?person=7", "clock/wait?until=soon"):
        async with browser.get(f"/sandbox/{path}") as response:
            assert response.status == 400


async def test_the_clock_is_read_moved_and_waited_for(
    browser: aiohttp.ClientSession, clock: SandboxClock
) -> None:
    moment = (clock.now() + timedelta(days=1)).isoformat()
    waiting = asyncio.create_task(_get(browser, "clock/wait", until=moment))
    before = (await _get(browser, "clock"))["now"]
    after = (await post(browser, "clock", forward_s=86_400))["now"]
    assert datetime.fromisoformat(after) - datetime.fromisoformat(before) >= timedelta(days=1)
    assert (await waiting)["now"] >= moment
    async with browser.post("/sandbox/clock", json={"forward_s": -1}) as response:
        assert await response.text() == "the sandbox's clock only moves forward."


async def test_trouble_is_switched_from_the_page(
    browser: aiohttp.ClientSession, telegram: Telegram, learner: Person
) -> None:
    switched = await post(browser, "trouble", what="flood", on=True, chat=learner.id)
    assert [(told["what"], told["chat"]) for told in switched["trouble"]] == [
        ("flood", learner.id)
    ]
    state = await _get(browser, "state")
    assert (state["trouble"][0]["what"], state["api"], state["webhook"]) == ("flood", "10.3", "")
    assert (await telegram.call("sendMessage", {"chat_id": learner.id, "text": "t"}))[0] == 429
    await post(browser, "trouble", what="flood", on=False, chat=learner.id)
    await done(telegram, "sendMessage", chat_id=learner.id, text="t")


async def test_the_log_shows_calls_and_answers_but_no_secrets(
    browser: aiohttp.ClientSession, telegram: Telegram, learner: Person
) -> None:
    token = telegram.bot.token
    async with browser.ws_connect("/sandbox/log") as log:
        await telegram.until(lambda: bool(telegram.call_watchers))
        keys = '{"inline_keyboard": [[{"text": "A", "callback_data": "a"}]]}'
        sent = {"chat_id": learner.id, "text": f"my token is {token}", "reply_markup": keys}
        await telegram.call("sendMessage", sent)
        shown = await log.receive_json()
        assert (shown["type"], shown["method"]) == ("call", "sendMessage")
        assert shown["params"]["text"] == "my token is <token>"
        assert shown["params"]["reply_markup"]["inline_keyboard"][0][0]["text"] == "A"
        assert shown["answer"]["ok"]
        await telegram.call("sendMessage", {"chat_id": 5, "text": "t"})
        assert (await log.receive_json())["answer"]["error_code"] == 400
        telegram.trouble.lose()
        with pytest.raises(Drop):
            await telegram.call("getMe", {})
        assert (await log.receive_json())["answer"] is None
        await telegram.call("setWebhook", {"url": f"http://127.0.0.1:9/{token}",
                                           "secret_token": "s3cret"})  # fmt: skip
        shown = await log.receive_json()
        assert shown["params"] == {"url": "http://127.0.0.1:9/<token>"}


async def test_a_photo_is_shown_as_a_picture(
    browser: aiohttp.ClientSession, telegram: Telegram, learner: Person
) -> None:
    files = {"photo": Attachment("a.png", "image/png", PNG)}
    await telegram.call("sendPhoto", {"chat_id": learner.id, "caption": "chart"}, files)
    (size,) = learner.messages[-1]["photo"]
    async with browser.get(size["url"]) as response:
        assert await response.read() == PNG
        assert response.headers["Content-Type"] == "image/png"
        assert "Content-Disposition" not in response.headers


async def test_the_page_may_load_nothing_from_elsewhere(browser: aiohttp.ClientSession) -> None:
    for path in ("/", "/page/style.css", "/page/none", "/sandbox/state"):
        async with browser.get(path) as response:
            policy = response.headers["Content-Security-Policy"]
        assert "default-src 'self'" in policy
        assert "unsafe" not in policy


async def _get(browser: aiohttp.ClientSession, path: str, **query: str) -> dict[str, Any]:
    async with browser.get(f"/sandbox/{path}", params=query) as response:
        result: dict[str, Any] = await response.json()
        return result
