"""Methods that edit and delete messages."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from bot.sandbox import limits
from bot.sandbox.chats import Posted
from bot.sandbox.content import FIELDS, Content, caption_of, text_of
from bot.sandbox.errors import Json, Refused
from bot.sandbox.files import document, photo
from bot.sandbox.groups import Group
from bot.sandbox.keyboards import keyboard
from bot.sandbox.params import Params, required
from bot.sandbox.world import Methods, Room, World

NOT_MODIFIED = (
    "message is not modified: specified new message content and reply markup are exactly the same"
    " as a current content and reply markup of the message"
)
_MEDIA = ("document", "photo")


def edit_message_text(world: World, params: Params) -> Json:
    """Another text; without `reply_markup` the keyboard goes."""
    content = text_of(world, params)
    markup, _ = keyboard(params, world.version)
    room, posted = _editable(world, params)
    content.check()
    if "text" not in posted.message:
        raise Refused("there is no text in the message to edit")
    return _edit(world, room, posted, content.fields, markup)


def edit_message_caption(world: World, params: Params) -> Json:
    """Another caption, or none; without `reply_markup` the keyboard goes."""
    caption = caption_of(params)
    markup, _ = keyboard(params, world.version)
    room, posted = _editable(world, params)
    if "text" in posted.message:
        raise Refused("there is no caption in the message to edit")
    kept = {key: posted.message[key] for key in _MEDIA if key in posted.message}
    content = Content("", kept | caption)
    content.check()
    return _edit(world, room, posted, content.fields, markup)


def edit_message_media(world: World, params: Params) -> Json:
    """Another photo or document, with its caption; a text can't become one."""
    given: Any = params.json("media", "InputMedia")
    if not isinstance(given, dict):
        raise Refused("media not found")
    kind = required(given, "type", str, "can't parse InputMedia: ")
    if kind not in _MEDIA:
        raise Refused(f'can\'t parse InputMedia: media type "{kind}" is unsupported here')
    media = Params(given, params.files)
    markup, _ = keyboard(params, world.version)
    room, posted = _editable(world, params)
    if "text" in posted.message:
        raise Refused("there is no media in the message to edit")
    file: Any = (photo if kind == "photo" else document)(world, media, "media")
    content = Content("", {kind: file} | caption_of(media))
    content.check()
    return _edit(world, room, posted, content.fields, markup)


def edit_message_reply_markup(world: World, params: Params) -> Json:
    """Another keyboard, or none."""
    markup, _ = keyboard(params, world.version)
    room, posted = _editable(world, params)
    kept = {key: posted.message[key] for key in FIELDS if key in posted.message}
    return _edit(world, room, posted, kept, markup)


def changed(posted: Posted, content: Json, at: datetime) -> bool:
    """Puts content and keyboard in place of the old ones; False if they are the same."""
    replaced = (*FIELDS, "reply_markup")
    if content == {k: v for k, v in posted.message.items() if k in replaced}:
        return False
    fixed = {k: v for k, v in posted.message.items() if k not in replaced}
    posted.history.append(posted.message)
    posted.message = fixed | {"edit_date": int(at.timestamp())} | content
    return True


def delete_message(world: World, params: Params) -> bool:
    """Takes a message away on all sides."""
    room = world.reachable(params)
    posted = room.chat.find(_message_id(params))
    if posted is None:
        raise Refused("message to delete not found")
    if not _deletable(world, room, posted):
        raise Refused("message can't be deleted")
    world.erase(room, posted)
    return True


def delete_messages(world: World, params: Params) -> bool:
    """Up to a hundred at once; those that can't be found or deleted are skipped."""
    room = world.reachable(params)
    given: Any = params.json("message_ids", "message identifiers")
    if not isinstance(given, list) or not given:
        raise Refused("message identifiers are not specified")
    if len(given) > limits.DELETED_AT_ONCE:
        raise Refused("too many message identifiers specified")
    for message_id in given:
        posted = room.chat.find(int(message_id))
        if posted is not None and _deletable(world, room, posted):
            world.erase(room, posted)
    return True


def _deletable(world: World, room: Room, posted: Posted) -> bool:
    """In groups, foreign messages need the right, and with it they have no time limit."""
    if isinstance(room, Group) and room.bot_member.may("can_delete_messages"):
        return True
    if isinstance(room, Group) and posted.out:
        return False
    return world.clock.now() - posted.sent_at <= limits.DELETE_WINDOW


def _message_id(params: Params) -> int:
    message_id = params.integer("message_id")
    if message_id < 0 or not params.text("message_id").strip():
        raise Refused("message identifier is not specified")
    return message_id


def _editable(world: World, params: Params) -> tuple[Room, Posted]:
    message_id = _message_id(params)
    room = world.reachable(params)
    posted = room.chat.find(message_id)
    if posted is None:
        raise Refused("message to edit not found")
    if posted.out or posted.other_keyboard or "pinned_message" in posted.message:
        raise Refused("message can't be edited")
    return room, posted


def _edit(world: World, room: Room, posted: Posted, content: Json, markup: Json | None) -> Json:
    content = content | ({"reply_markup": markup} if markup else {})
    if not changed(posted, content, world.clock.now()):
        raise Refused(NOT_MODIFIED)
    world.tell(room, "edited", posted)
    return room.chat.shown(posted)


METHODS: Methods = {
    "editmessagetext": edit_message_text,
    "editmessagecaption": edit_message_caption,
    "editmessagemedia": edit_message_media,
    "editmessagereplymarkup": edit_message_reply_markup,
    "deletemessage": delete_message,
    "deletemessages": delete_messages,
}
