"""What people do with groups: make, fill, lead, upgrade them, and sort them into topics."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from bot.sandbox.acts import Acts
from bot.sandbox.chats import Chat, Posted
from bot.sandbox.errors import Json
from bot.sandbox.groups import GENERAL, LEFT, RIGHTS, Group, Kind, Member, Topic
from bot.sandbox.people import ANONYMOUS, Person
from bot.sandbox.places import bot_moves, service

_GROUP, _SUPERGROUP = -4_000_000_000, -1_002_000_000_000
_COLOUR = 7322096
Told = Literal["both", "both, new one first", "old", "new"]


class GroupActs(Acts):
    """`by` is the person who does it. The bot is moved by them as a member is."""

    def create_group(
        self, by: int, title: str, kind: Kind = "supergroup", members: Iterable[int] = ()
    ) -> Group:
        """A new group of this person and others, without the bot."""
        base = _GROUP if kind == "group" else _SUPERGROUP
        group_id = base - 1 - len(self.world.places)
        group = Group(group_id, kind, Chat(group_id, {"id": group_id, "title": title}))
        group.chat.place = group.place()
        group.members = {by: Member("creator")} | {self.person(p).id: Member() for p in members}
        if kind == "forum":
            group.topics[GENERAL] = Topic(GENERAL, "General")
        self.world.places[group_id] = group
        self._say(group, by, group_chat_created=True)
        return group

    def add_bot(self, by: int, group_id: int, rights: Iterable[str] = ()) -> None:
        """Adds the bot, again too; with rights it comes as an administrator."""
        group, chosen = self.group(group_id), frozenset(rights)
        to = Member("administrator", chosen | {"can_manage_chat"}) if chosen else Member()
        self._move_bot(group, by, to)
        self._say(group, by, new_chat_members=[self.world.bot.user])

    def remove_bot(self, by: int, group_id: int) -> None:
        """Kicks the bot out."""
        group = self.group(group_id)
        self._move_bot(group, by, Member("kicked"))
        self._say(group, by, left_chat_member=self.world.bot.user)

    def promote_bot(self, by: int, group_id: int, rights: Iterable[str] | None = RIGHTS) -> None:
        """Makes the bot an administrator with these rights; None: a mere member again."""
        to = Member() if rights is None else _administrator(rights)
        self._move_bot(self.group(group_id), by, to)

    def restrict_bot(self, by: int, group_id: int, denied: Iterable[str]) -> None:
        """Takes permissions from the bot; none: all is allowed again."""
        taken = frozenset(denied)
        to = Member("restricted", denied=taken) if taken else Member()
        self._move_bot(self.group(group_id), by, to)

    def enter(self, person_id: int, group_id: int) -> None:
        """Joins by a link."""
        person = self.person(person_id)
        self._move(self.group(group_id), person_id, person_id, Member())
        self._say(self.group(group_id), person_id, new_chat_members=[person.user])

    def leave(self, person_id: int, group_id: int) -> None:
        """Goes."""
        group, person = self.group(group_id), self.person(person_id)
        self._say(group, person_id, left_chat_member=person.user)
        self._move(group, person_id, person_id, LEFT)

    def kick(self, by: int, person_id: int, group_id: int) -> None:
        """Throws somebody out."""
        group, person = self.group(group_id), self.person(person_id)
        self._move(group, by, person_id, Member("kicked"))
        self._say(group, by, left_chat_member=person.user)

    def promote(
        self,
        by: int,
        person_id: int,
        group_id: int,
        rights: Iterable[str] | None = RIGHTS,
        *,
        anonymous: bool = False,
    ) -> None:
        """Makes somebody an administrator; `rights` None: a mere member again."""
        group, before = self.group(group_id), self.group(group_id).member(person_id)
        if before.status == "creator":
            to = Member("creator", anonymous=anonymous)
        else:
            to = Member() if rights is None else _administrator(rights, anonymous=anonymous)
        self._move(group, by, person_id, to)

    def restrict(self, by: int, person_id: int, group_id: int, denied: Iterable[str]) -> None:
        """Takes permissions from somebody; none: all is allowed again."""
        taken = frozenset(denied)
        to = Member("restricted", denied=taken) if taken else Member()
        self._move(self.group(group_id), by, person_id, to)

    def allow(self, by: int, group_id: int, denied: Iterable[str]) -> None:
        """What members may not do unless they are administrators."""
        self._leading(by, group_id).denied = frozenset(denied)

    def delete_group(self, by: int, group_id: int) -> None:
        """Deletes it for everybody."""
        group = self._leading(by, group_id)
        for person_id in group.people:
            self._move(group, by, person_id, LEFT)
        group.deleted = True

    def upgrade(self, by: int, group_id: int, told: Told = "both") -> Group:
        """A group becomes a supergroup with another id. `told` says of which the bot hears."""
        old = self._leading(by, group_id)
        if old.kind != "group" or old.migrated_to is not None:
            raise ValueError(f"{old.title} can't become a supergroup")
        new = self.create_upgraded(old)
        self._say_upgrade(old, new, by, told)
        old.migrated_to = new.id
        self.bell.ring()
        return new

    def create_upgraded(self, old: Group) -> Group:
        """The supergroup with the members of the group, and no messages yet."""
        group_id = _SUPERGROUP - 1 - len(self.world.places)
        chat = Chat(group_id, {"id": group_id, "title": old.title, "type": "supergroup"})
        new = Group(group_id, "supergroup", chat, dict(old.members), old.bot, denied=old.denied)
        self.world.places[group_id] = new
        return new

    def _say_upgrade(self, old: Group, new: Group, by: int, told: Told) -> None:
        def leave_old() -> None:
            if told != "new":
                self._say(old, by, migrate_to_chat_id=new.id)

        def enter_new() -> None:
            if told != "old":
                content: Json = {"from": ANONYMOUS, "sender_chat": new.place()}
                content |= {"migrate_from_chat_id": old.id}
                now = self.world.clock.now()
                self.world.deliver(new, new.chat.add(content, now, out=True, author=by))

        order = (enter_new, leave_old) if told == "both, new one first" else (leave_old, enter_new)
        for tell in order:
            tell()

    def switch_topics(self, by: int, group_id: int, on: bool) -> None:
        """Makes a supergroup a forum, or back."""
        group = self._leading(by, group_id)
        if group.kind == "group":
            raise ValueError("only a supergroup can have topics")
        group.kind = "forum" if on else "supergroup"
        group.topics.setdefault(GENERAL, Topic(GENERAL, "General"))
        group.chat.place = group.place()
        self.world.tell_lists(group)

    def create_topic(self, by: int, group_id: int, name: str) -> int:
        """A new topic; returns the id of its thread."""
        group = self._leading(by, group_id, "can_manage_topics")
        if group.kind != "forum" or not name.strip():
            raise ValueError("topics have a name, and only forums have them")
        thread = group.chat.last_id + 1
        group.topics[thread] = Topic(thread, name)
        created = {"name": name, "icon_color": _COLOUR}
        self._say(group, by, forum_topic_created=created, **_in_topic(thread))
        return thread

    def close_topic(self, by: int, group_id: int, thread: int, closed: bool = True) -> None:
        """Closes a topic (1: General) or opens it again."""
        topic = self._topic(by, group_id, thread)
        topic.closed = closed
        content: Json = {"forum_topic_closed" if closed else "forum_topic_reopened": {}}
        self._say(self.group(group_id), by, **content, **_in_topic(thread))

    def delete_topic(self, by: int, group_id: int, thread: int) -> None:
        """Deletes a topic with its messages; the bot is not told."""
        topic, group = self._topic(by, group_id, thread), self.group(group_id)
        if topic.id == GENERAL:
            raise ValueError("General can't be deleted")
        del group.topics[thread]
        for posted in list(group.in_thread(thread)):
            self.world.erase(group, posted)
        self.world.tell_lists(group)
        self.bell.ring()

    def _topic(self, by: int, group_id: int, thread: int) -> Topic:
        topic = self._leading(by, group_id, "can_manage_topics").topics.get(thread)
        if topic is None:
            raise ValueError(f"there is no topic {thread}")
        return topic

    def _leading(self, by: int, group_id: int, right: str = "can_change_info") -> Group:
        group = self.group(group_id)
        if not group.member(by).may(right):
            raise ValueError(f"{self.person(by).first_name} lacks the right {right}")
        return group

    def _say(self, group: Group, by: int, **content: Json | list[Json] | int | bool) -> Posted:
        posted = service(self.world, group, self.person(by), **content)
        self.bell.ring()
        return posted

    def _move_bot(self, group: Group, by: int, to: Member) -> None:
        person = self.person(by)
        person.known = True
        bot_moves(self.world, group, to, person.user)
        self.bell.ring()

    def _move(self, group: Group, by: int, person_id: int, to: Member) -> None:
        """A person's membership; an administrator bot that asked for it gets chat_member."""
        before, person = group.member(person_id), self.person(person_id)
        group.members[person_id] = to
        if group.bot_member.leads and before != to:
            self._tell_bot(group, self.person(by), person, before)
        self.world.tell_lists(group)
        self.world.tell_list(person)
        self.bell.ring()

    def _tell_bot(self, group: Group, by: Person, person: Person, before: Member) -> None:
        change = {
            "chat": group.place(),
            "from": by.user,
            "date": int(self.world.clock.now().timestamp()),
            "old_chat_member": before.described(person.user),
            "new_chat_member": group.member(person.id).described(person.user),
        }
        self.world.updates.add("chat_member", change)


def _administrator(rights: Iterable[str], *, anonymous: bool = False) -> Member:
    return Member("administrator", frozenset(rights) | {"can_manage_chat"}, anonymous)


def _in_topic(thread: int) -> Json:
    return {} if thread == GENERAL else {"message_thread_id": thread, "is_topic_message": True}
