"""What the bot says about itself, per language, and its command menus, per scope and language."""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import dataclass, field

from bot.sandbox import limits
from bot.sandbox.errors import Json, Refused
from bot.sandbox.params import Params, required

_SCOPES = frozenset({"default", "all_private_chats", "all_group_chats", "all_chat_administrators"})
_COMMAND = re.compile(r"[a-z0-9_]+")
_OF_A_CHAT = frozenset({"chat", "chat_administrators", "chat_member"})
# Its type, and for the narrow ones the chat and the member.
Scope = tuple[str, int, int]
DEFAULT: Scope = ("default", 0, 0)


@dataclass(slots=True)
class Profile:
    """Keys are a language of two letters, or the empty string for everybody else."""

    name: dict[str, str] = field(default_factory=dict)
    description: dict[str, str] = field(default_factory=dict)
    short_description: dict[str, str] = field(default_factory=dict)
    commands: dict[tuple[Scope, str], list[Json]] = field(default_factory=dict)

    def menu(self, person_id: int, language_code: str | None) -> list[Json]:
        """The commands this person is shown in private: narrowest scope first."""
        return self._narrowest(
            [("chat", person_id, 0), ("all_private_chats", 0, 0), DEFAULT], language_code
        )

    def group_menu(
        self, group_id: int, person_id: int, language_code: str | None, *, leads: bool
    ) -> list[Json]:
        """The same in a group; administrators (`leads`) have scopes of their own."""
        scopes: list[Scope | None] = [
            ("chat_member", group_id, person_id),
            ("chat_administrators", group_id, 0) if leads else None,
            ("chat", group_id, 0),
            ("all_chat_administrators", 0, 0) if leads else None,
            ("all_group_chats", 0, 0),
            DEFAULT,
        ]
        return self._narrowest([scope for scope in scopes if scope], language_code)

    def described(self, language_code: str | None) -> str:
        """What the bot says of itself in an empty chat, in the person's language if it can."""
        texts = self.description
        return texts.get(folded(language_code), texts.get("", ""))

    def _narrowest(self, scopes: list[Scope], language_code: str | None) -> list[Json]:
        """The first scope that has commands; in it the person's language before none."""
        language = folded(language_code)
        for scope in scopes:
            for key in (language, "") if language else ("",):
                if found := self.commands.get((scope, key)):
                    return found
        return []


def folded(language_code: str | None) -> str:
    """The two letters Telegram looks things up by: `pt-br` -> `pt`; empty if there are none."""
    primary = (language_code or "").lower().partition("-")[0]
    return primary if re.fullmatch("[a-z]{2}", primary) else ""


def language(params: Params) -> str:
    """The `language_code` of a profile method.

    Raises:
        Refused: anything but two lower-case letters or nothing.
    """
    code = params.text("language_code")
    if code and not re.fullmatch("[a-z]{2}", code):
        raise Refused("Invalid language code specified")
    return code


def scope(params: Params, met: Container[int], groups: Container[int]) -> Scope:
    """The scope of a command menu; `met` and `groups` are the chats the bot can reach."""
    given = params.json("scope", "BotCommandScope")
    if not given:
        return DEFAULT
    kind = required(given, "type", str, "can't parse BotCommandScope: ")
    if kind in _SCOPES:
        return (kind, 0, 0)
    if kind not in _OF_A_CHAT:
        raise Refused("can't parse BotCommandScope: Unsupported type specified")
    chat_id = Params(given).integer("chat_id")
    if chat_id in met and kind != "chat":
        raise Refused("can't use specified scope in private chats")
    if chat_id not in met and chat_id not in groups:
        raise Refused("chat not found")
    return (kind, chat_id, Params(given).integer("user_id") if kind == "chat_member" else 0)


def commands(params: Params, *, ephemeral: bool) -> list[Json]:
    """The commands of `setMyCommands`; older servers know nothing of `is_ephemeral`.

    Raises:
        Refused: too many, or one is empty, too long or has other characters.
    """
    given = params.json("commands", "commands")
    if not isinstance(given, list):
        raise Refused("can't parse commands: expected an Array of BotCommand")
    if len(given) > limits.COMMANDS:
        raise Refused("BOT_COMMANDS_TOO_MUCH")
    return [_command(command, ephemeral=ephemeral) for command in given]


def _command(given: Json, *, ephemeral: bool) -> Json:
    where = "can't parse BotCommand: "
    command = required(given, "command", str, where).strip().removeprefix("/").lower()
    description = required(given, "description", str, where).strip()
    _measured(command, "Command", limits.COMMAND)
    _measured(description, "Command description", limits.COMMAND_DESCRIPTION)
    if not _COMMAND.fullmatch(command):
        raise Refused("BOT_COMMAND_INVALID")
    kept: Json = {"command": command, "description": description}
    return kept | ({"is_ephemeral": True} if ephemeral and given.get("is_ephemeral") else {})


def _measured(text: str, called: str, limit: int) -> None:
    if not text:
        raise Refused(f"{called} must be non-empty")
    if len(text) > limit:
        raise Refused(f"{called} length must not exceed {limit}")
