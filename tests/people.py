"""The words tests speak: a person who writes, taps and looks; and PTB's way to the sandbox."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

from telegram.error import NetworkError
from telegram.request import BaseRequest, RequestData

from bot.sandbox.chats import Chat
from bot.sandbox.errors import Drop
from bot.sandbox.groups import Group, Kind
from bot.sandbox.params import Attachment
from bot.sandbox.people import Answer, Tap
from bot.sandbox.people import Person as Account
from bot.sandbox.telegram import Telegram

Message = dict[str, Any]
Settle = Callable[[], Awaitable[None]]
Done = TypeVar("Done")


async def _at_once() -> None:
    return None


class Seat:
    """Somebody in one chat: private, a group, or one topic of it. The verbs are awaited until
    the bot has done its part."""

    def __init__(self, person: Person, group: Group | None = None, thread: int | None = None):
        self.person = person
        self.group = group
        self.thread = thread

    @property
    def telegram(self) -> Telegram:
        """Where all this happens."""
        return self.person.world

    @property
    def account(self) -> Account:
        """What the sandbox knows of the person."""
        return self.person.profile

    @property
    def id(self) -> int:
        """The Telegram id, also of the private chat."""
        return self.account.id

    @property
    def chat(self) -> Chat:
        """Where they sit."""
        return self.group.chat if self.group else self.account.chat

    async def says(self, text: str, reply_to: Message | int | None = None) -> int:
        """Writes a message and returns its id."""
        answered = None if reply_to is None else _id(reply_to)
        message_id = self.telegram.say(
            self.id, text, chat=self.chat.id, thread=self.thread, reply_to=answered
        )
        await self.person.settle()
        return message_id

    async def follows(self, payload: str) -> None:
        """Opens `t.me/<bot>?start=<payload>`."""
        self.telegram.start(self.id, payload)
        await self.person.settle()

    async def taps(self, label: str, on: Message | int | None = None) -> Tap | None:
        """Taps the button with this label on the newest message that has it, or on that message.

        Part of a label will do where only one button has it. A deep link to the bot is followed;
        other buttons that don't reach the bot do nothing and return None.
        """
        message, row, column = self._find(label, on)
        button = message["reply_markup"]["inline_keyboard"][row][column]
        link = re.search(r"t\.me/(\w+)\?start=([\w-]+)", button.get("url", ""))
        if link and link[1] == self.telegram.bot.username:
            await self.follows(link[2])
            return None
        tap = self.telegram.tap(
            self.id, message["message_id"], row, column,
            chat=self.chat.id, ephemeral_id=message.get("ephemeral_message_id", 0),
        )  # fmt: skip
        await self.person.settle()
        return tap

    async def forges(self, data: str, on: Message | int | None = None) -> Tap:
        """Sends callback data that no button may have, by default from the newest message."""
        newest = max(self.chat.posted, default=1)
        number = newest if on is None else _id(on)
        tap = self.telegram.tap_data(self.id, number, data, chat=self.chat.id)
        await self.person.settle()
        return tap

    async def deletes(self, message: Message | int) -> None:
        """Deletes a message for all."""
        self.telegram.delete(self.id, _id(message), chat=self.chat.id)
        await self.person.settle()

    async def does(self, act: Callable[[], Done]) -> Done:
        """Any act on the Telegram, such as `lambda: telegram.close_topic(…)`."""
        done = act()
        await self.person.settle()
        return done

    @property
    def messages(self) -> list[Message]:
        """All messages as they stand now, oldest first; the person's own have `out`."""
        seen = [self.account.sees(p, self.chat) for p in self.chat.visible(self.id)]
        if self.thread is None:
            return seen
        return [m for m in seen if m.get("message_thread_id", 1) == self.thread]

    @property
    def received(self) -> list[Message]:
        """The bot's messages as they stand now."""
        bot = self.telegram.bot.id
        return [message for message in self.messages if message["from"]["id"] == bot]

    @property
    def screen(self) -> str:
        """The text of the newest message of the bot."""
        newest = self.received[-1] if self.received else {}
        text: str = newest.get("text") or newest.get("caption") or ""
        return text

    @property
    def buttons(self) -> list[str]:
        """The labels on the newest message that has a keyboard."""
        for message in reversed(self.messages):
            if labels := [label for label, _, _ in _labels(message)]:
                return labels
        return []

    @property
    def toast(self) -> str | None:
        """The text of the last answer to a tap here; None if it had none."""
        answers = [answer for answer in self.answers_to_taps if answer is not None]
        return answers[-1].text if answers else None

    @property
    def answers_to_taps(self) -> list[Answer | None]:
        """For each tap here its answer, None where the spinner still turns."""
        return [tap.answer for tap in self.account.taps if tap.chat_id == self.chat.id]

    def _find(self, label: str, on: Message | int | None) -> tuple[Message, int, int]:
        looked_at = [m for m in self.messages if on is None or m["message_id"] == _id(on)]
        for fits in (str.__eq__, str.startswith, str.__contains__):
            for message in reversed(looked_at):
                found = [(r, c) for text, r, c in _labels(message) if fits(text, label)]
                if len(found) == 1:
                    return message, *found[0]
        raise AssertionError(f"no one button {label!r} for {self.account.first_name}:\n{self}")

    def __str__(self) -> str:
        """The last messages, as a person would describe them."""
        lines = []
        for message in self.messages[-4:]:
            who = "I" if "out" in message else message["from"]["first_name"]
            labels = " ".join(f"[{label}]" for label, _, _ in _labels(message))
            number = message["message_id"] or f"only me {message['ephemeral_message_id']}"
            lines.append(f"#{number} {who}: {_told(message)} {labels}".rstrip())
        return "\n".join(lines) or "(an empty chat)"


