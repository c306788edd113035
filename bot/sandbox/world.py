"""All that one sandbox consists of: the bot, the people, what waits to be delivered."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from bot.sandbox.clock import Clock
from bot.sandbox.errors import Json, Refused
from bot.sandbox.params import Attachment, Params
from bot.sandbox.people import Person, Tap
from bot.sandbox.profile import Profile
from bot.sandbox.updates import Updates


@dataclass(frozen=True, slots=True)
class Bot:
    """The account the token belongs to."""

    token: str
    username: str
    first_name: str

    @property
    def id(self) -> int:
        """The number the token begins with."""
        return int(self.token.partition(":")[0])

    @property
    def user(self) -> Json:
        """The Bot API's User."""
        return {
            "id": self.id,
            "is_bot": True,
            "first_name": self.first_name,
            "username": self.username,
        }


@dataclass(frozen=True, slots=True)
class Stored:
    """A file that was sent, under the path it can be downloaded from."""

    path: str
    file: Attachment


@dataclass(slots=True)
class World:
    """Private chats only so far: a chat's id is its person's id."""

    clock: Clock
    bot: Bot
    updates: Updates
    profile: Profile
    people: dict[int, Person] = field(default_factory=dict)
    taps: dict[str, Tap] = field(default_factory=dict)
    files: dict[str, Stored] = field(default_factory=dict)

    def reachable(self, params: Params) -> Person:
        """The person whose chat `chat_id` names.

        Raises:
            Refused: no such chat, or they never wrote to the bot.
        """
        chat_id = params.text("chat_id").strip()
        if not chat_id:
            raise Refused("chat_id is empty")
        person = self.people.get(params.integer("chat_id"))
        if person is None or not person.met:
            raise Refused("chat not found")
        return person

    def writable(self, params: Params) -> Person:
        """The same, if they let the bot write.

        Raises:
            Refused: also when they blocked it.
        """
        person = self.reachable(params)
        if person.blocked:
            raise Refused("bot was blocked by the user", 403)
        return person

    def chat_instance(self, person: Person) -> str:
        """A number that stands for the chat in callback queries, the same at every tap."""
        digest = hashlib.sha256(f"{self.bot.id}:{person.id}".encode()).digest()
        return str(int.from_bytes(digest[:8], signed=True))


Method = Callable[[World, Params], Any]
Methods = Mapping[str, Method]
