"""What a message holds: a text, or a file with a caption."""

from __future__ import annotations

from dataclasses import dataclass

from bot.sandbox import limits
from bot.sandbox.entities import formatted, is_blank
from bot.sandbox.errors import Json, Refused
from bot.sandbox.files import document, photo
from bot.sandbox.params import Params
from bot.sandbox.world import World

FIELDS = ("text", "entities", "caption", "caption_entities", "document", "photo")


@dataclass(frozen=True, slots=True)
class Content:
    """`what` names the kind in errors about rights."""

    what: str
    fields: Json

    def check(self) -> None:
        """Raises Refused if it is too long, or a text that shows nothing."""
        text: str = self.fields.get("text") or self.fields.get("caption") or ""
        if "text" in self.fields and is_blank(text):
            raise Refused("text must be non-empty")
        if "text" in self.fields and len(text) > limits.TEXT:
            raise Refused("message is too long")
        if "text" not in self.fields and len(text) > limits.CAPTION:
            raise Refused("message caption is too long")


def text_of(world: World, params: Params) -> Content:
    """The text of `sendMessage` and its kin."""
    if not params.text("text"):
        raise Refused("message text is empty")
    text, entities = formatted(params, "text", "entities")
    fields: Json = {"text": text, "entities": entities} if entities else {"text": text}
    return Content("text messages", fields)


def document_of(world: World, params: Params) -> Content:
    """The file of `sendDocument`, with its caption."""
    fields = caption_of(params)
    return Content("documents", {"document": document(world, params)} | fields)


def photo_of(world: World, params: Params) -> Content:
    """The picture of `sendPhoto`, with its caption."""
    fields = caption_of(params)
    return Content("photos", {"photo": photo(world, params)} | fields)


def caption_of(params: Params) -> Json:
    """Caption and entities, as far as there are any."""
    caption, entities = formatted(params, "caption", "caption_entities")
    fields: Json = {"caption": caption} if caption else {}
    return fields | ({"caption_entities": entities} if entities else {})
