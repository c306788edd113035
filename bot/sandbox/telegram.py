"""The heart: a Telegram with one bot and a few people, as a plain object.

`call` is the Bot API; `join`, `say`, `tap` … are what people do. HTTP and the page are thin skins
on it, and tests plug it in without any of them.
"""

from __future__ import annotations

import asyncio
import inspect
import secrets
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime
from typing import Any, NamedTuple

from bot.sandbox import about, answers, calls, delivery, edits, ephemeral, places, sending, views
from bot.sandbox.clock import Bell, Clock, SandboxClock
from bot.sandbox.errors import Drop, Fault, Json, Refused
from bot.sandbox.group_acts import GroupActs
from bot.sandbox.params import Attachment, Params
from bot.sandbox.people import Person, private_chat
from bot.sandbox.profile import Profile
from bot.sandbox.trouble import Hook, Trouble
from bot.sandbox.updates import Updates
from bot.sandbox.world import Bot, Version, World

METHODS = {
    **about.METHODS,
    **answers.METHODS,
    **delivery.METHODS,
    **edits.METHODS,
    **ephemeral.METHODS,
    **places.METHODS,
    **sending.METHODS,
}
VERSIONS: dict[str, Version] = {"10.1": (10, 1), "10.2": (10, 2), "10.3": (10, 3)}
DEMO_TOKEN = "1000000042:sandbox-opens-nothing-anywhere-else"
LOGGED_CALLS = 20_000


class Logged(NamedTuple):
    """One executed call; `answer` is the body that was meant to be sent."""

    time: datetime
    method: str
    params: Mapping[str, Any]
    answer: Json


