"""A screen: the text of one message and the buttons under it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import quote

from bot import buttons
from bot.markup import Html, escape

T = TypeVar("T")

LONGEST = 4096  # UTF-16 units: https://core.telegram.org/bots/api#sendmessage, text


@dataclass(frozen=True, slots=True)
class Button:
    """A button with a meaning or a link. Styles: success, danger, primary (Bot API 9.4)."""

    text: str
    does: buttons.Meaning | None = None
    url: str | None = None
    style: str | None = None

    def json(self) -> dict[str, str]:
        """As an InlineKeyboardButton: https://core.telegram.org/bots/api#inlinekeyboardbutton."""
        fields = {
            "text": self.text,
            "callback_data": buttons.pack(self.does) if self.does is not None else None,
            "url": self.url,
            "style": self.style,
        }
        return {name: value for name, value in fields.items() if value is not None}


Row = tuple[Button, ...]


@dataclass(frozen=True, slots=True)
class Screen:
    """The text of one message and its rows of buttons."""

    html: Html
    rows: tuple[Row, ...] = ()

    def params(self) -> dict[str, Any]:
        """The parameters that sendMessage and editMessageText share."""
        params: dict[str, Any] = {
            "text": self.html,
            "parse_mode": "HTML",
            "link_preview_options": {"is_disabled": True},
        }
        if self.rows:
            keyboard = [[button.json() for button in row] for row in self.rows]
            params["reply_markup"] = {"inline_keyboard": keyboard}
        return params


def column(choices: Iterable[Button | None]) -> tuple[Row, ...]:
    """One button per row, leaving out those that are None."""
    return tuple((button,) for button in choices if button is not None)


def grid(items: Sequence[T], width: int) -> tuple[tuple[T, ...], ...]:
    """The items in rows of at most `width`."""
    return tuple(tuple(items[at : at + width]) for at in range(0, len(items), width))


def lines(*parts: Html | None) -> Html:
    """The lines that are there, one below the other; an empty one makes a gap."""
    return Html("\n".join(part for part in parts if part is not None))


def link(url: str, label: str) -> Html:
    """A link with a label."""
    return Html(f'<a href="{escape(url).replace(chr(34), "%22")}">{escape(label)}</a>')


def share(url: str, text: str) -> str:
    """The address that opens Telegram's list of chats to share a link with.

    https://core.telegram.org/api/links#share-links
    """
    return f"https://t.me/share/url?url={quote(url, safe='')}&text={quote(text, safe='')}"
