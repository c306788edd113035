"""What people see: who looks at which chat, and the list of chats."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from bot.sandbox.chats import Chat
from bot.sandbox.errors import Json
from bot.sandbox.groups import Group, Member
from bot.sandbox.people import Person


def looking(room: Person | Group, viewer: Person) -> list[asyncio.Queue[Json]]:
    """The open pages of this person on this chat."""
    if isinstance(room, Person):
        return room.watchers if room is viewer else []
    return room.watchers.setdefault(viewer.id, [])


def chat_list(person: Person, groups: Iterable[Group]) -> list[Json]:
    """The chats of a person as the page lists them: the bot first, then the groups."""
    own = [group for group in groups if group.member(person.id).inside]
    return [_private(person), *(_group(person, group) for group in own)]


def _private(person: Person) -> Json:
    head: Json = {"id": person.id, "type": "private", "blocked": person.blocked}
    return head | _news(person.chat, person)


def _group(person: Person, group: Group) -> Json:
    member = group.member(person.id)
    topics = [{"id": t.id, "name": t.name, "closed": t.closed} for t in group.topics.values()]
    return {
        "id": group.id,
        "type": group.kind,
        "title": group.title,
        "status": member.status,
        "anonymous": member.anonymous,
        "bot": group.bot_member.status,
        "members": len(group.people) + group.bot_member.inside,
        "people": [_membership(p, m) for p, m in group.members.items()],
        "topics": topics if group.kind == "forum" else [],
        "migrated_to": group.migrated_to,
        **_news(group.chat, person),
    }


def _membership(person_id: int, member: Member) -> Json:
    return {"id": person_id, "status": member.status, "anonymous": member.anonymous}


def _news(chat: Chat, person: Person) -> Json:
    visible = chat.visible(person.id)
    last = person.sees(visible[-1], chat) if visible else None
    return {"unread": chat.unread(person.id), "last": last}