class Telegram(GroupActs):
    """`version` is the Bot API's: "10.1", "10.2" or "10.3". `strict_webhooks` takes only webhook
    addresses that Telegram's own servers would take, else any, as a server started with --local.

    `before` is awaited before a call is executed, `after` when it was but nobody was told yet;
    both may raise `Fault` (another answer) or `Drop` (no answer). `trouble` says the same in
    values.
    """

    def __init__(
        self,
        clock: Clock | None = None,
        *,
        username: str = "quizbot_demo_bot",
        first_name: str = "quizbot",
        token: str = DEMO_TOKEN,
        version: str = "10.3",
        strict_webhooks: bool = False,
    ) -> None:
        clock = clock or SandboxClock()
        bot, bell = Bot(token, username, first_name), Bell()
        updates = Updates(clock, bell)
        world = World(clock, bot, updates, Profile(), VERSIONS[version], strict_webhooks)
        super().__init__(world, bell)
        self.before: Hook | None = None
        self.after: Hook | None = None
        self.trouble = Trouble(clock, updates.add_unparsable)
        self.log: deque[Logged] = deque(maxlen=LOGGED_CALLS)
        self.call_watchers: list[asyncio.Queue[Json]] = []

    @property
    def clock(self) -> Clock:
        """The sandbox's time."""
        return self.world.clock

    @property
    def bot(self) -> Bot:
        """The bot's account, with its token."""
        return self.world.bot

    @property
    def updates(self) -> Updates:
        """What waits for the bot."""
        return self.world.updates

    def join(
        self,
        first_name: str,
        language_code: str | None = None,
        *,
        id: int | None = None,
        about: str = "",
    ) -> Person:
        """A new person. The bot can write to them once they have written, tapped or started."""
        person_id = id if id is not None else 200_000_001 + len(self.world.people)
        if person_id in self.world.people:
            raise ValueError(f"there is a person {person_id} already")
        chat = private_chat(person_id, first_name)
        person = Person(person_id, first_name, language_code, about, chat)
        self.world.people[person_id] = person
        return person

    async def call(
        self,
        method: str,
        params: Mapping[str, Any],
        files: Mapping[str, Attachment] | None = None,
        *,
        token: str | None = None,
    ) -> tuple[int, Json]:
        """HTTP status and JSON body as the Bot API server answers them.

        Raises:
            Drop: a hook wants the connection reset.
        """
        if token is not None and not secrets.compare_digest(
            token.encode(), self.bot.token.encode()
        ):
            return _refusal(Refused("", 401))
        try:
            if self.before:
                await self.before(method, params)
            if self.trouble.rules:
                await self.trouble.meet("before", method, params)
            status, body = await self._execute(method, Params(params, files or {}))
            self.log.append(Logged(self.clock.now(), method, params, body))
            if self.after:
                await self.after(method, params)
            if self.trouble.rules:
                await self.trouble.meet("executed", method, params)
        except Fault as fault:
            status, body = fault.status, fault.body
        except Drop:
            self._tell_call(method, params, None)
            raise
        finally:
            self.bell.ring()
        self._tell_call(method, params, body)
        return status, body

    async def replied(self, method: str, params: Mapping[str, Any]) -> None:
        """To be called once the answer of `call` was sent: there is trouble that waits for it."""
        if self.trouble.rules:
            await self.trouble.meet("replied", method, params)

    async def _execute(self, method: str, params: Params) -> tuple[int, Json]:
        known = METHODS.get(method.lower())
        try:
            if known is None:
                raise Refused("method not found", 404)
            result = known(self.world, params)
            if inspect.isawaitable(result):
                result = await result
        except Refused as refused:
            return _refusal(refused)
        return 200, {"ok": True, "result": result}

    async def until(self, done: Callable[[], bool], timeout_s: float = 10.0) -> None:
        """Returns once `done()` holds; asked again after every call and act, and at every poll.

        Raises:
            TimeoutError: with the last calls, for the reader of a failed test.
        """
        try:
            async with asyncio.timeout(timeout_s):
                while not done():
                    await self.bell.heard()
        except TimeoutError:
            last = "\n".join(f"  {c.method} {dict(c.params)}" for c in list(self.log)[-8:])
            raise TimeoutError(f"not within {timeout_s:g} s; the last calls:\n{last}") from None

    def watch(
        self, person_id: int, chat: int | None = None
    ) -> AbstractContextManager[asyncio.Queue[Json]]:
        """What this person sees happen in a chat from now on, as the events of the chat page."""
        person, room = self.person(person_id), self.room(person_id, chat)
        return self._watching(views.looking(room, person), lambda: self.world.tell_lists(room))

    def watch_list(self, person_id: int) -> AbstractContextManager[asyncio.Queue[Json]]:
        """This person's list of chats, anew at each change."""
        return self._watching(self.person(person_id).list_watchers, lambda: None)

    def watch_calls(self) -> AbstractContextManager[asyncio.Queue[Json]]:
        """Each call from now on with its answer, and each update that is pushed."""
        return self._watching(self.call_watchers, lambda: None)

    @contextmanager
    def _watching(
        self, watchers: list[asyncio.Queue[Json]], looked: Callable[[], None]
    ) -> Iterator[asyncio.Queue[Json]]:
        queue: asyncio.Queue[Json] = asyncio.Queue()
        watchers.append(queue)
        looked()
        try:
            yield queue
        finally:
            watchers.remove(queue)
            self.bell.ring()

    def log_push(self, update: Json, status: int) -> None:
        """Tells the log of an update that was pushed to the webhook."""
        self._tell_log({"type": "push", "update": update, "status": status})

    def _tell_call(self, method: str, params: Mapping[str, Any], answer: Json | None) -> None:
        if self.call_watchers and not (method.lower() == "getupdates" and _is_empty(answer)):
            self._tell_log(calls.described(method, params, answer))

    def _tell_log(self, event: Json) -> None:
        told = calls.redacted(event | {"at": self.clock.now().isoformat()}, self.bot.token)
        for queue in self.call_watchers:
            queue.put_nowait(told)


def _is_empty(answer: Json | None) -> bool:
    return answer is not None and answer.get("result") == []


def _refusal(refused: Refused) -> tuple[int, Json]:
    return refused.status, refused.body()
