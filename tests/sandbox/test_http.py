"""The Bot API over HTTP, for clients nobody here wrote."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest

from bot.sandbox.errors import Drop
from bot.sandbox.server import Server, serve
from bot.sandbox.telegram import Telegram
from tests.people import Person

KEYS = {"inline_keyboard": [[{"text": "A", "callback_data": "a"}]]}


@pytest.fixture
async def client(server: Server, telegram: Telegram) -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession(f"{server.url}/bot{telegram.bot.token}/") as client:
        yield client


async def test_parameters_come_in_every_form(
    client: aiohttp.ClientSession, learner: Person
) -> None:
    values: dict[str, Any] = {"chat_id": learner.id, "text": "हि", "reply_markup": KEYS}
    flat = {"chat_id": str(learner.id), "text": "हि", "reply_markup": json.dumps(KEYS)}
    form = aiohttp.FormData(flat, default_to_multipart=True)
    requests = [
        client.get("sendMessage", params=flat),
        client.post("sendMessage", params=flat),
        client.post("sendMessage", data=flat),
        client.post("SENDMESSAGE", data=form),
        client.post("sendMessage", json=values),
        client.post("sendMessage", json={"text": "हि"}, params=flat),
    ]
    for request in requests:
        async with request as response:
            assert response.status == 200, await response.text()
            assert (await response.json())["result"]["reply_markup"] == KEYS
    assert [message["text"] for message in learner.received] == ["हि"] * 6


async def test_a_file_goes_up_and_comes_down(
    client: aiohttp.ClientSession, server: Server, telegram: Telegram, learner: Person
) -> None:
    for name, reference in (("document", None), ("part", "attach://part")):
        form = aiohttp.FormData({"chat_id": str(learner.id)})
        form.add_field(name, b'{"a":1}', filename="a.json", content_type="application/json")
        if reference:
            form.add_field("document", reference)
        async with client.post("sendDocument", data=form) as response:
            document = (await response.json())["result"]["document"]
        assert document["mime_type"] == "application/json"
        async with client.get("getFile", params={"file_id": document["file_id"]}) as response:
            path = (await response.json())["result"]["file_path"]
        url = f"{server.url}/file/bot{telegram.bot.token}/{path}"
        async with client.get(url) as response:
            assert await response.read() == b'{"a":1}'
    for wrong in (f"/file/bot{telegram.bot.token}/x", f"/file/bot1:wrong/{path}"):
        async with client.get(server.url + wrong) as response:
            assert response.status in (401, 404)


async def test_errors_have_their_status(
    client: aiohttp.ClientSession, server: Server, telegram: Telegram
) -> None:
    for path, status, description in (
        ("getMoon", 404, "Not Found: method not found"),
        ("sendMessage", 400, "Bad Request: message text is empty"),
        (f"{server.url}/bot1:wrong/getMe", 401, "Unauthorized"),
    ):
        async with client.get(path) as response:
            body = await response.json()
        assert (response.status, body["description"]) == (status, description)
    for broken in (b"{", b"[]"):
        headers = {"Content-Type": "application/json"}
        async with client.post("getMe", data=broken, headers=headers) as response:
            assert response.status == 400
    async with client.post("getMe", headers={"Content-Type": "application/json"}) as response:
        assert response.status == 200


async def test_a_dropped_call_is_a_reset_connection(
    client: aiohttp.ClientSession, telegram: Telegram, learner: Person
) -> None:
    async def drop(method: str, params: Any) -> None:
        raise Drop

    telegram.after = drop
    with pytest.raises(aiohttp.ClientConnectionError):
        await client.post("sendMessage", json={"chat_id": learner.id, "text": "t"})
    assert learner.screen == "t"


async def test_a_taken_port_is_an_os_error(server: Server) -> None:
    with pytest.raises(OSError, match="address already in use"):
        await serve(Telegram(), server.host, server.port)


async def test_closing_ends_a_long_poll(telegram: Telegram) -> None:
    server = await serve(telegram)
    async with aiohttp.ClientSession() as session:
        url = f"{server.url}/bot{telegram.bot.token}/getUpdates?timeout=50"
        waiting = asyncio.ensure_future(_body(session, url))
        await telegram.until(lambda: telegram.updates.polled)
        await server.close()
        assert await waiting == {"ok": True, "result": []}


async def _body(session: aiohttp.ClientSession, url: str) -> Any:
    async with session.get(url) as response:
        return await response.json()
