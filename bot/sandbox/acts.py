"""What people do: write, tap, delete, block. Each act becomes an update for the bot."""

from __future__ import annotations

import re

from bot.sandbox import about, limits
from bot.sandbox.chats import Posted
from bot.sandbox.clock import Bell
from bot.sandbox.entities import tidy
from bot.sandbox.errors import Json
from bot.sandbox.groups import Group
from bot.sandbox.people import ANONYMOUS, Person, Tap
from bot.sandbox.world import Room, World


class Acts:
    """The people's side of a Telegram. Impossible acts (no such button) are a ValueError.

    `chat` is a group's id; None, or the person's own id, is their private chat with the bot.
    """

    def __init__(self, world: World, bell: Bell) -> None:
        self.world = world
        self.bell = bell

    def person(self, person_id: int) -> Person:
        """Raises ValueError for a stranger."""
        person = self.world.people.get(person_id)
        if person is None:
            raise ValueError(f"there is no person {person_id}")
        return person

    def group(self, group_id: int) -> Group:
        """Raises ValueError if there is none."""
        group = self.world.places.get(group_id)
        if group is None:
            raise ValueError(f"there is no group {group_id}")
        return group

    def room(self, person_id: int, chat: int | None) -> Room:
        """Where a person is: the private chat, or a group they are in."""
        person = self.person(person_id)
        if chat is None or chat == person_id:
            return person
        group = self.group(chat)
        if not group.member(person_id).inside:
            raise ValueError(f"{person.first_name} is not in {group.title}")
        return group

    def say(
        self,
        person_id: int,
        text: str,
        *,
        chat: int | None = None,
        thread: int | None = None,
        reply_to: int | None = None,
    ) -> int:
        """Writes and returns the message id (0: an ephemeral command). Too long: in several.

        `thread` is a forum topic, None or 1 General; `reply_to` a message there.
        """
        person, room = self.person(person_id), self.room(person_id, chat)
        shown, _ = tidy(text, [])
        if not shown:
            raise ValueError("the message has no text")
        if isinstance(room, Person):
            self._reopen(room)
        else:
            _check_may_write(room, person, thread)
        for start in range(0, len(shown), limits.TEXT):
            part = shown[start : start + limits.TEXT]
            posted = self._write(room, person, part, thread, reply_to)
        self.bell.ring()
        return posted.id

    def start(self, person_id: int, payload: str = "") -> int:
        """Presses Start, or follows `t.me/<bot>?start=<payload>`."""
        if not re.fullmatch(rf"[A-Za-z0-9_-]{{0,{limits.START_PAYLOAD}}}", payload):
            raise ValueError("a start payload is at most 64 of A-Z a-z 0-9 _ -")
        return self.say(person_id, f"/start {payload}".strip())

    def tap(
        self,
        person_id: int,
        message_id: int,
        row: int,
        column: int,
        *,
        chat: int | None = None,
        ephemeral_id: int = 0,
    ) -> Tap | None:
        """Taps a button, also of a message deleted meanwhile. Only callback buttons make a Tap."""
        found = self.room(person_id, chat).chat
        posted = found.ephemeral.get(ephemeral_id) or found.posted.get(message_id)
        if posted is None or posted.receiver not in (None, person_id):
            raise ValueError(f"{person_id} has no message {message_id}")
        button = _button(posted, row, column)
        if "callback_data" not in button:
            return None
        data = button["callback_data"]
        return self.tap_data(person_id, message_id, data, chat=chat, ephemeral_id=ephemeral_id)

    def tap_data(
        self,
        person_id: int,
        message_id: int,
        data: str,
        *,
        chat: int | None = None,
        ephemeral_id: int = 0,
    ) -> Tap:
        """What a forged client sends: any data, any message id."""
        person, room = self.person(person_id), self.room(person_id, chat)
        number = 4_000_000_000_000_000_000 + len(self.world.taps)
        tap = Tap(str(number), person_id, message_id, data, self.world.clock.now())
        tap.chat_id, tap.ephemeral_id = room.chat.id, ephemeral_id
        self.world.taps[tap.id] = tap
        person.taps.append(tap)
        only = room.chat.found_ephemeral(ephemeral_id, person_id) if ephemeral_id else None
        query = {
            "id": tap.id,
            "from": person.user,
            "message": only.message if only else room.chat.accessible(message_id),
            "chat_instance": self.world.chat_instance(room.chat.id),
            "data": data,
        }
        if isinstance(room, Person) or room.bot_member.inside:
            person.known = True
            self.world.updates.add("callback_query", query)
        self.bell.ring()
        return tap

    def delete(self, person_id: int, message_id: int, *, chat: int | None = None) -> None:
        """Deletes a message for all; the bot is not told."""
        room = self.room(person_id, chat)
        posted = room.chat.find(message_id)
        if posted is None:
            raise ValueError(f"{person_id} has no message {message_id}")
        if isinstance(room, Group) and posted.author != person_id:
            _check_right(room, person_id, "can_delete_messages")
        self.world.erase(room, posted)
        self.bell.ring()

    def forward(
        self, person_id: int, message_id: int, *, chat: int | None = None, to: int | None = None
    ) -> int:
        """Forwards a message. Of its buttons only links survive, and those only if all are."""
        person, room = self.person(person_id), self.room(person_id, to)
        posted = self.room(person_id, chat).chat.find(message_id)
        if posted is None:
            raise ValueError(f"{person_id} has no message {message_id}")
        content = {k: v for k, v in posted.message.items() if k in _FORWARDED}
        if not all("url" in button for row in posted.buttons for button in row):
            content.pop("reply_markup", None)
        origin = {"type": "user", "date": posted.message["date"]}
        content["forward_origin"] = origin | {"sender_user": posted.message["from"]}
        forwarded = self._add(room, person, content, None)
        self.bell.ring()
        return forwarded.id

    def block(self, person_id: int) -> None:
        """Blocks the bot; it is told by my_chat_member."""
        self._membership(self.person(person_id), blocked=True)

    def unblock(self, person_id: int) -> None:
        """Lets the bot write again."""
        self._membership(self.person(person_id), blocked=False)

    def deactivate(self, person_id: int) -> None:
        """Deletes their account; nobody is told."""
        self.person(person_id).deactivated = True

    def _write(
        self, room: Room, person: Person, text: str, thread: int | None, reply_to: int | None
    ) -> Posted:
        _, entities = tidy(text, [])
        content: Json = {"text": text}
        content |= {"entities": entities} if entities else {}
        if isinstance(room, Group) and self._is_ephemeral(room, person, text):
            return self._command(room, person, content)
        if isinstance(room, Group) and room.kind == "forum" and thread not in (None, 1):
            content |= {"message_thread_id": thread, "is_topic_message": True}
        return self._add(room, person, content, reply_to or content.get("message_thread_id"))

    def _add(self, room: Room, person: Person, content: Json, reply_to: int | None) -> Posted:
        if isinstance(room, Group):
            sender = _sender(room, person)
            person.known = person.known or room.bot_member.inside
        else:
            sender, person.met = {"from": person.user}, True
        posted = room.chat.add(
            sender | content, self.world.clock.now(), out=True, reply_to=reply_to, author=person.id
        )
        self.world.deliver(room, posted)
        return posted

    def _is_ephemeral(self, group: Group, person: Person, text: str) -> bool:
        """Whether the menu this person has there says so of the command."""
        name = text.split()[0].removeprefix("/").partition("@")[0] if text[0] == "/" else ""
        menu = about.group_menu(self.world, group, person) if name else []
        return any(c["command"] == name and c.get("is_ephemeral") for c in menu)

    def _command(self, group: Group, person: Person, content: Json) -> Posted:
        """A command that only the sender and the bot see."""
        person.known = True
        sender = {"from": person.user, "receiver_user": self.world.bot.user}
        posted = group.chat.add_ephemeral(
            sender | content, self.world.clock.now(), out=True, receiver=person.id,
            author=person.id,
        )  # fmt: skip
        self.world.deliver(group, posted)
        return posted

    def _reopen(self, person: Person) -> None:
        """Who writes to a bot they blocked has unblocked it first: clients insist on it."""
        if person.blocked:
            self.unblock(person.id)

    def _membership(self, person: Person, *, blocked: bool) -> None:
        if person.blocked == blocked:
            return
        person.blocked = blocked
        self.world.updates.add(
            "my_chat_member",
            {
                "chat": person.chat.place,
                "from": person.user,
                "date": int(self.world.clock.now().timestamp()),
                "old_chat_member": self._member(kicked=not blocked),
                "new_chat_member": self._member(kicked=blocked),
            },
        )
        self.world.tell_list(person)
        self.bell.ring()

    def _member(self, *, kicked: bool) -> Json:
        member: Json = {"user": self.world.bot.user, "status": "kicked" if kicked else "member"}
        return member | ({"until_date": 0} if kicked else {})


