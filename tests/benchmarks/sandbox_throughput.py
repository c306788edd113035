"""How many API calls a second the sandbox answers on loopback: `python -m
tests.benchmarks.sandbox_throughput`.

The server has a process of its own. On a busy machine calls per second say little; what a core to
itself would do is told by the processor time that the server used for a call (Linux only)."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from multiprocessing.connection import Connection
from pathlib import Path

import aiohttp
from aiohttp import web

from bot.sandbox.clock import SandboxClock
from bot.sandbox.server import serve
from bot.sandbox.telegram import DEMO_TOKEN, Telegram

CONNECTIONS, SECONDS, PEOPLE = 32, 3.0, 200
KEYS = json.dumps({"inline_keyboard": [[{"text": "A", "callback_data": "a"}] * 2]})
QUESTION = {"text": "<b>Question</b> 1", "parse_mode": "HTML", "reply_markup": KEYS}
Call = Callable[[aiohttp.ClientSession, int], Awaitable[None]]


def _serve(told: Connection) -> None:
    async def nothing(request: web.Request) -> web.Response:
        return web.json_response({"ok": True, "result": True})

    async def run() -> None:
        telegram = Telegram(SandboxClock())
        people = [telegram.join(f"P{number}") for number in range(PEOPLE)]
        for person in people:
            telegram.say(person.id, "/start")
        server = await serve(telegram)
        bare = web.Application()
        bare.router.add_post("/{path:.*}", nothing)
        runner = web.AppRunner(bare, access_log=None)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        told.send((server.url, url, os.getpid(), [person.id for person in people]))
        await asyncio.Event().wait()

    asyncio.run(run())


async def _call(session: aiohttp.ClientSession, method: str, **params: object) -> None:
    async with session.post(method, data=params) as response:
        assert response.status == 200, await response.text()
        await response.read()


async def _measure(name: str, url: str, call: Call, people: list[int], pid: int) -> None:
    connector = aiohttp.TCPConnector(limit=CONNECTIONS)
    done = 0

    async def client(person: int) -> None:
        nonlocal done
        while time.perf_counter() < end:
            await call(session, person)
            done += 1

    async with aiohttp.ClientSession(f"{url}/bot{DEMO_TOKEN}/", connector=connector) as session:
        begun, used = time.perf_counter(), _used_s(pid)
        end = begun + SECONDS
        await asyncio.gather(*(client(person) for person in people[:CONNECTIONS]))
    took = time.perf_counter() - begun
    each = (_used_s(pid) - used) / done
    _say(name, done / took, f"{each * 1e6:4.0f} µs of a core each, so {1 / each:5.0f} with one")


@asynccontextmanager
async def _server() -> AsyncIterator[tuple[str, str, int, list[int]]]:
    here, there = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(
        target=_serve, args=(there,), daemon=True
    )
    process.start()
    yield await asyncio.to_thread(here.recv)
    process.terminate()


async def _in_process() -> None:
    telegram = Telegram(SandboxClock())
    person = telegram.join("P")
    telegram.say(person.id, "/start")
    params = {"chat_id": person.id, **QUESTION}
    begun, done = time.perf_counter(), 0
    while (took := time.perf_counter() - begun) < 2.0:
        await telegram.call("sendMessage", params)
        done += 1
    _say("sendMessage, in process, without HTTP", done / took)


def _used_s(pid: int) -> float:
    """The processor time of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _say(name: str, rate: float, besides: str = "") -> None:
    sys.stdout.write(f"{name:<40} {rate:7.0f} calls/s   {besides}\n")


async def main() -> None:
    """Measures and prints."""
    async with _server() as (url, bare, pid, people):
        await _measure("a bare aiohttp server", bare, lambda s, p: _call(s, "getMe"), people, pid)
        await _measure("getMe", url, lambda s, p: _call(s, "getMe"), people, pid)
        await _measure(
            "sendMessage with HTML and a keyboard",
            url,
            lambda s, p: _call(s, "sendMessage", chat_id=p, **QUESTION),
            people,
            pid,
        )
    await _in_process()


if __name__ == "__main__":
    asyncio.run(main())
