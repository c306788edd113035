"""The chat page's WebSockets: one chat of a person, their list of chats, the bot's calls."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager

from aiohttp import WSCloseCode, web

from bot.sandbox import about, views
from bot.sandbox.errors import Json
from bot.sandbox.groups import Group
from bot.sandbox.people import Person
from bot.sandbox.telegram import Telegram
from bot.sandbox.world import Room


class Streams:
    """Three handlers; what the page sends on a socket is ignored."""

    def __init__(self, telegram: Telegram) -> None:
        self._telegram = telegram
        self._sockets: set[web.WebSocketResponse] = set()

    async def close(self, _: web.Application) -> None:
        """A shutdown doesn't wait for open pages."""
        for socket in set(self._sockets):
            await socket.close(code=WSCloseCode.GOING_AWAY)

    async def events(self, request: web.Request) -> web.StreamResponse:
        """First the history of a chat, then what happens there."""
        person = self._asked_for(request.query.get("person", ""))
        room = self._room(person, request.query.get("chat"))
        watching = self._telegram.watch(person.id, room.chat.id)
        return await self._stream(request, watching, lambda: self._history(person, room))

    async def chats(self, request: web.Request) -> web.StreamResponse:
        """A person's list of chats, at each change."""
        person = self._asked_for(request.query.get("person", ""))
        groups = self._telegram.world.places.values()
        watching = self._telegram.watch_list(person.id)
        return await self._stream(
            request, watching, lambda: {"type": "chats", "chats": views.chat_list(person, groups)}
        )

    async def log(self, request: web.Request) -> web.StreamResponse:
        """The bot's calls."""
        return await self._stream(request, self._telegram.watch_calls(), None)

    async def _stream(
        self,
        request: web.Request,
        watching: AbstractContextManager[asyncio.Queue[Json]],
        first: Callable[[], Json] | None,
    ) -> web.StreamResponse:
        socket = web.WebSocketResponse(heartbeat=30.0)
        await socket.prepare(request)
        self._sockets.add(socket)
        try:
            with watching as events:
                if first is not None:
                    await socket.send_json(first())
                await _relay(events, socket)
        finally:
            self._sockets.discard(socket)
        return socket

    def _history(self, person: Person, room: Room) -> Json:
        messages = [person.sees(posted, room.chat) for posted in room.chat.visible(person.id)]
        history: Json = {"type": "history", "messages": messages}
        world = self._telegram.world
        if isinstance(room, Group):
            listed = views.chat_list(person, [room])[-1]
            return history | {"commands": about.group_menu(world, room, person), "chat": listed}
        history["description"] = world.profile.described(person.language_code)
        return history | {"commands": world.profile.menu(person.id, person.language_code)}

    def _asked_for(self, number: str) -> Person:
        try:
            return self._telegram.person(int(number))
        except ValueError as error:
            raise web.HTTPBadRequest(text=f"{error}.") from None

    def _room(self, person: Person, chat: str | None) -> Room:
        try:
            return self._telegram.room(person.id, int(chat) if chat else None)
        except ValueError as error:
            raise web.HTTPBadRequest(text=f"{error}.") from None


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