_FORWARDED = (
    "text", "entities", "caption", "caption_entities", "document", "photo", "reply_markup"
)  # fmt: skip


def _sender(group: Group, person: Person) -> Json:
    """Who a group's message is from: an anonymous administrator writes as the group."""
    member = group.member(person.id)
    if member.anonymous and member.leads:
        return {"from": ANONYMOUS, "sender_chat": group.place()}
    return {"from": person.user}


def _check_may_write(group: Group, person: Person, thread: int | None) -> None:
    member = group.member(person.id)
    if group.migrated_to is not None:
        raise ValueError(f"{group.title} is a supergroup now")
    if not member.leads and "can_send_messages" in group.denied | member.denied:
        raise ValueError(f"{person.first_name} may not write in {group.title}")
    if group.kind != "forum":
        return
    topic = group.topics.get(thread or 1)
    if topic is None:
        raise ValueError(f"there is no topic {thread}")
    if topic.closed and not member.may("can_manage_topics"):
        raise ValueError(f"the topic {topic.name} is closed")


def _check_right(group: Group, person_id: int, right: str) -> None:
    if not group.member(person_id).may(right):
        raise ValueError(f"{person_id} lacks the right {right}")


def _button(posted: Posted, row: int, column: int) -> Json:
    if not (0 <= row < len(posted.buttons) and 0 <= column < len(posted.buttons[row])):
        raise ValueError(f"message {posted.id} has no button in row {row}, column {column}")
    return posted.buttons[row][column]
