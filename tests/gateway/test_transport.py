"""The transport against a real server on loopback, and against none."""

from __future__ import annotations

import asyncio
import socket
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from aiohttp import web
from telegram import Bot
from telegram.error import BadRequest, NetworkError, TelegramError, TimedOut

from bot.gateway import errors
from bot.gateway.api import Api
from bot.gateway.calls import Call, Upload
from bot.gateway.errors import Trouble
from bot.gateway.transport import AiohttpRequest, NotSent

TOKEN = "1000000042:never-in-any-output-AAAAAAAAAAAAAAAAAAA"
HELLO = Call("sendMessage", {"chat_id": 5, "text": "a & b = ü", "reply_markup": {"a": [1]}})

Answer = Callable[[web.Request], Awaitable[web.StreamResponse]]


@asynccontextmanager
async def serving(answer: Answer) -> AsyncIterator[str]:
    """A server that gives this answer to everything; its address."""
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answer)
    runner = web.AppRunner(app, shutdown_timeout=0)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


@asynccontextmanager
async def talking_to(address: str) -> AsyncIterator[Api]:
    request = AiohttpRequest()
    await request.initialize()
    try:
        yield Api(Bot(TOKEN, base_url=f"{address}/bot", request=request))
    finally:
        await request.shutdown()


async def fails(address: str, call: Call = HELLO, timeout_s: float | None = None) -> TelegramError:
    """The error; neither it nor what led to it holds any of the token."""
    async with talking_to(address) as api:
        with pytest.raises(TelegramError) as caught:
            await api.make(call, timeout_s)
    printed = "".join(traceback.format_exception(caught.value))
    assert "never-in-any-output" not in printed
    return caught.value


def closed_port() -> str:
    with socket.socket() as it:
        it.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{it.getsockname()[1]}"


async def test_a_call_arrives_as_a_form_with_nested_values_as_json() -> None:
    async def answer(request: web.Request) -> web.Response:
        form = dict(await request.post())
        return web.json_response({"ok": True, "result": {"path": request.path, **form}})

    async with serving(answer) as address, talking_to(address) as api:
        result = await api.make(HELLO)
    assert result == {
        "path": f"/bot{TOKEN}/sendMessage",
        "chat_id": "5",
        "text": "a & b = ü",
        "reply_markup": '{"a": [1]}',
    }


async def test_a_file_is_uploaded_beside_the_other_parameters() -> None:
    async def answer(request: web.Request) -> web.Response:
        form = await request.post()
        file = form["document"]
        assert isinstance(file, web.FileField)
        content = file.file.read().decode()
        file.file.close()
        return web.json_response({"ok": True, "result": [file.filename, content, form["caption"]]})

    call = Call("sendDocument", {"caption": "ü"}, Upload("document", "data.json", '{"ü": 1}'))
    async with serving(answer) as address, talking_to(address) as api:
        assert await api.make(call) == ["data.json", '{"ü": 1}', "ü"]


async def test_errors_of_the_server_come_through_ptb() -> None:
    async def answer(request: web.Request) -> web.Response:
        body = {"ok": False, "error_code": 400, "description": "Bad Request: chat not found"}
        return web.json_response(body, status=400)

    async with serving(answer) as address:
        error = await fails(address)
    assert isinstance(error, BadRequest)
    assert error.message == "Chat not found"


async def test_a_refused_connection_means_that_nothing_was_sent() -> None:
    error = await fails(closed_port())
    assert isinstance(error, NotSent)
    assert error.message.startswith("can't connect to 127.0.0.1: ")


async def test_an_unknown_host_means_that_nothing_was_sent() -> None:
    assert isinstance(await fails("http://nowhere.invalid"), NotSent)


async def test_an_address_that_is_none_means_that_nothing_was_sent() -> None:
    assert isinstance(await fails("http://"), NotSent)


async def test_a_proxy_that_refuses_means_that_nothing_was_sent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", closed_port())
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    assert isinstance(await fails("https://api.telegram.invalid"), NotSent)


async def test_no_proxy_stands_between_two_programs_on_this_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("http_proxy", "HTTP_PROXY"):
        monkeypatch.setenv(name, closed_port())
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)

    async def answer(_: web.Request) -> web.Response:
        body = {"ok": False, "error_code": 400, "description": "Bad Request: reached"}
        return web.json_response(body, status=400)

    async with serving(answer) as address:
        assert isinstance(await fails(address), BadRequest)


async def test_no_answer_in_time_means_that_it_may_have_arrived() -> None:
    arrived, given_up = asyncio.Event(), asyncio.Event()

    async def answer(request: web.Request) -> web.Response:
        arrived.set()
        await given_up.wait()
        return web.Response()

    async with serving(answer) as address:
        error = await fails(address, timeout_s=0.05)
        given_up.set()
    assert arrived.is_set()
    assert isinstance(error, TimedOut)
    assert not isinstance(error, NotSent)


async def test_a_connection_lost_before_the_answer_means_that_it_may_have_arrived() -> None:
    async def answer(request: web.Request) -> web.Response:
        assert request.transport is not None
        request.transport.abort()
        return web.Response()

    async with serving(answer) as address:
        error = await fails(address)
    assert type(error) is NetworkError


async def test_a_connection_lost_within_the_answer_means_that_it_may_have_arrived() -> None:
    async def answer(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Length": "100"})
        await response.prepare(request)
        await response.write(b'{"ok": tr')
        assert request.transport is not None
        request.transport.abort()
        return response

    async with serving(answer) as address:
        error = await fails(address)
    assert type(error) is NetworkError


async def test_a_redirect_is_not_followed_with_the_token() -> None:
    async def answer(request: web.Request) -> web.Response:
        raise web.HTTPFound("http://elsewhere.invalid/")

    async with serving(answer) as address:
        error = await fails(address)
    assert "302" in error.message
    assert errors.classify(error) is Trouble.MAYBE_SENT


@pytest.mark.parametrize(("status", "body"), [(502, "<html>" * 99), (200, "<html>"), (200, "[]")])
async def test_the_page_of_a_proxy_is_ordinary_trouble(status: int, body: str) -> None:
    async def answer(request: web.Request) -> web.Response:
        return web.Response(status=status, text=body)

    async with serving(answer) as address:
        error = await fails(address)
    assert errors.classify(error) is Trouble.MAYBE_SENT
    assert len(errors.brief(error)) <= 201


async def test_text_that_is_no_unicode_is_refused_before_it_is_sent() -> None:
    error = await fails(closed_port(), Call("sendMessage", {"chat_id": 5, "text": "\ud83d"}))
    assert isinstance(error, BadRequest)


async def test_without_a_session_nothing_is_sent() -> None:
    with pytest.raises(NotSent):
        await Api(Bot(TOKEN, request=AiohttpRequest())).make(HELLO)


async def test_it_can_be_initialized_and_shut_down_any_number_of_times() -> None:
    request = AiohttpRequest()
    for _ in range(2):
        await request.initialize()
        await request.initialize()
        await request.shutdown()
        await request.shutdown()


async def test_a_hundred_calls_run_at_once() -> None:
    together = asyncio.Barrier(100)

    async def answer(request: web.Request) -> web.Response:
        await together.wait()
        return web.json_response({"ok": True, "result": True})

    async with serving(answer) as address, talking_to(address) as api:
        assert await asyncio.gather(*(api.make(HELLO) for _ in range(100))) == [True] * 100
