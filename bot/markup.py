"""The few kinds of formatting a quiz text may use, and Telegram's HTML for them.

`code` in backticks, fenced code, **bold** and [text](https://link). Everything else is literal: a
lone star, backtick or angle bracket stays as typed. All escaping happens here; what has the type
`Html` is well-formed and safe to send.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import NewType

Html = NewType("Html", str)

_REMEMBERED = 4096  # so many texts are not looked at again each time they are shown


class _Kind(Enum):
    TEXT = "text"
    CODE = "code"
    FENCE = "fence"
    LINK = "link"
    BOLD = "bold"


@dataclass(frozen=True, slots=True)
class _Span:
    """A stretch of text. `more` is a link's address or a fence's language; `parts` a bold's."""

    kind: _Kind
    text: str = ""
    more: str = ""
    parts: tuple[_Span, ...] = ()


_INLINE = re.compile(
    r"(?<!`)`(?!`)(?P<code>[^`\n]*[^`\s][^`\n]*)`(?!`)"
    r"|\[(?P<label>[^\[\]\n]*[^\[\]\s][^\[\]\n]*)\]"
    r"\((?P<href>https?://(?:[^\s()]|\([^\s()]*\))+)\)"
    r"|(?P<stars>(?<!\*)\*\*(?!\*))"
    r"|(?P<newline>\n)"
)
_OPENING = re.compile(r"```(?P<language>[\w+#.-]*)[ \t]*")
_CLOSING = re.compile(r"```[ \t]*")
_TAG = re.compile(r"<[^<>]*>")
_UNBOLD = re.compile(r"(<pre>.*?</pre>|<code>.*?</code>)", re.DOTALL)
_BOLD_TAG = re.compile(r"</?b>")


