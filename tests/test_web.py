"""The server that takes what comes in."""

from __future__ import annotations

import io
import socket
from collections.abc import AsyncIterator
from contextlib import closing

import aiohttp
import pytest

from bot.web import CannotListen, serving

SECRET = {"X-Telegram-Bot-Api-Secret-Token": "s"}
ANYWHERE = ("127.0.0.1", 0)


class Hook:
    """Takes updates, and answers with a status."""

    def __init__(self) -> None:
        self.taken: list[tuple[str, bytes]] = []
        self.status = 200

    async def take(self, secret: str, body: bytes) -> int:
        self.taken.append((secret, body))
        return self.status


@pytest.fixture
def hook() -> Hook:
    return Hook()


@pytest.fixture
async def address(hook: Hook) -> AsyncIterator[str]:
    async with serving(ANYWHERE, {"/hook": hook.take}) as address:
        yield address


async def post(
    url: str, body: bytes | io.BytesIO, kind: str | None = "application/json"
) -> tuple[int, str]:
    headers = {**SECRET, "Content-Type": kind} if kind else SECRET
    async with (
        aiohttp.ClientSession() as session,
        session.post(url, data=body, headers=headers) as response,
    ):
        return response.status, response.headers.get("Retry-After", "")


@pytest.mark.parametrize(
    "kind", ["application/json", "application/json; charset=utf-8", "application/json;charset=x"]
)
async def test_an_update_is_taken_with_its_secret_whatever_the_charset(
    hook: Hook, address: str, kind: str
) -> None:
    assert await post(f"{address}/hook", b"{}", kind) == (200, "")
    assert hook.taken == [("s", b"{}")]


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded"])
async def test_another_content_type_is_refused(hook: Hook, address: str, kind: str) -> None:
    assert (await post(f"{address}/hook", b"{}", kind))[0] == 415
    assert hook.taken == []


async def test_what_is_too_large_is_refused(hook: Hook, address: str) -> None:
    assert (await post(f"{address}/hook", io.BytesIO(b" " * (2**20 + 1))))[0] == 413
    assert hook.taken == []


async def test_what_can_not_be_taken_now_should_come_again_soon(hook: Hook, address: str) -> None:
    hook.status = 503
    assert await post(f"{address}/hook", b"{}") == (503, "1")


async def test_other_places_and_methods_are_not_there(hook: Hook, address: str) -> None:
    assert (await post(f"{address}/", b"{}"))[0] == 404
    async with (
        aiohttp.ClientSession() as session,
        session.get(f"{address}/hook") as response,
    ):
        assert response.status == 405


async def test_an_address_that_is_taken_is_a_sentence() -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(CannotListen, match=f"QUIZBOT_LISTEN: can't listen at .*:{port}"):
            async with serving(("127.0.0.1", port), {}):
                raise AssertionError("it listens")
