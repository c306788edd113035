"""A text as the bot sent it -> text and entities as Telegram keeps them."""

from __future__ import annotations

import re
from itertools import pairwise

from bot.sandbox import limits
from bot.sandbox.errors import Json, Refused
from bot.sandbox.html import parse_html, utf16
from bot.sandbox.links import check_link
from bot.sandbox.params import Params, required

_COMMAND = re.compile(r"(?<![\w/<>])/[A-Za-z0-9_]{1,64}(?:@[A-Za-z0-9_]{3,32})?(?![\w/<>])")
# Telegram removes these, or makes them spaces: control characters, the bidi embeddings and
# overrides (isolates stay), three combining lines.
_ODD = re.compile("[\x00-\x09\x0b-\x1f\u2028-\u202e\u0333\u033f\u030a]")
_REMOVED = re.compile("[\r\u2028-\u202e\u0333\u033f\u030a]")
_INVISIBLE = re.compile("[\\s\u200b-\u200f\u202e\ufeff\u2800]*")
_CODE = frozenset({"code", "pre"})
_STYLES = frozenset({"bold", "italic", "underline", "strikethrough", "spoiler"})
# Telegram finds these itself; what the bot says about them does not count.
_FOUND = frozenset(
    {"mention", "hashtag", "cashtag", "bot_command", "url", "email", "phone_number"}
)
_BLOCKS = frozenset({"blockquote", "expandable_blockquote"})
_WITH_VALUE = frozenset({"text_link", "text_mention", "custom_emoji", "date_time"})
_TYPES = _CODE | _STYLES | _FOUND | _BLOCKS | _WITH_VALUE


def formatted(params: Params, name: str, entities: str) -> tuple[str, list[Json]]:
    """The text of parameter `name`, parsed by `parse_mode` or with the explicit entities.

    Raises:
        Refused: markup, an entity or the raw length is wrong.
    """
    source = params.text(name)
    if len(source.encode()) > limits.RAW_TEXT_BYTES:
        raise Refused("Text is too long")
    mode = params.text("parse_mode").lower()
    if mode == "html":
        text, found = parse_html(source)
    elif mode in ("", "none"):
        text, found = source, _explicit(source, params.json(entities, "entities"))
    else:
        raise Refused("unsupported parse_mode")
    return tidy(text, found)


def tidy(text: str, entities: list[Json]) -> tuple[str, list[Json]]:
    """Without odd characters and outer white space; entities moved, clipped, split and sorted."""
    text, entities = _trimmed(*_cleaned(text, entities))
    kept = _around_code([e for e in entities if e["type"] not in _FOUND])
    kept += _commands_outside(text, kept)
    return text, sorted(kept, key=lambda e: (e["offset"], -e["length"], e["type"]))


def commands_in(text: str) -> list[Json]:
    """`bot_command` entities: clients and PTB's CommandHandler live on them."""
    return [
        {
            "type": "bot_command",
            "offset": utf16(text[: found.start()]),
            "length": utf16(found.group()),
        }
        for found in _COMMAND.finditer(text)
    ]


def is_blank(text: str) -> bool:
    """Nothing in it can be seen."""
    return _INVISIBLE.fullmatch(text) is not None


def _cleaned(text: str, entities: list[Json]) -> tuple[str, list[Json]]:
    if not _ODD.search(text):
        return text, entities
    moved, kept = [0], []
    for char in text:
        new = "" if _REMOVED.match(char) else " " if _ODD.match(char) else char
        kept.append(new)
        moved += [moved[-1] + utf16(new)] * utf16(char)
    return "".join(kept), [_moved(e, moved) for e in entities]


def _moved(entity: Json, moved: list[int]) -> Json:
    start, end = entity["offset"], entity["offset"] + entity["length"]
    return entity | {"offset": moved[start], "length": moved[end] - moved[start]}


def _trimmed(text: str, entities: list[Json]) -> tuple[str, list[Json]]:
    shown = text.strip(" \n")
    cut = utf16(text[: len(text) - len(text.lstrip(" \n"))]) if shown else 0
    clipped = [_clipped(e, cut, cut + utf16(shown)) for e in entities]
    return shown, [e for e in clipped if e["length"] > 0]


def _clipped(entity: Json, start: int, end: int) -> Json:
    first = max(entity["offset"], start)
    last = min(entity["offset"] + entity["length"], end)
    return entity | {"offset": first - start, "length": last - first}


def _around_code(entities: list[Json]) -> list[Json]:
    """Styles end before code and go on behind it: code has no other formatting."""
    spans = sorted(
        (e["offset"], e["offset"] + e["length"]) for e in entities if e["type"] in _CODE
    )
    result: list[Json] = []
    for entity in entities:
        if entity["type"] in _STYLES and spans:
            result += _pieces(entity, spans)
        else:
            result.append(entity)
    return result


def _pieces(entity: Json, spans: list[tuple[int, int]]) -> list[Json]:
    start, end = entity["offset"], entity["offset"] + entity["length"]
    cuts = [(start, start), *(s for s in spans if s[0] < end and s[1] > start), (end, end)]
    gaps = [(max(a[1], start), min(b[0], end)) for a, b in pairwise(cuts)]
    return [entity | {"offset": a, "length": b - a} for a, b in gaps if a < b]


def _commands_outside(text: str, entities: list[Json]) -> list[Json]:
    taken = [
        (e["offset"], e["offset"] + e["length"])
        for e in entities
        if e["type"] in _CODE or e["type"] == "text_link"
    ]
    return [
        found
        for found in commands_in(text)
        if not any(
            start < found["offset"] + found["length"] and found["offset"] < end
            for start, end in taken
        )
    ]


def _explicit(text: str, entities: object) -> list[Json]:
    if not isinstance(entities, list):
        return []
    return [_checked(entity, utf16(text)) for entity in entities]


def _checked(entity: Json, length: int) -> Json:
    where = "can't parse MessageEntity: "
    if required(entity, "type", str, where) not in _TYPES:
        raise Refused(f"{where}Unsupported type specified")
    start = required(entity, "offset", int, where)
    end = start + required(entity, "length", int, where)
    if start < 0:
        raise Refused(f"receive an entity with incorrect offset {start}")
    if start > length:
        raise Refused(f"entity begins after the end of the text at UTF-16 offset {start}")
    if end > length:
        raise Refused(
            f"entity beginning at UTF-16 offset {start} ends after the end of the text"
            f" at UTF-16 offset {end}"
        )
    return entity | _linked(entity, where)


def _linked(entity: Json, where: str) -> Json:
    if entity["type"] != "text_link":
        return {}
    url = required(entity, "url", str, where)
    try:
        return {"url": check_link(url)}
    except Refused as refused:
        raise Refused(f"entity URL '{url}' is invalid: {refused.what}") from None