class Person(Seat):
    """One person, in their private chat. `settle` is awaited after each act, until the bot has
    done its part."""

    def __init__(
        self,
        telegram: Telegram,
        first_name: str = "Asha",
        language_code: str | None = None,
        *,
        id: int | None = None,
        settle: Settle = _at_once,
    ) -> None:
        super().__init__(self)
        self.world = telegram
        self.settle = settle
        self.profile = telegram.join(first_name, language_code, id=id)

    def at(self, group: Group, thread: int | None = None) -> Seat:
        """The same person in a group; with a thread, in that topic (1: General)."""
        return Seat(self, group, thread)

    async def founds(
        self, title: str, kind: Kind = "supergroup", *members: Person, bot: bool = True
    ) -> Group:
        """A group of one's own with these members, and the bot if nothing else is said."""
        group = self.world.create_group(self.id, title, kind, [member.id for member in members])
        if bot:
            self.world.add_bot(self.id, group.id)
        await self.settle()
        return group

    async def blocks(self) -> None:
        """Blocks the bot."""
        self.world.block(self.id)
        await self.settle()

    async def unblocks(self) -> None:
        """Lets the bot write again."""
        self.world.unblock(self.id)
        await self.settle()


def _told(message: Message) -> str:
    if text := message.get("text") or message.get("caption"):
        return str(text)
    told = set(message) - {"message_id", "from", "chat", "date", "out", "reply_to_message"}
    return ", ".join(sorted(told))


def _labels(message: Message) -> list[tuple[str, int, int]]:
    rows = message.get("reply_markup", {}).get("inline_keyboard", [])
    return [(b["text"], r, c) for r, row in enumerate(rows) for c, b in enumerate(row)]


def _id(message: Message | int) -> int:
    return message if isinstance(message, int) else int(message["message_id"])


class HeartRequest(BaseRequest):
    """Plugs a Telegram into PTB, in process and without HTTP."""

    def __init__(self, telegram: Telegram) -> None:
        self._telegram = telegram

    @property
    def read_timeout(self) -> float | None:
        """Nothing is ever late here."""
        return None

    async def initialize(self) -> None:
        """Nothing to open."""

    async def shutdown(self) -> None:
        """Nothing to close."""

    async def do_request(
        self,
        url: str,
        method: str,
        request_data: RequestData | None = None,
        read_timeout: Any = None,
        write_timeout: Any = None,
        connect_timeout: Any = None,
        pool_timeout: Any = None,
    ) -> tuple[int, bytes]:
        """The status and body that the server would have sent."""
        place, _, rest = url.partition("/bot")
        token, _, called = rest.partition("/")
        if place.endswith("/file"):
            return self._file(called)
        params, files = _request(request_data)
        try:
            status, body = await self._telegram.call(called, params, files, token=token)
        except Drop:
            raise NetworkError("connection reset") from None
        await self._telegram.replied(called, params)
        return status, json.dumps(body).encode()

    def _file(self, path: str) -> tuple[int, bytes]:
        for stored in self._telegram.world.files.values():
            if stored.path == path:
                return 200, stored.file.content
        return 404, b'{"ok":false,"error_code":404,"description":"Not Found"}'


def _request(data: RequestData | None) -> tuple[Mapping[str, Any], dict[str, Attachment]]:
    if data is None:
        return {}, {}
    files = {
        name: Attachment(file[0], file[2], _content(file[1]))
        for name, file in data.multipart_data.items()
    }
    return data.json_parameters, files


def _content(content: Any) -> bytes:
    return content if isinstance(content, bytes) else bytes(content.read())
