"""A chat and its messages, as they stand and as they stood."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from bot.sandbox.errors import Json


@dataclass(slots=True)
class Posted:
    """One message. `message` is what the Bot API shows, without `reply_to_message`."""

    message: Json
    out: bool
    sent_at: datetime
    reply_to: int | None = None
    other_keyboard: bool = False
    gone: bool = False
    history: list[Json] = field(default_factory=list)

    @property
    def id(self) -> int:
        """Its id within the chat."""
        message_id: int = self.message["message_id"]
        return message_id

    @property
    def buttons(self) -> list[list[Json]]:
        """The rows of its inline keyboard."""
        markup = self.message.get("reply_markup") or {}
        rows: list[list[Json]] = markup.get("inline_keyboard", [])
        return rows


@dataclass(slots=True)
class Chat:
    """Ids grow and are the chat's own: the same id in two chats is two messages."""

    id: int
    place: Json
    posted: dict[int, Posted] = field(default_factory=dict)
    last_id: int = 0

    def add(
        self, message: Json, at: datetime, *, out: bool, reply_to: int | None = None
    ) -> Posted:
        """Puts a message at the end; id, chat and date are set here."""
        self.last_id += 1
        head = {"message_id": self.last_id, "date": int(at.timestamp()), "chat": self.place}
        posted = Posted(head | message, out, at, reply_to)
        self.posted[posted.id] = posted
        return posted

    def find(self, message_id: int) -> Posted | None:
        """The message, None if it never was here or was deleted."""
        posted = self.posted.get(message_id)
        return None if posted is None or posted.gone else posted

    def shown(self, posted: Posted) -> Json:
        """The Bot API's Message: with the message it replies to, if that is still there."""
        answered = self.find(posted.reply_to) if posted.reply_to else None
        if answered is None:
            return posted.message
        return posted.message | {"reply_to_message": answered.message}

    def accessible(self, message_id: int) -> Json:
        """The message, or Telegram's InaccessibleMessage in its place."""
        posted = self.find(message_id)
        if posted is None:
            return {"chat": self.place, "message_id": message_id, "date": 0}
        return self.shown(posted)
