"""The chat page: its files, and the small API by which it plays the people.

Only for browsers on this machine: a foreign Host or Origin is refused, so that no web page can
write in somebody's name.

Requests. `POST` bodies are JSON objects; an impossible act is 400 with a sentence as text.
`chat` may be left out or be the person's own id: the private chat; else it is a group's id.

    GET  /sandbox/state                 {bot: {username, first_name}, now, people: [{id,
                                        first_name, language_code, about}], api: "10.3",
                                        trouble: [{what, chat, left_s?}], webhook: "" or address}
    POST /sandbox/say                   {person, text, chat?, thread?, reply_to?} -> {message_id}
                                        thread: a forum topic's id; left out or 1: General.
                                        message_id 0: an ephemeral command
    POST /sandbox/start                 {person, payload} -> {message_id}
    POST /sandbox/tap                   {person, message_id, row, column, chat?,
                                        ephemeral_message_id?} -> {callback_query_id}
    POST /sandbox/act                   {act, person, …} -> {} or what the act made; see `ACTS`
                                        in page_acts.py for each act and its fields
    POST /sandbox/clock                 {forward_s} -> {now}
    GET  /sandbox/clock                 {now}
    GET  /sandbox/clock/wait?until=ISO  {now}, at that moment or after 25 s, whatever is first
    POST /sandbox/trouble               {what, on, chat?} -> {trouble: [{what, chat, left_s?}]}
                                        what: flood (429 for 30 s), slow (2 s more), lost
                                        (executed, answer lost), broken (502)
    GET  /sandbox/document/<file_id>    a document as a download, a photo as a picture

WebSockets; each event is a JSON object with a `type`.

    /sandbox/events?person=P&chat=C     What P sees in chat C:
        history   {messages, commands, chat?: as in the list, description?: the bot's, in private}
                  first, and only once
        message   {message}
        edited    {message}             also when a reaction changed
        deleted   {message_id, ephemeral_message_id?}
        answered  {callback_query_id, text, show_alert, url?}   to P's own tap
        action    {action}              "typing" …
        commands  {commands}            the menu changed
    /sandbox/chats?person=P             P's list of chats, whole, first and at each change:
        chats     {chats: [{id, type, unread, last: message or null, …}]}
                  type private: blocked. type group, supergroup, forum: title, members (how many),
                  status (P's own: creator, administrator, member, restricted), anonymous,
                  bot (the bot's status: … left, kicked), migrated_to,
                  people [{id, status, anonymous}] with those who left,
                  topics [{id, name, closed}] with General as id 1
    /sandbox/log                        The bot's calls, as they are answered:
        call      {method, params, answer: {ok, …} or null if the connection was reset, at}
        push      {update, status, at}  to a webhook

A `message` is the Bot API's, as P sees it, with these beside it: `out` true: P's own;
`document.url`, `photo[].url`: where to load it; `reactions` [emoji]: the bot's; `replaces`: an
ephemeral message shown in place of the message with this id. Ephemeral ones have message_id 0,
`ephemeral_message_id` and `receiver_user`; only the receiver gets them. In a topic a message has
`message_thread_id`, in General it has none. Service messages have no text but one of:
new_chat_members, left_chat_member, group_chat_created, migrate_to_chat_id,
migrate_from_chat_id, forum_topic_created, forum_topic_closed, forum_topic_reopened,
pinned_message. A chat counts as read while it is open in /sandbox/events.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from urllib.parse import urlsplit

from aiohttp import web

from bot.sandbox.errors import Json
from bot.sandbox.page_acts import ACTS
from bot.sandbox.page_body import Body, done
from bot.sandbox.page_clock import ClockRoutes
from bot.sandbox.page_streams import Streams
from bot.sandbox.people import Person
from bot.sandbox.switches import switch, switches
from bot.sandbox.telegram import Telegram

FILES = Path(__file__).parent / "page"
_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
_PICTURES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; connect-src 'self' ws:; img-src 'self' data:"
    " blob:; style-src 'self'; script-src 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def add_routes(app: web.Application, telegram: Telegram) -> None:
    """`/`, `/page/<file>` and `/sandbox/…`."""
    page, streams, clock = _Page(telegram), Streams(telegram), ClockRoutes(telegram.clock)
    for path, get in (
        ("/", _index),
        ("/page/{file}", _file),
        ("/sandbox/state", page.state),
        ("/sandbox/events", streams.events),
        ("/sandbox/chats", streams.chats),
        ("/sandbox/log", streams.log),
        ("/sandbox/clock", clock.now),
        ("/sandbox/clock/wait", clock.wait),
        ("/sandbox/document/{file_id}", page.document),
    ):
        app.router.add_get(path, _local(get))
    for path, post in (
        ("/sandbox/say", page.say),
        ("/sandbox/tap", page.tap),
        ("/sandbox/start", page.start),
        ("/sandbox/act", page.act),
        ("/sandbox/clock", clock.forward),
        ("/sandbox/trouble", page.trouble),
    ):
        app.router.add_post(path, _local(post))
    app.on_shutdown.append(streams.close)
    app.on_shutdown.append(clock.close)


def _local(handler: Handler) -> Handler:
    async def checked(request: web.Request) -> web.StreamResponse:
        origin = request.headers.get("Origin")
        if not _is_loopback(f"//{request.host}") or (origin and not _is_loopback(origin)):
            raise web.HTTPForbidden(text="This page is only for browsers on this machine.")
        try:
            response = await handler(request)
        except web.HTTPException as refusal:
            refusal.headers.update(_HEADERS)
            raise
        if not response.prepared:
            response.headers.update(_HEADERS)
        return response

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

    async def state(self, request: web.Request) -> web.StreamResponse:
        """Who is here, what time it is, what trouble is on."""
        world = self._telegram.world
        people = [_described(person) for person in world.people.values()]
        about = {"username": world.bot.username, "first_name": world.bot.first_name}
        now = world.clock.now()
        told = {"bot": about, "people": people, "now": now.isoformat()}
        told["api"] = "{}.{}".format(*world.version)
        told["webhook"] = world.webhook.url
        return web.json_response(told | {"trouble": switches(self._telegram.trouble, now)})

    async def say(self, request: web.Request) -> web.StreamResponse:
        """Types a message."""
        body = await Body.of(request)
        person, text = body.number("person"), body.text("text")
        chat, thread = body.maybe("chat"), body.maybe("thread")
        reply_to = body.maybe("reply_to")
        say = self._telegram.say
        return done(
            lambda: {"message_id": say(person, text, chat=chat, thread=thread, reply_to=reply_to)}
        )

    async def start(self, request: web.Request) -> web.StreamResponse:
        """Follows a deep link."""
        body = await Body.of(request)
        person, payload = body.number("person"), body.text("payload")
        return done(lambda: {"message_id": self._telegram.start(person, payload)})

    async def tap(self, request: web.Request) -> web.StreamResponse:
        """Presses a button by its place."""
        body = await Body.of(request)
        places = [body.number(name) for name in ("person", "message_id", "row", "column")]
        chat, only = body.maybe("chat"), body.maybe("ephemeral_message_id")
        return done(lambda: self._tapped(places, chat, only or 0))

    def _tapped(self, places: list[int], chat: int | None, ephemeral_id: int) -> Json:
        person, message_id, row, column = places
        tap = self._telegram.tap(
            person, message_id, row, column, chat=chat, ephemeral_id=ephemeral_id
        )
        if tap is None:
            raise ValueError("this button does nothing at the bot")
        return {"callback_query_id": tap.id}

    async def act(self, request: web.Request) -> web.StreamResponse:
        """Everything else that people do."""
        body = await Body.of(request)
        act = ACTS.get(body.text("act"))
        if act is None:
            raise web.HTTPBadRequest(text=f"There is no act {body.text('act')}.")
        return done(lambda: act(self._telegram, body))

    async def trouble(self, request: web.Request) -> web.StreamResponse:
        """Switches trouble on or off."""
        body = await Body.of(request)
        what, on, chat = body.text("what"), body.flag("on"), body.maybe("chat")
        trouble, now = self._telegram.trouble, self._telegram.clock.now()

        def switched() -> Json:
            switch(trouble, what, on, chat)
            return {"trouble": switches(trouble, now)}

        return done(switched)

    async def document(self, request: web.Request) -> web.StreamResponse:
        """A file the bot sent: a picture as such, all else as a download."""
        stored = self._telegram.world.files.get(request.match_info["file_id"])
        if stored is None:
            raise web.HTTPNotFound(text="There is no such file.")
        shown = stored.size is not None and stored.file.mime_type in _PICTURES
        headers = {} if shown else {"Content-Disposition": "attachment"}
        return web.Response(
            body=stored.file.content, content_type=stored.file.mime_type, headers=headers
        )


def _described(person: Person) -> Json:
    return {
        "id": person.id,
        "first_name": person.first_name,
        "language_code": person.language_code,
        "about": person.about,
    }
