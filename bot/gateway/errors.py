"""What Telegram's errors mean. The only place that reads their texts.

PTB changes the texts (it cuts "Bad Request: " off and lower-cases the rest, so BUTTON_DATA_INVALID
arrives as "Button_data_invalid"), and its classes mislead: BadRequest is a NetworkError.
"""

from __future__ import annotations

import os
from datetime import timedelta
from enum import Enum, auto

from telegram.error import (
    BadRequest,
    ChatMigrated,
    Conflict,
    EndPointNotFound,
    Forbidden,
    InvalidToken,
    NetworkError,
    RetryAfter,
)

from bot.gateway.transport import NotSent

# PTB's own way to say: times as timedelta, as in its next version. Otherwise each RetryAfter comes
# with a deprecation warning.
os.environ["PTB_TIMEDELTA"] = "true"


class Trouble(Enum):
    """What to do about an error."""

    BENIGN = auto()
    """As good as success: what was wanted is already so, or no longer matters."""
    TARGET_GONE = auto()
    """The message to edit or to reply to is gone or can't be changed: make `Call.instead`."""
    GONE = auto()
    """Nobody is there any more: blocked, deactivated, kicked, chat deleted."""
    MIGRATED = auto()
    """The group became a supergroup and has another id."""
    NO_RIGHTS = auto()
    """The bot is there but may not do this; an administrator can mend it."""
    FLOOD = auto()
    """Too fast for this chat; certainly not done."""
    NOT_SENT = auto()
    """Temporary, and certainly not done."""
    MAYBE_SENT = auto()
    """Temporary, and nobody knows whether it was done."""
    TOKEN = auto()
    """The token is refused."""
    CONFLICT = auto()
    """Somebody else receives this bot's updates."""
    BUG = auto()
    """The request was wrong."""


_BENIGN = (
    "message is not modified",
    "query is too old",
    "query id is invalid",
    "message to delete not found",
    "message can't be deleted",
)
_TARGET_GONE = (
    "message to edit not found",
    "message can't be edited",
    "message_id_invalid",
    "message to be replied not found",
    "message to reply not found",
)
_GONE = (
    "chat not found",
    "user not found",
    "bot was blocked by the user",
    "user is deactivated",
    "bot was kicked from",
    "bot is not a member of",
    "chat was deleted",
    "can't initiate conversation",
    "can't send messages to bots",
    "can't send messages to the bot",
    "peer_id_invalid",
    "input_user_deactivated",
)
_MIGRATED = ("group chat was upgraded",)
_NO_RIGHTS = (
    "not enough rights",
    "have no rights",
    "need administrator rights",
    "chat_write_forbidden",
    "chat_admin_required",
    "chat_send_",
    "chat_restricted",
    "topic_closed",
    "message thread not found",
)
_TOO_LARGE = ("request entity too large",)
_UNKNOWN_METHOD = ("method not found",)

_BRIEF = 200


def classify(error: BaseException) -> Trouble:
    """What to do about it. What is not an error of Telegram's or the network's is a BUG."""
    match error:
        case NotSent():
            return Trouble.NOT_SENT
        case RetryAfter():
            return Trouble.FLOOD
        case ChatMigrated():
            return Trouble.MIGRATED
        case Conflict():
            return Trouble.CONFLICT
        case EndPointNotFound() | InvalidToken() if isinstance(error.__cause__, InvalidToken):
            # PTB puts a text of its own over Telegram's; the cause has that.
            return classify(error.__cause__)
        case InvalidToken():
            return Trouble.BUG if _says(error, _UNKNOWN_METHOD) else Trouble.TOKEN
        case Forbidden():
            # An unknown refusal must not make anybody count as gone.
            return Trouble.GONE if _says(error, _GONE) else Trouble.NO_RIGHTS
        case BadRequest():
            return _bad_request(error)
        case NetworkError():
            return Trouble.BUG if _says(error, _TOO_LARGE) else Trouble.MAYBE_SENT
        case _:
            return Trouble.BUG


def retry_after_s(error: BaseException) -> float:
    """For FLOOD: how long to keep still."""
    wait = error.retry_after if isinstance(error, RetryAfter) else 1
    return wait.total_seconds() if isinstance(wait, timedelta) else float(wait)


def new_chat_id(error: BaseException) -> int | None:
    """For MIGRATED: the group's new id, if Telegram told it."""
    return error.new_chat_id if isinstance(error, ChatMigrated) else None


def brief(error: BaseException) -> str:
    """What it says, for a log line: PTB quotes whole pages of proxies."""
    said = str(error) or type(error).__name__
    return said if len(said) <= _BRIEF else f"{said[:_BRIEF]}…"


def _bad_request(error: BadRequest) -> Trouble:
    for texts, trouble in (
        (_BENIGN, Trouble.BENIGN),
        (_TARGET_GONE, Trouble.TARGET_GONE),
        (_GONE, Trouble.GONE),
        (_MIGRATED, Trouble.MIGRATED),
        (_NO_RIGHTS, Trouble.NO_RIGHTS),
    ):
        if _says(error, texts):
            return trouble
    return Trouble.BUG


def _says(error: BaseException, texts: tuple[str, ...]) -> bool:
    said = str(error).lower()
    return any(text in said for text in texts)
