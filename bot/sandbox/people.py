"""The people who chat with the bot, and what each of them sees."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import datetime

from bot.sandbox.chats import Chat, Posted
from bot.sandbox.errors import Json


@dataclass(frozen=True, slots=True)
class Answer:
    """What the person saw of one `answerCallbackQuery`; `text` None or empty: nothing."""

    text: str | None
    show_alert: bool
    url: str | None
    at: datetime


@dataclass(slots=True)
class Tap:
    """One press of a button. `refused` counts the answers that came too late or again."""

    id: str
    person_id: int
    message_id: int
    data: str
    at: datetime
    answer: Answer | None = None
    refused: int = 0


@dataclass(slots=True)
class Person:
    """A person with a private chat, whose id is the person's own."""

    id: int
    first_name: str
    language_code: str | None
    about: str
    chat: Chat
    met: bool = False
    blocked: bool = False
    taps: list[Tap] = field(default_factory=list)
    watchers: list[asyncio.Queue[Json]] = field(default_factory=list)

    @property
    def user(self) -> Json:
        """The Bot API's User."""
        user: Json = {"id": self.id, "is_bot": False, "first_name": self.first_name}
        return user | ({"language_code": self.language_code} if self.language_code else {})

    @property
    def visible(self) -> list[Posted]:
        """The messages as they stand now, oldest first."""
        return [posted for posted in self.chat.posted.values() if not posted.gone]

    @property
    def answers(self) -> list[Answer]:
        """The answers to taps, in the order of the taps."""
        return [tap.answer for tap in self.taps if tap.answer is not None]

    def sees(self, posted: Posted) -> Json:
        """The message as the chat page shows it."""
        message = self.chat.shown(posted)
        if posted.out:
            message = message | {"out": True}
        if document := message.get("document"):
            url = f"/sandbox/document/{document['file_id']}"
            message = message | {"document": document | {"url": url}}
        return message

    def tell(self, event: Json) -> None:
        """Shows an event on every open chat page of this person."""
        for queue in self.watchers:
            queue.put_nowait(event)


def private_chat(person_id: int, first_name: str) -> Chat:
    """The private chat between the bot and a person."""
    return Chat(person_id, {"id": person_id, "first_name": first_name, "type": "private"})
