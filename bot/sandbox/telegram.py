"""The heart: a Telegram with one bot and a few people, as a plain object.

`call` is the Bot API; `join`, `say`, `tap` … are what people do. HTTP and the page are thin skins
on it, and tests plug it in without any of them.
"""

from __future__ import annotations

import asyncio
import inspect
import secrets
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import Any, NamedTuple

from bot.sandbox import about, messages
from bot.sandbox.acts import Acts
from bot.sandbox.clock import Bell, Clock, SandboxClock
from bot.sandbox.errors import Fault, Json, Refused
from bot.sandbox.params import Attachment, Params
from bot.sandbox.people import Person, private_chat
from bot.sandbox.profile import Profile
from bot.sandbox.updates import Updates
from bot.sandbox.world import Bot, World

METHODS = {**about.METHODS, **messages.METHODS}
DEMO_TOKEN = "1000000042:sandbox-opens-nothing-anywhere-else"
LOGGED_CALLS = 20_000

Hook = Callable[[str, Mapping[str, Any]], Awaitable[None]]


class Logged(NamedTuple):
    """One executed call; `answer` is the body that was meant to be sent."""

    time: datetime
    method: str
    params: Mapping[str, Any]
    answer: Json


class Telegram(Acts):
    """`before` is awaited before a call is executed, `after` when it was but nobody was told yet.

    Both may raise `Fault` (another answer) or `Drop` (no answer).
    """

    def __init__(
        self,
        clock: Clock | None = None,
        *,
        username: str = "quizbot_demo_bot",
        first_name: str = "quizbot",
        token: str = DEMO_TOKEN,
    ) -> None:
        clock = clock or SandboxClock()
        bot = Bot(token, username, first_name)
        bell = Bell()
        super().__init__(World(clock, bot, Updates(clock, bell), Profile()), bell)
        self.before: Hook | None = None
        self.after: Hook | None = None
        self.log: deque[Logged] = deque(maxlen=LOGGED_CALLS)

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
            status, body = await self._execute(method, Params(params, files or {}))
            self.log.append(Logged(self.clock.now(), method, params, body))
            if self.after:
                await self.after(method, params)
        except Fault as fault:
            return fault.status, fault.body
        finally:
            self.bell.ring()
        return status, body

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

    @contextmanager
    def watch(self, person_id: int) -> Iterator[asyncio.Queue[Json]]:
        """What happens in this person's chat from now on, as the events of the chat page."""
        queue: asyncio.Queue[Json] = asyncio.Queue()
        watchers = self.person(person_id).watchers
        watchers.append(queue)
        try:
            yield queue
        finally:
            watchers.remove(queue)
            self.bell.ring()


def _refusal(refused: Refused) -> tuple[int, Json]:
    return refused.status, refused.body()
