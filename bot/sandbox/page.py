"""The chat page: its files, and the small API by which it plays the people.

Only for browsers on this machine: a foreign Host or Origin is refused, so that no web page can
write in somebody's name.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from aiohttp import WSCloseCode, web

from bot.sandbox.errors import Json
from bot.sandbox.people import Person
from bot.sandbox.telegram import Telegram

FILES = Path(__file__).parent / "page"
_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def add_routes(app: web.Application, telegram: Telegram) -> None:
    """`/`, `/page/<file>` and `/sandbox/…`."""
    page = _Page(telegram)
    app.router.add_get("/", _local(_index))
    app.router.add_get("/page/{file}", _local(_file))
    app.router.add_get("/sandbox/state", _local(page.state))
    app.router.add_get("/sandbox/events", _local(page.events))
    app.router.add_get("/sandbox/document/{file_id}", _local(page.document))
    app.router.add_post("/sandbox/say", _local(page.say))
    app.router.add_post("/sandbox/tap", _local(page.tap))
    app.router.add_post("/sandbox/start", _local(page.start))
    app.on_shutdown.append(page.close)


def _local(handler: Handler) -> Handler:
    async def checked(request: web.Request) -> web.StreamResponse:
        origin = request.headers.get("Origin")
        if not _is_loopback(f"//{request.host}") or (origin and not _is_loopback(origin)):
            raise web.HTTPForbidden(text="This page is only for browsers on this machine.")
        return await handler(request)

    return checked


def _is_loopback(url: str) -> bool:
    try:
        return urlsplit(url).hostname in _LOOPBACK
    except ValueError:
        return False


async def _index(request: web.Request) -> web.StreamResponse:
    return _static("index.html")


async def _file(request: web.Request) -> web.StreamResponse:
    return _static(request.match_info["file"])


def _static(name: str) -> web.StreamResponse:
    path = FILES / name
    if path.parent != FILES or not path.is_file():
        raise web.HTTPNotFound(text=f"There is no file {name}.")
    return web.FileResponse(path, headers={"Cache-Control": "no-cache"})


class _Page:
    def __init__(self, telegram: Telegram) -> None:
        self._telegram = telegram
        self._sockets: set[web.WebSocketResponse] = set()

    async def close(self, _: web.Application) -> None:
        """A shutdown doesn't wait for open pages."""
        for socket in set(self._sockets):
            await socket.close(code=WSCloseCode.GOING_AWAY)

    async def state(self, request: web.Request) -> web.StreamResponse:
        """Who is here."""
        bot = self._telegram.bot
        people = [_described(person) for person in self._telegram.world.people.values()]
        about = {"username": bot.username, "first_name": bot.first_name}
        now = self._telegram.clock.now().isoformat()
        return web.json_response({"bot": about, "people": people, "now": now})

    async def events(self, request: web.Request) -> web.StreamResponse:
        """A WebSocket: first the history, then what happens."""
        person = self._asked_for(request.query.get("person", ""))
        socket = web.WebSocketResponse(heartbeat=30.0)
        await socket.prepare(request)
        self._sockets.add(socket)
        try:
            with self._telegram.watch(person.id) as events:
                await socket.send_json(self._history(person))
                await _relay(events, socket)
        finally:
            self._sockets.discard(socket)
        return socket

    def _history(self, person: Person) -> Json:
        menu = self._telegram.world.profile.menu(person.id, person.language_code)
        messages = [person.sees(posted) for posted in person.visible]
        return {"type": "history", "messages": messages, "commands": menu}

    async def say(self, request: web.Request) -> web.StreamResponse:
        """Types a message."""
        body = await _body(request, person=int, text=str)
        return _done(lambda: {"message_id": self._telegram.say(body["person"], body["text"])})

    async def start(self, request: web.Request) -> web.StreamResponse:
        """Follows a deep link."""
        body = await _body(request, person=int, payload=str)
        return _done(lambda: {"message_id": self._telegram.start(body["person"], body["payload"])})

    async def tap(self, request: web.Request) -> web.StreamResponse:
        """Presses a button by its place."""
        body = await _body(request, person=int, message_id=int, row=int, column=int)
        return _done(lambda: self._tapped(body))

    def _tapped(self, body: Json) -> Json:
        tap = self._telegram.tap(body["person"], body["message_id"], body["row"], body["column"])
        if tap is None:
            raise ValueError("this button does nothing at the bot")
        return {"callback_query_id": tap.id}

    async def document(self, request: web.Request) -> web.StreamResponse:
        """A file the bot sent, always as a download."""
        stored = self._telegram.world.files.get(request.match_info["file_id"])
        if stored is None:
            raise web.HTTPNotFound(text="There is no such file.")
        headers = {"Content-Disposition": "attachment", "X-Content-Type-Options": "nosniff"}
        return web.Response(
            body=stored.file.content, content_type=stored.file.mime_type, headers=headers
        )

    def _asked_for(self, number: str) -> Person:
        try:
            return self._telegram.person(int(number))
        except ValueError as error:
            raise web.HTTPBadRequest(text=f"{error}.") from None


def _described(person: Person) -> Json:
    return {
        "id": person.id,
        "first_name": person.first_name,
        "language_code": person.language_code,
        "about": person.about,
    }


async def _relay(events: asyncio.Queue[Json], socket: web.WebSocketResponse) -> None:
    """Sends events until the page goes away; what the page sends is ignored."""
    sending = asyncio.create_task(_send(events, socket))
    try:
        async for _ in socket:
            continue
    finally:
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)


async def _send(events: asyncio.Queue[Json], socket: web.WebSocketResponse) -> None:
    while not socket.closed:
        await socket.send_json(await events.get())


async def _body(request: web.Request, **fields: type) -> dict[str, Any]:
    try:
        body = json.loads(await request.text())
    except ValueError:
        raise web.HTTPBadRequest(text="The body is not JSON.") from None
    if not isinstance(body, dict):
        raise web.HTTPBadRequest(text="The body is not a JSON object.")
    for name, kind in fields.items():
        if type(body.get(name)) is not kind:
            what = "a number" if kind is int else "text"
            raise web.HTTPBadRequest(text=f"The field {name} must be {what}.")
    return body


def _done(act: Callable[[], Json]) -> web.Response:
    try:
        return web.json_response(act())
    except ValueError as error:
        raise web.HTTPBadRequest(text=f"{error}.") from None
