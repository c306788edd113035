"""Groups, supergroups and forums: members with their rights, topics, and what the bot may do."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from bot.sandbox.chats import Chat, Posted
from bot.sandbox.errors import Json, Refused

Kind = Literal["group", "supergroup", "forum"]
Status = Literal["creator", "administrator", "member", "restricted", "left", "kicked"]

RIGHTS = (
    "can_manage_chat",
    "can_delete_messages",
    "can_manage_video_chats",
    "can_restrict_members",
    "can_promote_members",
    "can_change_info",
    "can_invite_users",
    "can_post_stories",
    "can_edit_stories",
    "can_delete_stories",
    "can_send_welcome_messages",
    "can_pin_messages",
    "can_manage_topics",
    "can_manage_tags",
)
_TOPIC_RIGHT = "can_manage_topics"
PERMISSIONS = (
    "can_send_messages",
    "can_send_audios",
    "can_send_documents",
    "can_send_photos",
    "can_send_videos",
    "can_send_video_notes",
    "can_send_voice_notes",
    "can_send_polls",
    "can_send_other_messages",
    "can_add_web_page_previews",
    "can_react_to_messages",
    "can_edit_tag",
    "can_change_info",
    "can_invite_users",
    "can_pin_messages",
    "can_manage_topics",
)
# Without these a group member may do everything by default; the rest needs an administrator.
_DENIED_BY_DEFAULT = frozenset({"can_change_info", "can_pin_messages", "can_manage_topics"})
GENERAL = 1


@dataclass(frozen=True, slots=True)
class Member:
    """`rights` of an administrator, `denied` permissions of one who is restricted."""

    status: Status = "member"
    rights: frozenset[str] = frozenset()
    anonymous: bool = False
    denied: frozenset[str] = frozenset()

    @property
    def inside(self) -> bool:
        """Whether they are in the group."""
        return self.status not in ("left", "kicked")

    @property
    def leads(self) -> bool:
        """An owner or administrator."""
        return self.status in ("creator", "administrator")

    def may(self, right: str) -> bool:
        """Whether an owner or administrator has this right."""
        return self.status == "creator" or (
            self.status == "administrator" and right in self.rights
        )

    def described(self, user: Json, *, editable: bool = False) -> Json:
        """The Bot API's ChatMember."""
        member: Json = {"user": user, "status": self.status}
        match self.status:
            case "creator":
                return member | {"is_anonymous": self.anonymous}
            case "administrator":
                rights = {right: right in self.rights for right in RIGHTS}
                return (
                    member | rights | {"can_be_edited": editable, "is_anonymous": self.anonymous}
                )
            case "restricted":
                allowed = {p: p not in self.denied for p in PERMISSIONS}
                return member | allowed | {"is_member": True, "until_date": 0}
            case "kicked":
                return member | {"until_date": 0}
            case _:
                return member


@dataclass(slots=True)
class Topic:
    """A forum topic; `id` is the thread's, 1 for General."""

    id: int
    name: str
    closed: bool = False


LEFT = Member("left")


@dataclass(slots=True)
class Group:
    """A group of any kind. `bot` is the bot's own membership, None if it never was here.

    `watchers` are the open pages of each person.
    """

    id: int
    kind: Kind
    chat: Chat
    members: dict[int, Member] = field(default_factory=dict)
    bot: Member | None = None
    topics: dict[int, Topic] = field(default_factory=dict)
    denied: frozenset[str] = _DENIED_BY_DEFAULT
    migrated_to: int | None = None
    deleted: bool = False
    hidden_members: bool = False
    watchers: dict[int, list[asyncio.Queue[Json]]] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """Its name."""
        title: str = self.chat.place["title"]
        return title

    @property
    def people(self) -> list[int]:
        """Who is in it, without the bot."""
        return [person_id for person_id, member in self.members.items() if member.inside]

    @property
    def bot_member(self) -> Member:
        """The bot's membership; that of a stranger if it never was here."""
        return self.bot or LEFT

    def member(self, person_id: int) -> Member:
        """A person's membership; that of a stranger if they never were here."""
        return self.members.get(person_id, LEFT)

    def entered(self) -> Group:
        """The group itself, if the bot can look into it.

        Raises:
            Refused: upgraded, deleted, or the bot is not in it.
        """
        called = "group chat" if self.kind == "group" else "supergroup chat"
        if self.migrated_to is not None:
            moved = {"migrate_to_chat_id": self.migrated_to}
            raise Refused("group chat was upgraded to a supergroup chat", 400, moved)
        if self.bot is None:
            raise Refused("chat not found")
        if self.deleted:
            raise Refused("the group chat was deleted", 403)
        if self.bot.status == "kicked":
            raise Refused(f"bot was kicked from the {called}", 403)
        if self.bot.status == "left":
            raise Refused(f"bot is not a member of the {called}", 403)
        return self

    def check_sending(self, what: str) -> None:
        """Raises Refused if the bot may not send `what` ("text messages", "photos" …)."""
        bot, permission = self.bot_member, _PERMISSION_TO_SEND[what]
        if not bot.leads and permission in self.denied | bot.denied:
            raise Refused(f"not enough rights to send {what} to the chat")

    def bot_may(self, right: str) -> bool:
        """As an administrator, or because every member may."""
        if self.bot_member.leads:
            return self.bot_member.may(right)
        return right in PERMISSIONS and right not in self.denied | self.bot_member.denied

    def thread(self, asked: int) -> int | None:
        """The topic that `message_thread_id` names; None outside of topics.

        Raises:
            Refused: no such topic, or it is closed for the bot.
        """
        if self.kind != "forum":
            # A supergroup that never was a forum ignores the parameter.
            if asked and self.topics:
                raise Refused("message thread not found")
            return None
        if asked and (asked == GENERAL or asked not in self.topics):
            raise Refused("message thread not found")
        topic = self.topics[asked or GENERAL]
        if topic.closed and not self.bot_member.may(_TOPIC_RIGHT):
            raise Refused("TOPIC_CLOSED")
        return asked or None

    def permissions(self) -> Json:
        """The Bot API's ChatPermissions."""
        return {permission: permission not in self.denied for permission in PERMISSIONS}

    def place(self) -> Json:
        """The Bot API's Chat as it is now."""
        kept = {"id": self.id, "title": self.title}
        if self.kind == "group":
            return kept | {"type": "group"}
        return kept | {"type": "supergroup"} | ({"is_forum": True} if self.kind == "forum" else {})

    def in_thread(self, thread: int | None) -> Iterable[Posted]:
        """The messages of a topic that are still there; None: General."""
        return [p for p in self.chat.posted.values() if not p.gone and p.thread == thread]


_PERMISSION_TO_SEND = {
    "text messages": "can_send_messages",
    "photos": "can_send_photos",
    "documents": "can_send_documents",
}
