"""Methods that send messages, and what all sends share: reply, topic, keyboard."""

from __future__ import annotations

from typing import Any, NamedTuple

from bot.sandbox import ephemeral
from bot.sandbox.content import Content, document_of, photo_of, text_of
from bot.sandbox.errors import Json, Refused
from bot.sandbox.groups import Group
from bot.sandbox.keyboards import keyboard
from bot.sandbox.params import Params, required
from bot.sandbox.world import Methods, Room, World


class Reply(NamedTuple):
    """What a message replies to, and whether that may be missing."""

    message_id: int
    ephemeral_id: int
    may_be_missing: bool


def send_message(world: World, params: Params) -> Json:
    """A text."""
    return _post(world, params, text_of(world, params))


def send_document(world: World, params: Params) -> Json:
    """A file, uploaded or by the file_id of one sent before."""
    return _post(world, params, document_of(world, params))


def send_photo(world: World, params: Params) -> Json:
    """A picture, uploaded or by the file_id of one sent before."""
    return _post(world, params, photo_of(world, params))


def markup_field(markup: Json | None) -> Json:
    """As a message has it."""
    return {"reply_markup": markup} if markup else {}


def _post(world: World, params: Params, content: Content) -> Json:
    reply = _reply(params)
    markup, other = keyboard(params, world.version)
    room = world.writable(params, content.what)
    content.check()
    thread = _thread(room, params)
    only_for = ephemeral.asked(world, params)
    message: Json = {"from": world.bot.user} | thread | content.fields | markup_field(markup)
    if params.flag("protect_content"):
        message["has_protected_content"] = True
    if only_for is not None:
        answered = reply.ephemeral_id if reply else 0
        return ephemeral.post(world, room, only_for, message, answered)
    reply_to = _replied(room, reply) if reply else thread.get("message_thread_id")
    posted = room.chat.add(message, world.clock.now(), out=False, reply_to=reply_to)
    posted.other_keyboard = other
    world.tell(room, "message", posted)
    return room.chat.shown(posted)


def _thread(room: Room, params: Params) -> Json:
    asked = params.integer("message_thread_id")
    thread = room.thread(asked) if isinstance(room, Group) else None
    return {"message_thread_id": thread, "is_topic_message": True} if thread else {}


def _reply(params: Params) -> Reply | None:
    given: Any = params.json("reply_parameters", "reply parameters")
    if given:
        may_be_missing = bool(given.get("allow_sending_without_reply"))
        if ephemeral_id := given.get("ephemeral_message_id"):
            return Reply(0, int(ephemeral_id), may_be_missing)
        return Reply(required(given, "message_id", int, ""), 0, may_be_missing)
    if legacy := params.integer("reply_to_message_id"):
        return Reply(legacy, 0, params.flag("allow_sending_without_reply"))
    return None


def _replied(room: Room, reply: Reply) -> int | None:
    if room.chat.find(reply.message_id) is not None:
        return reply.message_id
    if reply.may_be_missing:
        return None
    raise Refused("message to be replied not found")


METHODS: Methods = {
    "sendmessage": send_message,
    "senddocument": send_document,
    "sendphoto": send_photo,
}
