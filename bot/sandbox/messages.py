"""Methods that send, edit and delete messages, and the one that answers a tap."""

from __future__ import annotations

import re
from typing import Any

from bot.sandbox import limits
from bot.sandbox.chats import Posted
from bot.sandbox.entities import formatted, is_blank
from bot.sandbox.errors import Json, Refused
from bot.sandbox.keyboards import keyboard
from bot.sandbox.params import Attachment, Params, required
from bot.sandbox.people import Answer, Person, Tap
from bot.sandbox.world import Methods, Stored, World

_NOT_MODIFIED = (
    "message is not modified: specified new message content and reply markup are exactly the same"
    " as a current content and reply markup of the message"
)
_TOO_OLD = "query is too old and response timeout expired or query ID is invalid"


def send_message(world: World, params: Params) -> Json:
    """A text."""
    content = _text(params)
    return _post(world, params, content, limits.TEXT, "message is too long")


def send_document(world: World, params: Params) -> Json:
    """A file, uploaded or by the file_id of one sent before."""
    caption, entities = formatted(params, "caption", "caption_entities")
    content: Json = {"caption": caption} if caption else {}
    content |= {"caption_entities": entities} if entities else {}
    file_id = _file_id(world, params)
    document = {"document": _document(file_id, world.files[file_id].file)}
    too_long = "message caption is too long"
    return _post(world, params, document | content, limits.CAPTION, too_long)


def edit_message_text(world: World, params: Params) -> Json:
    """Another text; without `reply_markup` the keyboard goes."""
    content = _text(params)
    markup, _ = keyboard(params)
    person, posted = _editable(world, params)
    _checked(content, limits.TEXT, "message is too long")
    if "text" not in posted.message:
        raise Refused("there is no text in the message to edit")
    return _edit(world, person, posted, content | _markup(markup))


def edit_message_reply_markup(world: World, params: Params) -> Json:
    """Another keyboard, or none."""
    markup, _ = keyboard(params)
    person, posted = _editable(world, params)
    kept = {key: posted.message[key] for key in _CONTENT if key in posted.message}
    return _edit(world, person, posted, kept | _markup(markup))


def delete_message(world: World, params: Params) -> bool:
    """Takes a message away on both sides, the person's own ones too."""
    person = world.reachable(params)
    posted = person.chat.find(_message_id(params))
    if posted is None:
        raise Refused("message to delete not found")
    if world.clock.now() - posted.sent_at > limits.DELETE_WINDOW:
        raise Refused("message can't be deleted")
    posted.gone = True
    person.tell({"type": "deleted", "message_id": posted.id})
    return True


def answer_callback_query(world: World, params: Params) -> bool:
    """Ends the spinner of a tap. Each tap can be answered once, and not for long."""
    tap = world.taps.get(params.text("callback_query_id"))
    text, url = params.text("text"), params.text("url")
    if tap is None or not _answerable(world, tap):
        raise Refused(_TOO_OLD)
    if len(text) > limits.TOAST:
        raise Refused("MESSAGE_TOO_LONG")
    if url and not re.match(rf"(?:https?://)?t\.me/{world.bot.username}\?start=", url):
        raise Refused("URL_INVALID")
    alert = params.flag("show_alert")
    tap.answer = Answer(text or None, alert, url or None, world.clock.now())
    event = {"callback_query_id": tap.id, "text": text or None, "show_alert": alert}
    world.people[tap.person_id].tell({"type": "answered", **event})
    return True


def _answerable(world: World, tap: Tap) -> bool:
    if tap.answer is None and world.clock.now() - tap.at <= limits.ANSWER_WINDOW:
        return True
    tap.refused += 1
    return False


_CONTENT = ("text", "entities", "caption", "caption_entities", "document")


def _text(params: Params) -> Json:
    if not params.text("text"):
        raise Refused("message text is empty")
    text, entities = formatted(params, "text", "entities")
    return {"text": text, "entities": entities} if entities else {"text": text}


