"""HTML parse mode: markup to text and entities, refused in the words of Telegram's parser."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bot.sandbox.errors import Json, Refused
from bot.sandbox.links import checked_link

_STYLES = {
    "b": "bold",
    "strong": "bold",
    "i": "italic",
    "em": "italic",
    "s": "strikethrough",
    "strike": "strikethrough",
    "del": "strikethrough",
    "u": "underline",
    "ins": "underline",
    "tg-spoiler": "spoiler",
    "span": "spoiler",
}
_TAGS = {*_STYLES, "a", "code", "pre", "blockquote", "tg-emoji", "tg-time"}
_REFERENCES = {"lt": "<", "gt": ">", "amp": "&", "quot": '"'}
# A number of seven digits at most; the semicolon may be missing.
_REFERENCE = re.compile(r"&(?:#x([0-9a-fA-F]{1,6})|#([0-9]{1,7})|([a-zA-Z]+));?")
_END = "\0"
_SPACE = frozenset(" \t\r\n\v\0")


@dataclass(frozen=True, slots=True)
class _Open:
    tag: str
    attributes: dict[str, str]
    offset: int
    at: int


def utf16(text: str) -> int:
    """Length in UTF-16 code units, the measure of entity offsets."""
    return len(text) + sum(char > "\uffff" for char in text)


def parse_html(source: str) -> tuple[str, list[Json]]:
    """Text and entities, unsorted and untrimmed.

    Raises:
        Refused: "can't parse entities: …".
    """
    parser = _Parser(source.replace(_END, ""))
    parser.run()
    for entity in parser.entities:
        entity.pop("_language", None)
    return "".join(parser.out), parser.entities


class _Parser:
    def __init__(self, source: str) -> None:
        self.source = source + _END
        self.i = 0
        self.out: list[str] = []
        self.offset = 0
        self.open: list[_Open] = []
        self.entities: list[Json] = []

    def run(self) -> None:
        end = len(self.source) - 1
        while self.i < end:
            if self.source[self.i] == "<":
                self._tag()
            else:
                char = self._char()
                self.out.append(char)
                self.offset += 1 + (char > "\uffff")
        if self.open:
            tag = self.open[-1].tag
            self._refuse(f'Can\'t find end tag corresponding to start tag "{tag}"')

    def _refuse(self, what: str) -> None:
        raise Refused(f"can't parse entities: {what}")

    def _byte(self, index: int) -> int:
        return len(self.source[:index].encode())

    def _char(self) -> str:
        """The next character, with `&…;` resolved; an unknown reference stays as it is."""
        if self.source[self.i] == "&" and (found := _REFERENCE.match(self.source, self.i)):
            char = _resolved(found)
            if char:
                self.i = found.end()
                return char
        self.i += 1
        return self.source[self.i - 1]

    def _skip_space(self) -> None:
        while self.source[self.i] in _SPACE and self.source[self.i] != _END:
            self.i += 1

    def _word(self, stops: str) -> str:
        start = self.i
        while self.source[self.i] not in _SPACE and self.source[self.i] not in stops:
            self.i += 1
        return self.source[start : self.i].lower()

    def _tag(self) -> None:
        begin = self.i
        self.i += 1
        if self.source[self.i] == "/":
            self.i += 1
            self._end_tag(begin)
        else:
            self._start_tag(begin)
        self.i += 1

    def _start_tag(self, begin: int) -> None:
        tag = self._word(">")
        if self.source[self.i] == _END:
            self._refuse(f"Unclosed start tag at byte offset {self._byte(begin)}")
        if tag not in _TAGS:
            self._refuse(f'Unsupported start tag "{tag}" at byte offset {self._byte(begin)}')
        attributes = self._attributes(tag, begin)
        if tag == "span" and attributes.get("class") != "tg-spoiler":
            where = self._byte(begin)
            self._refuse(f'Tag "span" must have class "tg-spoiler" at byte offset {where}')
        self.open.append(_Open(tag, attributes, self.offset, len(self.out)))

    def _attributes(self, tag: str, begin: int) -> dict[str, str]:
        found: dict[str, str] = {}
        self._skip_space()
        while self.source[self.i] != ">":
            name = self._word("=>")
            if not name:
                where = self._byte(begin)
                if self.source[self.i] == _END:
                    self._refuse(f"Unclosed start tag at byte offset {where}")
                self._refuse(f'Empty attribute name in the tag "{tag}" at byte offset {where}')
            found[name] = self._value(tag, begin)
            self._skip_space()
        return found

    def _value(self, tag: str, begin: int) -> str:
        self._skip_space()
        if self.source[self.i] != "=":
            return ""
        self.i += 1
        self._skip_space()
        if self.source[self.i] == _END:
            self._refuse(f'Unclosed start tag "{tag}" at byte offset {self._byte(begin)}')
        quote = self.source[self.i]
        value = self._quoted(quote) if quote in "'\"" else self._name_token()
        if self.source[self.i] == _END:
            self._refuse(f"Unclosed start tag at byte offset {self._byte(begin)}")
        return value

    def _quoted(self, quote: str) -> str:
        self.i += 1
        value = []
        while self.source[self.i] not in (quote, _END):
            value.append(self._char())
        if self.source[self.i] == quote:
            self.i += 1
        return "".join(value)

    def _name_token(self) -> str:
        start = self.i
        while (c := self.source[self.i]) in ".-" or (c.isascii() and c.isalnum()):
            self.i += 1
        if self.source[self.i] not in _SPACE and self.source[self.i] != ">":
            self._refuse(f"Unexpected end of name token at byte offset {self._byte(start)}")
        return self.source[start : self.i].lower()

    def _end_tag(self, begin: int) -> None:
        where = self._byte(begin)
        if not self.open:
            self._refuse(f"Unexpected end tag at byte offset {where}")
        found = self._word(">")
        self._skip_space()
        if self.source[self.i] != ">":
            self._refuse(f"Unclosed end tag at byte offset {where}")
        opened = self.open.pop()
        if found and found != opened.tag:
            expected = f'expected "</{opened.tag}>", found "</{found}>"'
            self._refuse(f"Unmatched end tag at byte offset {where}, {expected}")
        if self.offset > opened.offset:
            self._entity(opened)

    def _entity(self, opened: _Open) -> None:
        place: Json = {"offset": opened.offset, "length": self.offset - opened.offset}
        if opened.tag == "pre" or opened.tag == "code":
            self._code(opened, place)
        elif kind := self._kind(opened):
            self.entities.append(kind | place)

    def _kind(self, opened: _Open) -> Json | None:
        if style := _STYLES.get(opened.tag):
            return {"type": style}
        if opened.tag == "blockquote":
            expandable = "expandable" in opened.attributes
            return {"type": "expandable_blockquote" if expandable else "blockquote"}
        if opened.tag == "tg-emoji":
            return self._emoji(opened.attributes.get("emoji-id", ""))
        if opened.tag == "tg-time":
            return self._time(opened.attributes)
        url = opened.attributes.get("href") or "".join(self.out[opened.at :])
        link = checked_link(url)
        return {"type": "text_link", "url": link} if link else None

    def _emoji(self, number: str) -> Json:
        if not number.isdecimal() or not 0 < int(number) < 2**63:
            self._refuse("Invalid custom emoji identifier specified")
        return {"type": "custom_emoji", "custom_emoji_id": number}

    def _time(self, attributes: dict[str, str]) -> Json:
        unix = attributes.get("unix", "")
        if not unix.isdecimal():
            self._refuse("Invalid Unix time specified")
        entity: Json = {"type": "date_time", "unix_time": int(unix)}
        shape = attributes.get("format")
        return entity | {"date_time_format": shape} if shape else entity

    def _code(self, opened: _Open, place: Json) -> None:
        """`<pre><code class="language-x">` is one entity, in either nesting."""
        language = _language(opened)
        last = self.entities[-1] if self.entities else {}
        same = last.get("offset") == place["offset"] and last.get("length") == place["length"]
        if opened.tag == "pre":
            if same and last["type"] == "code" and "_language" in last:
                last["type"], last["language"] = "pre", last.pop("_language")
            else:
                self.entities.append({"type": "pre", **place})
        elif same and last["type"] == "pre" and language:
            last["language"] = language
        else:
            self.entities.append({"type": "code", **place})
            if language:
                self.entities[-1]["_language"] = language


def _language(opened: _Open) -> str:
    css = opened.attributes.get("class", "")
    return css.removeprefix("language-") if css.startswith("language-") else ""


def _resolved(found: re.Match[str]) -> str:
    hexadecimal, decimal, name = found.groups()
    if name:
        return _REFERENCES.get(name, "")
    code = int(hexadecimal, 16) if hexadecimal else int(decimal)
    return chr(code) if 0 < code < 0x10FFFF and not 0xD800 <= code <= 0xDFFF else ""
