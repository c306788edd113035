"""Messages that one member of a group sees alone.

Servers before 10.2 know nothing of them: they ignore the parameters and post for all. 10.2 took
`receiver_user_id` and `callback_query_id` as parameters of the send itself, 10.3 takes them in
`ephemeral_message_parameters` (and still knows the old names).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bot.sandbox import limits
from bot.sandbox.chats import Posted
from bot.sandbox.content import FIELDS, caption_of, text_of
from bot.sandbox.edits import NOT_MODIFIED, changed
from bot.sandbox.errors import Json, Refused
from bot.sandbox.groups import Group
from bot.sandbox.keyboards import keyboard
from bot.sandbox.params import Params, required
from bot.sandbox.people import Tap
from bot.sandbox.world import Methods, Room, World

TOO_OLD = "query is too old and response timeout expired or query ID is invalid"


@dataclass(frozen=True, slots=True)
class OnlyFor:
    """Who shall see it, which tap it answers, and whether it hides the message tapped on."""

    receiver: int
    query_id: str = ""
    replace: bool = False


def asked(world: World, params: Params) -> OnlyFor | None:
    """What a send says about this; None if it is for everybody."""
    if world.version < (10, 2):
        return None
    given: Any = None
    if world.version >= (10, 3):
        given = params.json("ephemeral_message_parameters", "ephemeral message parameters")
    if not given:
        receiver = params.integer("receiver_user_id")
        return OnlyFor(receiver, params.text("callback_query_id")) if receiver else None
    where = "can't parse EphemeralMessageParameters: "
    return OnlyFor(
        required(given, "receiver_user_id", int, where),
        str(given.get("callback_query_id") or ""),
        bool(given.get("replace_callback_query_message")),
    )


def post(world: World, room: Room, to: OnlyFor, message: Json, answered: int) -> Json:
    """Sends it. `answered` is the ephemeral message it replies to, 0 for none.

    Raises:
        Refused: not a group, not a member, or the bot may not (any more).
    """
    if not isinstance(room, Group):
        raise Refused("ephemeral messages can be sent only in groups and supergroups")
    if not room.member(to.receiver).inside:
        raise Refused("USER_NOT_PARTICIPANT")
    tap = _tap(world, room, to) if to.query_id else None
    if tap is None and not _answers(world, room, to.receiver, answered):
        _check_leads(room)
    replaces = _replaced(tap) if to.replace else None
    receiver = world.people[to.receiver]
    posted = room.chat.add_ephemeral(
        message | {"receiver_user": receiver.user}, world.clock.now(), out=False,
        receiver=receiver.id,
    )  # fmt: skip
    posted.replaces = replaces
    world.tell(room, "message", posted)
    return posted.message


def _tap(world: World, room: Group, to: OnlyFor) -> Tap | None:
    """The receiver's own tap in this group; one too old does only for an administrator."""
    tap = world.taps.get(to.query_id)
    if tap is None or tap.person_id != to.receiver or tap.chat_id != room.id:
        raise Refused(TOO_OLD)
    if world.clock.now() - tap.at > limits.EPHEMERAL_WINDOW and not room.bot_member.leads:
        raise Refused(TOO_OLD)
    return tap


def _answers(world: World, room: Group, receiver: int, ephemeral_id: int) -> bool:
    posted = room.chat.found_ephemeral(ephemeral_id, receiver)
    if posted is None or not posted.out:
        return False
    return world.clock.now() - posted.sent_at <= limits.EPHEMERAL_WINDOW


def _check_leads(room: Group) -> None:
    if not room.bot_member.leads:
        raise Refused("CHAT_ADMIN_REQUIRED")


def _replaced(tap: Tap | None) -> int | None:
    if tap is None:
        raise Refused("QUERY_ID_EMPTY")
    if tap.ephemeral_id:
        raise Refused("MESSAGE_ID_INVALID")
    return tap.message_id


def edit_text(world: World, params: Params) -> bool:
    """Another text; without `reply_markup` the keyboard goes."""
    content = text_of(world, params)
    room, posted = _found(world, params, "edit")
    content.check()
    if "text" not in posted.message:
        raise Refused("there is no text in the message to edit")
    return _edit(world, params, room, posted, content.fields)


def edit_caption(world: World, params: Params) -> bool:
    """Another caption, or none."""
    caption = caption_of(params)
    room, posted = _found(world, params, "edit")
    if "text" in posted.message:
        raise Refused("there is no caption in the message to edit")
    if len(caption.get("caption", "")) > limits.CAPTION:
        raise Refused("message caption is too long")
    kept = {key: posted.message[key] for key in ("document", "photo") if key in posted.message}
    return _edit(world, params, room, posted, kept | caption)


def edit_markup(world: World, params: Params) -> bool:
    """Another keyboard, or none."""
    room, posted = _found(world, params, "edit")
    kept = {key: posted.message[key] for key in FIELDS if key in posted.message}
    return _edit(world, params, room, posted, kept)


def delete(world: World, params: Params) -> bool:
    """Takes it away."""
    room, posted = _found(world, params, "delete")
    world.erase(room, posted)
    return True


def _found(world: World, params: Params, to: str) -> tuple[Group, Posted]:
    if world.version < (10, 2):
        raise Refused("method not found", 404)
    room = world.reachable(params)
    number, receiver = params.integer("ephemeral_message_id"), params.integer("receiver_user_id")
    posted = room.chat.found_ephemeral(number, receiver)
    if posted is None or not isinstance(room, Group) or posted.out:
        raise Refused(f"message to {to} not found")
    return room, posted


def _edit(world: World, params: Params, room: Group, posted: Posted, content: Json) -> bool:
    markup, _ = keyboard(params, world.version)
    content = content | ({"reply_markup": markup} if markup else {})
    if not changed(posted, content, world.clock.now()):
        raise Refused(NOT_MODIFIED)
    world.tell(room, "edited", posted)
    return True


METHODS: Methods = {
    "editephemeralmessagetext": edit_text,
    "editephemeralmessagecaption": edit_caption,
    "editephemeralmessagereplymarkup": edit_markup,
    "deleteephemeralmessage": delete,
}