def _checked(content: Json, limit: int, too_long: str) -> None:
    text: str = content.get("text") or content.get("caption") or ""
    if "text" in content and is_blank(text):
        raise Refused("text must be non-empty")
    if len(text) > limit:
        raise Refused(too_long)


def _post(world: World, params: Params, content: Json, limit: int, too_long: str) -> Json:
    reply = _reply(params)
    markup, other = keyboard(params)
    person = world.writable(params)
    _checked(content, limit, too_long)
    reply_to = _replied(person, *reply) if reply else None
    message: Json = {"from": world.bot.user} | content | _markup(markup)
    if params.flag("protect_content"):
        message["has_protected_content"] = True
    posted = person.chat.add(message, world.clock.now(), out=False, reply_to=reply_to)
    posted.other_keyboard = other
    person.tell({"type": "message", "message": person.sees(posted)})
    return person.chat.shown(posted)


def _markup(markup: Json | None) -> Json:
    return {"reply_markup": markup} if markup else {}


def _reply(params: Params) -> tuple[int, bool] | None:
    """Which message is replied to, and whether it may be missing."""
    given: Any = params.json("reply_parameters", "reply parameters")
    if given:
        message_id = required(given, "message_id", int, "")
        return message_id, bool(given.get("allow_sending_without_reply"))
    if legacy := params.integer("reply_to_message_id"):
        return legacy, params.flag("allow_sending_without_reply")
    return None


def _replied(person: Person, message_id: int, may_be_missing: bool) -> int | None:
    if person.chat.find(message_id) is not None:
        return message_id
    if may_be_missing:
        return None
    raise Refused("message to be replied not found")


def _message_id(params: Params) -> int:
    message_id = params.integer("message_id")
    if message_id <= 0:
        raise Refused("message identifier is not specified")
    return message_id


def _editable(world: World, params: Params) -> tuple[Person, Posted]:
    message_id = _message_id(params)
    person = world.reachable(params)
    posted = person.chat.find(message_id)
    if posted is None:
        raise Refused("message to edit not found")
    if posted.out or posted.other_keyboard:
        raise Refused("message can't be edited")
    return person, posted


def _edit(world: World, person: Person, posted: Posted, content: Json) -> Json:
    fixed = {k: v for k, v in posted.message.items() if k not in (*_CONTENT, "reply_markup")}
    compared = {k: v for k, v in posted.message.items() if k in (*_CONTENT, "reply_markup")}
    if compared == content:
        raise Refused(_NOT_MODIFIED)
    posted.history.append(posted.message)
    edited = {"edit_date": int(world.clock.now().timestamp())}
    posted.message = fixed | edited | content
    person.tell({"type": "edited", "message": person.sees(posted)})
    return person.chat.shown(posted)


def _file_id(world: World, params: Params) -> str:
    """The id of the file to send; an upload gets a new one."""
    file = params.file("document")
    if file is None:
        given = params.text("document")
        if given in world.files:
            return given
        no_file = "there is no document in the request"
        raise Refused("wrong file identifier/HTTP URL specified" if given else no_file)
    if not file.content:
        raise Refused("file must be non-empty")
    if len(file.content) > limits.UPLOAD_BYTES:
        raise Refused("", 413)
    number = len(world.files)
    file_id = f"sandboxdocument{number}"
    suffix = re.sub(r"[^A-Za-z0-9.]", "", file.name[file.name.rfind(".") :])[:8]
    world.files[file_id] = Stored(f"documents/file_{number}{suffix}", file)
    return file_id


def _document(file_id: str, file: Attachment) -> Json:
    return {
        "file_name": file.name,
        "mime_type": file.mime_type,
        "file_id": file_id,
        "file_unique_id": f"u{file_id}",
        "file_size": len(file.content),
    }


METHODS: Methods = {
    "sendmessage": send_message,
    "senddocument": send_document,
    "editmessagetext": edit_message_text,
    "editmessagereplymarkup": edit_message_reply_markup,
    "deletemessage": delete_message,
    "answercallbackquery": answer_callback_query,
}