def escape(text: str) -> Html:
    """The text as it is, for a place where Telegram reads HTML."""
    return Html(text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"))


def bold(html: Html) -> Html:
    """All of it in bold but the code: Telegram has no bold code."""
    pieces = _UNBOLD.split(_BOLD_TAG.sub("", html))
    return Html(
        "".join(
            piece if index % 2 or not piece else f"<b>{piece}</b>"
            for index, piece in enumerate(pieces)
        )
    )


def join(*parts: Html, sep: str = "\n") -> Html:
    """The parts that are not empty, one after the other; `sep` is plain text."""
    return Html(escape(sep).join(part for part in parts if part))


@lru_cache(_REMEMBERED)
def render(text: str) -> Html:
    """A quiz text as Telegram HTML."""
    return Html("".join(_html(span) for span in _spans(text)))


@lru_cache(_REMEMBERED)
def plain(text: str) -> str:
    """A quiz text without its markup, for buttons and toasts."""
    return "".join(_plain(span) for span in _spans(text))


@lru_cache(_REMEMBERED)
def has_markup(text: str) -> bool:
    """Whether anything in the text is more than literal."""
    return any(span.kind is not _Kind.TEXT for span in _spans(text))


def length(html: Html) -> int:
    """UTF-16 units after the markup is parsed: the strictest way Telegram's limits are counted."""
    text = _TAG.sub("", html)
    for entity, character in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&amp;", "&")):
        text = text.replace(entity, character)
    return len(text) + sum(character > "\uffff" for character in text)


@lru_cache(_REMEMBERED)
def columns(text: str) -> int:
    """Display width: wide East Asian characters and emoji 2, marks and invisible characters 0."""
    return sum(map(_width, text))


def _width(character: str) -> int:
    if unicodedata.category(character) in {"Mn", "Mc", "Me", "Cf", "Cc"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _html(span: _Span) -> str:
    match span.kind:
        case _Kind.CODE:
            return f"<code>{escape(span.text)}</code>"
        case _Kind.FENCE if span.more:
            language = escape(span.more)
            return f'<pre><code class="language-{language}">{escape(span.text)}</code></pre>'
        case _Kind.FENCE:
            return f"<pre>{escape(span.text)}</pre>"
        case _Kind.LINK:
            href = escape(span.more).replace('"', "&quot;")
            return f'<a href="{href}">{escape(span.text)}</a>'
        case _Kind.BOLD:
            return bold(Html("".join(_html(part) for part in span.parts)))
        case _Kind.TEXT:
            return escape(span.text)


def _plain(span: _Span) -> str:
    return "".join(_plain(part) for part in span.parts) if span.parts else span.text


def _spans(text: str) -> Iterable[_Span]:
    """The text cut into spans."""
    if "`" in text or "**" in text or "](" in text:
        return _fences(text)
    return (_Span(_Kind.TEXT, text),) if text else ()


def _fences(text: str) -> Iterator[_Span]:
    """The text cut into fences and what lies between them."""
    lines = text.split("\n")
    closing = _next_closing(lines)
    start = at = 0
    while at < len(lines):
        opening = _OPENING.fullmatch(lines[at])
        end = closing[at]
        if opening and end is not None and any(map(str.strip, lines[at + 1 : end])):
            before = "".join(f"{line}\n" for line in lines[start:at])
            yield from _inline(before)
            code = "\n".join(lines[at + 1 : end])
            yield _Span(_Kind.FENCE, code, opening["language"])
            if end + 1 < len(lines):
                yield _Span(_Kind.TEXT, "\n")
            start = at = end + 1
        else:
            at += 1
    yield from _inline("\n".join(lines[start:]))


def _next_closing(lines: list[str]) -> list[int | None]:
    """For each line, which line below it would close a fence; one pass, however many there are."""
    found: list[int | None] = [None] * len(lines)
    nearest: int | None = None
    for index in range(len(lines) - 1, -1, -1):
        found[index] = nearest
        if _CLOSING.fullmatch(lines[index]):
            nearest = index
    return found


def _inline(text: str) -> Iterator[_Span]:
    """Code, links and bold in a text without fences. Bold never runs over the end of a line."""
    line: list[_Span] = []
    open_at: int | None = None
    for span, opens, closes in _pieces(text):
        if span.text == "\n":
            open_at = None
        if open_at is not None and closes and open_at + 1 < len(line):
            line[open_at:] = [_Span(_Kind.BOLD, parts=tuple(line[open_at + 1 :]))]
            open_at = None
            continue
        if opens and open_at is None:
            open_at = len(line)
        line.append(span)
        if open_at is None:
            yield from line
            line.clear()
    yield from line


def _pieces(text: str) -> Iterator[tuple[_Span, bool, bool]]:
    """Spans without bold, and of each whether it is a ** that may open or close."""
    position = 0
    for found in _INLINE.finditer(text):
        if found.start() > position:
            yield _Span(_Kind.TEXT, text[position : found.start()]), False, False
        position = found.end()
        if found["code"]:
            yield _Span(_Kind.CODE, found["code"]), False, False
        elif found["label"]:
            yield _Span(_Kind.LINK, _unmarked(found["label"]), found["href"]), False, False
        elif found["stars"]:
            yield _Span(_Kind.TEXT, "**"), *_flanks(text, found)
        else:
            yield _Span(_Kind.TEXT, "\n"), False, False
    if position < len(text):
        yield _Span(_Kind.TEXT, text[position:]), False, False


def _unmarked(label: str) -> str:
    """A link's text: what is code or bold in it is a link, and nothing else."""
    return "".join(map(_plain, _inline(label)))


def _flanks(text: str, stars: re.Match[str]) -> tuple[bool, bool]:
    """Whether these ** may open, and close. Between two ASCII words they are a power: x**2."""
    before = text[stars.start() - 1 : stars.start()]
    after = text[stars.end() : stars.end() + 1]
    if before.isascii() and before.isalnum() and after.isascii() and after.isalnum():
        return False, False
    return bool(after.strip()), bool(before.strip())
