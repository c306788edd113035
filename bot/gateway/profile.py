"""How the bot presents itself in Telegram: the command menu and its descriptions, per language."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from telegram.error import TelegramError

from bot.gateway.api import Api
from bot.gateway.calls import Call

log = logging.getLogger(__name__)

# https://core.telegram.org/bots/api#botcommandscopeallprivatechats
_SCOPE = {"type": "all_private_chats"}


@dataclass(frozen=True, slots=True)
class Profile:
    """What is set for one language: two lower-case letters, or empty for all the others.

    Telegram takes no other language codes: https://core.telegram.org/bots/api#setmycommands
    """

    language: str
    commands: tuple[tuple[str, str], ...]
    description: str
    short_description: str


async def publish(api: Api, profiles: Iterable[Profile]) -> None:
    """Sets what differs from what Telegram has: setting is limited hard, asking is not.

    Trouble is logged and left to the next start; the bot works without.
    """
    try:
        for profile in profiles:
            await _publish(api, profile)
    except TelegramError as error:
        log.warning("the command menu or a description could not be set: %s", error)


async def _publish(api: Api, profile: Profile) -> None:
    language = {"language_code": profile.language} if profile.language else {}
    commands = [{"command": name, "description": text} for name, text in profile.commands]
    scoped = {**language, "scope": _SCOPE}
    await _set(api, "MyCommands", scoped, {"commands": commands}, commands)
    for name, text in (
        ("description", profile.description),
        ("short_description", profile.short_description),
    ):
        method = "My" + name.title().replace("_", "")
        await _set(api, method, language, {name: text}, {name: text})


async def _set(
    api: Api, what: str, which: dict[str, Any], values: dict[str, Any], expected: Any
) -> None:
    if await api.make(Call(f"get{what}", which)) != expected:
        await api.make(Call(f"set{what}", {**which, **values}))
