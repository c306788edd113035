"""What Telegram accepts as `reply_markup`."""

from __future__ import annotations

from typing import Any

from bot.sandbox import limits
from bot.sandbox.errors import Json, Refused
from bot.sandbox.links import check_link
from bot.sandbox.params import Params, required, typed

_WHERE = "can't parse inline keyboard button: "
_OTHER = ("keyboard", "remove_keyboard", "force_reply")
_STYLES = ("danger", "success", "primary")


def keyboard(params: Params, version: tuple[int, int] = (10, 3)) -> tuple[Json | None, bool]:
    """The inline keyboard as it is kept (None if there is none), and whether another kind came.

    A message sent with one of the other kinds shows no buttons and can't be edited later.
    Servers before 10.3 have no disabled buttons.

    Raises:
        Refused: the markup or one of its buttons is wrong.
    """
    markup = params.json("reply_markup", "reply keyboard markup")
    if markup is None:
        return None, False
    if not isinstance(markup, dict):
        raise Refused("Object expected as reply markup")
    if "inline_keyboard" in markup:
        return _inline(markup["inline_keyboard"], version >= (10, 3)), False
    for name in _OTHER:
        if name in markup:
            typed(markup[name], name, list if name == "keyboard" else bool)
            return None, True
    return None, False


def _inline(rows: Any, disabled: bool) -> Json | None:
    typed(rows, "inline_keyboard", list)
    if not all(isinstance(row, list) for row in rows):
        raise Refused('Field "inline_keyboard" must be an Array of Arrays')
    kept = [_row(row, disabled) for row in rows]
    kept = [row for row in kept if row]
    if sum(map(len, kept)) > limits.BUTTONS or any(len(r) > limits.BUTTONS_PER_ROW for r in kept):
        raise Refused("reply markup is too long")
    return {"inline_keyboard": kept} if kept else None


def _row(row: list[Any], disabled: bool) -> list[Json]:
    buttons = [_button(button, disabled) for button in row]
    return [button for button in buttons if button["text"].strip()][: limits.BUTTONS_KEPT_PER_ROW]


def _button(button: Any, disabled: bool) -> Json:
    if not isinstance(button, dict):
        raise Refused(f"{_WHERE}InlineKeyboardButton must be an Object")
    kept: Json = {"text": required(button, "text", str, _WHERE)}
    if style := button.get("style"):
        if style not in _STYLES:
            raise Refused(f"{_WHERE}Invalid button style specified")
        kept["style"] = style
    return kept | _action(button, disabled)


def _action(button: Json, disabled: bool) -> Json:
    if button.get("url"):
        return {"url": _url(typed(button["url"], "url", str, _WHERE))}
    if button.get("callback_data"):
        return {"callback_data": _data(button["callback_data"])}
    if "copy_text" in button:
        return {"copy_text": _copied(typed(button["copy_text"], "copy_text", dict, _WHERE))}
    if disabled and "disabled" in button:
        return {"disabled": typed(button["disabled"], "disabled", dict, _WHERE)}
    if button.get("pay") or "callback_game" in button:
        raise Refused("BUTTON_TYPE_INVALID")
    raise Refused(f"{_WHERE}Text buttons are unallowed in the inline keyboard")


def _url(url: str) -> str:
    try:
        return check_link(url)
    except Refused as refused:
        raise Refused(f"inline keyboard button URL '{url}' is invalid: {refused.what}") from None


def _data(data: Any) -> str:
    text: str = typed(data, "callback_data", str, _WHERE)
    if len(text.encode()) > limits.CALLBACK_DATA_BYTES:
        raise Refused("BUTTON_DATA_INVALID")
    return text


def _copied(copied: Json) -> Json:
    text = required(copied, "text", str, _WHERE)
    if not 1 <= len(text) <= limits.COPY_TEXT:
        raise Refused("BUTTON_COPY_TEXT_INVALID")
    return {"text": text}
