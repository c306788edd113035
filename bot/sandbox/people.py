"""The people who chat with the bot, and what each of them sees."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import datetime

from bot.sandbox.chats import Chat, Posted
from bot.sandbox.errors import Json

ANONYMOUS: Json = {
    "id": 1087968824,
    "is_bot": True,
    "first_name": "Group",
    "username": "GroupAnonymousBot",
}


@dataclass(frozen=True, slots=True)
class Answer:
    """What the person saw of one `answerCallbackQuery`; `text` None or empty: nothing."""

    text: str | None
    show_alert: bool
    url: str | None
    at: datetime


@dataclass(slots=True)
class Tap:
    """One press of a button. `refused` counts the answers that came too late or again.

    `chat_id` 0 is the private chat; `ephemeral_id` is set for a button of an ephemeral message.
    """

    id: str
    person_id: int
    message_id: int
    data: str
    at: datetime
    answer: Answer | None = None
    refused: int = 0
    chat_id: int = 0
    ephemeral_id: int = 0


@dataclass(slots=True)
class Person:
    """A person with a private chat, whose id is the person's own.

    `met` the bot may write to; one it only `known` from a group it may not. `watchers` look at
    the private chat, `list_watchers` at the list of chats.
    """

    id: int
    first_name: str
    language_code: str | None
    about: str
    chat: Chat
    met: bool = False
    blocked: bool = False
    known: bool = False
    deactivated: bool = False
    taps: list[Tap] = field(default_factory=list)
    watchers: list[asyncio.Queue[Json]] = field(default_factory=list)
    list_watchers: list[asyncio.Queue[Json]] = field(default_factory=list)

    @property
    def user(self) -> Json:
        """The Bot API's User."""
        user: Json = {"id": self.id, "is_bot": False, "first_name": self.first_name}
        return user | ({"language_code": self.language_code} if self.language_code else {})

    @property
    def visible(self) -> list[Posted]:
        """The messages of the private chat as they stand now, oldest first."""
        return self.chat.visible(self.id)

    @property
    def answers(self) -> list[Answer]:
        """The answers to taps, in the order of the taps."""
        return [tap.answer for tap in self.taps if tap.answer is not None]

    def sees(self, posted: Posted, chat: Chat | None = None) -> Json:
        """The message as the chat page shows it: with `out` if it is their own."""
        message = (chat or self.chat).shown(posted)
        if posted.author == self.id:
            message = message | {"out": True}
        if document := message.get("document"):
            message = message | {"document": document | {"url": _url(document)}}
        if photo := message.get("photo"):
            message = message | {"photo": [size | {"url": _url(size)} for size in photo]}
        if posted.reactions:
            message = message | {"reactions": list(posted.reactions)}
        return message | ({"replaces": posted.replaces} if posted.replaces else {})

    def tell(self, event: Json) -> None:
        """Shows an event on every open page of this person's private chat."""
        for queue in self.watchers:
            queue.put_nowait(event)


def _url(file: Json) -> str:
    return f"/sandbox/document/{file['file_id']}"


def private_chat(person_id: int, first_name: str) -> Chat:
    """The private chat between the bot and a person."""
    return Chat(person_id, {"id": person_id, "first_name": first_name, "type": "private"})
