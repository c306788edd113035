"""The HTTP skin: `/bot<token>/<method>` and file downloads, as any Bot API client expects them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Any

import aiohttp
from aiohttp import web
from aiohttp.multipart import BodyPartReader

from bot.sandbox import limits, page
from bot.sandbox.errors import Drop, Json, Refused
from bot.sandbox.params import Attachment
from bot.sandbox.push import Pusher, poster
from bot.sandbox.telegram import Telegram

Files = dict[str, Attachment]


@dataclass(frozen=True, slots=True)
class Server:
    """A running server."""

    runner: web.AppRunner
    host: str
    port: int

    @property
    def url(self) -> str:
        """The address of the chat page, and the Bot API's base: `<url>/bot<token>/<method>`."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"

    async def close(self) -> None:
        """Stops listening; open polls end with what there is, open pages are closed."""
        await self.runner.cleanup()


async def serve(telegram: Telegram, host: str = "127.0.0.1", port: int = 0) -> Server:
    """Starts serving. Port 0: any free one.

    Raises:
        OSError: the port is taken.
    """
    runner = web.AppRunner(application(telegram), access_log=None, shutdown_timeout=2.0)
    await runner.setup()
    try:
        await web.TCPSite(runner, host, port).start()
    except OSError:
        await runner.cleanup()
        raise
    return Server(runner, host, runner.addresses[0][1])


def application(telegram: Telegram) -> web.Application:
    """All routes, for a server of one's own."""
    app = web.Application(client_max_size=limits.UPLOAD_BYTES + 2**20)
    api = _Api(telegram)
    app.router.add_route("GET", "/bot{token:[^/]+}/{method}", api.method)
    app.router.add_route("POST", "/bot{token:[^/]+}/{method}", api.method)
    app.router.add_get("/file/bot{token:[^/]+}/{path:.+}", api.download)
    page.add_routes(app, telegram)
    app.on_shutdown.append(api.release)
    app.cleanup_ctx.append(api.pushing)
    return app


class _Api:
    def __init__(self, telegram: Telegram) -> None:
        self._telegram = telegram

    async def method(self, request: web.Request) -> web.Response:
        """One call; values in the body win over those in the query."""
        method, token = request.match_info["method"], request.match_info["token"]
        try:
            params, files = await _parameters(request)
        except Refused as refused:
            return _answer(refused.status, refused.body())
        try:
            status, body = await self._telegram.call(method, params, files, token=token)
        except Drop:
            return _reset(request)
        answer = _answer(status, body)
        if self._telegram.trouble.rules:
            await answer.prepare(request)
            await answer.write_eof()
            await self._telegram.replied(method, params)
        return answer

    async def download(self, request: web.Request) -> web.Response:
        """The bytes of a file that `getFile` named."""
        world = self._telegram.world
        if request.match_info["token"] != world.bot.token:
            return _answer(401, Refused("", 401).body())
        for stored in world.files.values():
            if stored.path == request.match_info["path"]:
                return web.Response(body=stored.file.content, content_type=stored.file.mime_type)
        return _answer(404, Refused("", 404).body())

    async def release(self, _: web.Application) -> None:
        """A shutdown doesn't wait for long polls and calls that hang."""
        self._telegram.updates.release()
        self._telegram.trouble.clear()

    async def pushing(self, _: web.Application) -> AsyncIterator[None]:
        """Pushes to the webhook for as long as the server runs."""
        async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as session:
            pushing = asyncio.create_task(Pusher(self._telegram, poster(session)).run())
            yield
            pushing.cancel()
            await asyncio.gather(pushing, return_exceptions=True)


def _answer(status: int, body: Mapping[str, Any]) -> web.Response:
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    return web.Response(text=text, status=status, content_type="application/json")


def _reset(request: web.Request) -> web.Response:
    if request.transport is not None:
        request.transport.abort()
    return web.Response()


async def _parameters(request: web.Request) -> tuple[Json, Files]:
    values: Json = dict(request.query)
    files: Files = {}
    match request.content_type:
        case "application/json" if request.can_read_body:
            values |= _object(await request.read())
        case "application/x-www-form-urlencoded":
            values |= {name: str(value) for name, value in (await request.post()).items()}
        case "multipart/form-data":
            await _multipart(request, values, files)
    return values, files


def _object(body: bytes) -> Json:
    try:
        values = json.loads(body or b"{}")
    except ValueError:
        raise Refused("can't parse JSON object") from None
    if not isinstance(values, dict):
        raise Refused("can't parse JSON object")
    return values


async def _multipart(request: web.Request, values: Json, files: Files) -> None:
    async for part in await request.multipart():
        if not isinstance(part, BodyPartReader) or part.name is None:
            continue
        content = await part.read(decode=False)
        if part.filename is None:
            values[part.name] = content.decode()
        else:
            mime_type = part.headers.get("Content-Type", "application/octet-stream")
            files[part.name] = Attachment(part.filename, mime_type, bytes(content))
