"""All that one sandbox consists of: the bot, people and groups, what waits to be delivered."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from bot.sandbox import views
from bot.sandbox.chats import Posted
from bot.sandbox.clock import Clock
from bot.sandbox.errors import Json, Refused
from bot.sandbox.groups import Group
from bot.sandbox.params import Attachment, Params
from bot.sandbox.people import Person, Tap
from bot.sandbox.profile import Profile
from bot.sandbox.updates import Updates
from bot.sandbox.webhook import Webhook

Room = Person | Group
Version = tuple[int, int]
_COMMAND = re.compile(r"/\w+(?:@(\w+))?")
_CONTENT = frozenset({"text", "photo", "document"})


@dataclass(slots=True)
class Bot:
    """The account the token belongs to. With `privacy` it hears only what is meant for it."""

    token: str
    username: str
    first_name: str
    privacy: bool = True

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
    """A file that was sent, under the path it can be downloaded from. A photo has a size."""

    path: str
    file: Attachment
    size: tuple[int, int] | None = None


@dataclass(slots=True)
class World:
    """A private chat's id is its person's id; `places` are the groups, by id.

    `version` is the Bot API's; `strict_webhooks` checks addresses as Telegram's own servers do.
    """

    clock: Clock
    bot: Bot
    updates: Updates
    profile: Profile
    version: Version
    strict_webhooks: bool = False
    webhook: Webhook = field(default_factory=Webhook)
    people: dict[int, Person] = field(default_factory=dict)
    places: dict[int, Group] = field(default_factory=dict)
    taps: dict[str, Tap] = field(default_factory=dict)
    files: dict[str, Stored] = field(default_factory=dict)

    def reachable(self, params: Params) -> Room:
        """The person or group that `chat_id` names.

        Raises:
            Refused: the bot knows no such chat, or isn't in that group.
        """
        chat_id = params.text("chat_id").strip()
        if not chat_id:
            raise Refused("chat_id is empty")
        number = params.integer("chat_id")
        if group := self.places.get(number):
            return group.entered()
        person = self.people.get(number)
        if person is None or not (person.met or person.known):
            raise Refused("chat not found")
        return person

    def writable(self, params: Params, what: str) -> Room:
        """The same, if the bot may send `what` there ("text messages", "photos" …).

        Raises:
            Refused: also when the person blocked it or the group doesn't allow it.
        """
        room = self.reachable(params)
        if isinstance(room, Group):
            room.check_sending(what)
        elif room.deactivated:
            raise Refused("user is deactivated", 403)
        elif not room.met:
            raise Refused("bot can't initiate conversation with a user", 403)
        elif room.blocked:
            raise Refused("bot was blocked by the user", 403)
        return room

    def chat_instance(self, chat_id: int) -> str:
        """A number that stands for the chat in callback queries, the same at every tap."""
        digest = hashlib.sha256(f"{self.bot.id}:{chat_id}".encode()).digest()
        return str(int.from_bytes(digest[:8], signed=True))

    def viewers(self, room: Room) -> list[Person]:
        """Who can look into the chat."""
        return [room] if isinstance(room, Person) else [self.people[p] for p in room.people]

    def tell(self, room: Room, event: str, posted: Posted) -> None:
        """Shows a message, new or edited, to everyone who can see it."""
        for viewer in self.viewers(room):
            if posted.receiver in (None, viewer.id):
                queues = views.looking(room, viewer)
                message = viewer.sees(posted, room.chat) if queues else {}
                for queue in queues:
                    queue.put_nowait({"type": event, "message": message})
        self.tell_lists(room)

    def erase(self, room: Room, posted: Posted) -> None:
        """Takes a message away."""
        posted.gone = True
        event: Json = {"type": "deleted", "message_id": posted.id}
        event |= {"ephemeral_message_id": posted.ephemeral_id} if posted.ephemeral_id else {}
        for viewer in self.viewers(room):
            if posted.receiver in (None, viewer.id):
                for queue in views.looking(room, viewer):
                    queue.put_nowait(event)
        self.tell_lists(room)

    def tell_lists(self, room: Room) -> None:
        """Shows the change in the lists of chats."""
        for viewer in self.viewers(room):
            if views.looking(room, viewer):
                room.chat.read[viewer.id] = room.chat.count
            self.tell_list(viewer)

    def tell_list(self, person: Person) -> None:
        """Shows this person's list of chats as it is now."""
        if person.list_watchers:
            chats = views.chat_list(person, self.places.values())
            for queue in person.list_watchers:
                queue.put_nowait({"type": "chats", "chats": chats})

    def deliver(self, room: Room, posted: Posted) -> None:
        """Shows a new message to all and gives it to the bot, if that hears it."""
        if isinstance(room, Person) or self.hears(room, posted):
            self.updates.add("message", room.chat.shown(posted))
        self.tell(room, "message", posted)

    def hears(self, group: Group, posted: Posted) -> bool:
        """Privacy mode: commands, replies to the bot and service messages only."""
        bot, message = group.bot_member, posted.message
        if not bot.inside or bot.leads or not self.bot.privacy or posted.receiver:
            return bot.inside
        if not _CONTENT & message.keys():
            return True
        answered = group.chat.posted.get(posted.reply_to or 0)
        if answered is not None and not answered.out:
            return True
        command = _COMMAND.match(message.get("text", ""))
        return command is not None and (command[1] or self.bot.username) == self.bot.username


Method = Callable[[World, Params], Any]
Methods = Mapping[str, Method]
