"""A chat and its messages, as they stand and as they stood."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from bot.sandbox.errors import Json


@dataclass(slots=True)
class Posted:
    """One message. `message` is what the Bot API shows, without `reply_to_message`.

    An ephemeral message has a `receiver`, the only person who sees it; `replaces` is the ordinary
    one it is shown in place of. `number` counts all messages of the chat, of either kind.
    """

    message: Json
    out: bool
    sent_at: datetime
    reply_to: int | None = None
    other_keyboard: bool = False
    gone: bool = False
    history: list[Json] = field(default_factory=list)
    author: int | None = None
    receiver: int | None = None
    number: int = 0
    replaces: int | None = None
    reactions: list[str] = field(default_factory=list)

    @property
    def id(self) -> int:
        """Its id within the chat, 0 for ephemeral ones."""
        message_id: int = self.message["message_id"]
        return message_id

    @property
    def ephemeral_id(self) -> int:
        """Its id among the chat's ephemeral messages, 0 for ordinary ones."""
        ephemeral_id: int = self.message.get("ephemeral_message_id", 0)
        return ephemeral_id

    @property
    def thread(self) -> int | None:
        """The forum topic it is in; None: none, or General."""
        thread: int | None = self.message.get("message_thread_id")
        return thread

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
    count: int = 0
    ephemeral: dict[int, Posted] = field(default_factory=dict)
    pinned: list[int] = field(default_factory=list)
    read: dict[int, int] = field(default_factory=dict)

    def add(
        self,
        message: Json,
        at: datetime,
        *,
        out: bool,
        reply_to: int | None = None,
        author: int | None = None,
    ) -> Posted:
        """Puts a message at the end; id, chat and date are set here."""
        self.last_id += 1
        head = {"message_id": self.last_id, "date": int(at.timestamp()), "chat": self.place}
        self.count += 1
        posted = Posted(head | message, out, at, reply_to, author=author, number=self.count)
        self.posted[posted.id] = posted
        return posted

    def add_ephemeral(
        self, message: Json, at: datetime, *, out: bool, receiver: int, author: int | None = None
    ) -> Posted:
        """Puts a message at the end that only `receiver` (and the bot) can see."""
        ephemeral_id = len(self.ephemeral) + 1
        self.count += 1
        head = {"message_id": 0, "date": int(at.timestamp()), "chat": self.place}
        message = head | message | {"ephemeral_message_id": ephemeral_id}
        posted = Posted(message, out, at, author=author, receiver=receiver, number=self.count)
        self.ephemeral[ephemeral_id] = posted
        return posted

    def find(self, message_id: int) -> Posted | None:
        """The message, None if it never was here or was deleted."""
        posted = self.posted.get(message_id)
        return None if posted is None or posted.gone else posted

    def found_ephemeral(self, ephemeral_id: int, receiver: int) -> Posted | None:
        """The receiver's ephemeral message, None if there is none or it was deleted."""
        posted = self.ephemeral.get(ephemeral_id)
        return None if posted is None or posted.gone or posted.receiver != receiver else posted

    def visible(self, person_id: int) -> list[Posted]:
        """What this person sees, oldest first, each ephemeral message in its place."""
        own = [p for p in self.ephemeral.values() if p.receiver == person_id and not p.gone]
        instead = {p.replaces: p for p in own if p.replaces}
        shown = [instead.get(p.id, p) for p in self.posted.values() if not p.gone]
        if not own:
            return shown
        loose = [p for p in own if not p.replaces]
        return sorted([*shown, *loose], key=self._position)

    def unread(self, person_id: int) -> int:
        """How many messages of others came since the person last looked."""
        seen = self.read.get(person_id, 0)
        new = [p for p in self.visible(person_id) if p.number > seen]
        return sum(p.author != person_id for p in new)

    def _position(self, posted: Posted) -> int:
        return self.posted[posted.replaces].number if posted.replaces else posted.number

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
