"""What people do: write, tap, delete, block. Each act becomes an update for the bot."""

from __future__ import annotations

import re

from bot.sandbox import limits
from bot.sandbox.chats import Posted
from bot.sandbox.clock import Bell
from bot.sandbox.entities import tidy
from bot.sandbox.errors import Json
from bot.sandbox.people import Person, Tap
from bot.sandbox.world import World


class Acts:
    """The people's side of a Telegram. Impossible acts (no such button) are a ValueError."""

    def __init__(self, world: World, bell: Bell) -> None:
        self.world = world
        self.bell = bell

    def person(self, person_id: int) -> Person:
        """Raises ValueError for a stranger."""
        person = self.world.people.get(person_id)
        if person is None:
            raise ValueError(f"there is no person {person_id}")
        return person

    def say(self, person_id: int, text: str) -> int:
        """Writes to the bot and returns the message id. Too long: in several messages."""
        person = self.person(person_id)
        shown, _ = tidy(text, [])
        if not shown:
            raise ValueError("the message has no text")
        self._reopen(person)
        for start in range(0, len(shown), limits.TEXT):
            posted = self._write(person, shown[start : start + limits.TEXT])
        self.bell.ring()
        return posted.id

    def start(self, person_id: int, payload: str = "") -> int:
        """Presses Start, or follows `t.me/<bot>?start=<payload>`."""
        if not re.fullmatch(rf"[A-Za-z0-9_-]{{0,{limits.START_PAYLOAD}}}", payload):
            raise ValueError("a start payload is at most 64 of A-Z a-z 0-9 _ -")
        return self.say(person_id, f"/start {payload}".strip())

    def tap(self, person_id: int, message_id: int, row: int, column: int) -> Tap | None:
        """Taps a button, also of a message deleted meanwhile. Only callback buttons make a Tap."""
        posted = self.person(person_id).chat.posted.get(message_id)
        if posted is None:
            raise ValueError(f"{person_id} has no message {message_id}")
        button = _button(posted, row, column)
        if "callback_data" not in button:
            return None
        return self.tap_data(person_id, message_id, button["callback_data"])

    def tap_data(self, person_id: int, message_id: int, data: str) -> Tap:
        """What a forged client sends: any data, any message id."""
        person = self.person(person_id)
        number = 4_000_000_000_000_000_000 + len(self.world.taps)
        tap = Tap(str(number), person_id, message_id, data, self.world.clock.now())
        self.world.taps[tap.id] = tap
        person.taps.append(tap)
        query = {
            "id": tap.id,
            "from": person.user,
            "message": person.chat.accessible(message_id),
            "chat_instance": self.world.chat_instance(person),
            "data": data,
        }
        self.world.updates.add("callback_query", query)
        self.bell.ring()
        return tap

    def delete(self, person_id: int, message_id: int) -> None:
        """Deletes a message for both sides; the bot is not told."""
        person = self.person(person_id)
        posted = person.chat.find(message_id)
        if posted is None:
            raise ValueError(f"{person_id} has no message {message_id}")
        posted.gone = True
        person.tell({"type": "deleted", "message_id": message_id})
        self.bell.ring()

    def block(self, person_id: int) -> None:
        """Blocks the bot; it is told by my_chat_member."""
        self._membership(self.person(person_id), blocked=True)

    def unblock(self, person_id: int) -> None:
        """Lets the bot write again."""
        self._membership(self.person(person_id), blocked=False)

    def _write(self, person: Person, text: str) -> Posted:
        _, entities = tidy(text, [])
        content: Json = {"from": person.user, "text": text}
        content |= {"entities": entities} if entities else {}
        posted = person.chat.add(content, self.world.clock.now(), out=True)
        person.met = True
        self.world.updates.add("message", person.chat.shown(posted))
        person.tell({"type": "message", "message": person.sees(posted)})
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
        self.bell.ring()

    def _member(self, *, kicked: bool) -> Json:
        member: Json = {"user": self.world.bot.user, "status": "kicked" if kicked else "member"}
        return member | ({"until_date": 0} if kicked else {})


def _button(posted: Posted, row: int, column: int) -> Json:
    if not (0 <= row < len(posted.buttons) and 0 <= column < len(posted.buttons[row])):
        raise ValueError(f"message {posted.id} has no button in row {row}, column {column}")
    return posted.buttons[row][column]
