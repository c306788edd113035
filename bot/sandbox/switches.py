"""The friendly half of the trouble: what can be switched from the page."""

from __future__ import annotations

from datetime import datetime

from bot.sandbox.errors import Json
from bot.sandbox.trouble import Flood, Rule, Trouble

FLOOD_S = 30
SLOW_S = 2.0
NAMES = ("flood", "slow", "lost", "broken")


def switch(trouble: Trouble, what: str, on: bool, chat: int | None) -> None:
    """Switches one of `NAMES` on or off; `flood` is of one chat, or without one of all.

    Raises:
        ValueError: there is no such trouble.
    """
    if what not in NAMES:
        raise ValueError(f"there is no trouble {what}; there are {', '.join(NAMES)}")
    for rule in [r for r in trouble.rules if r.name == what and r.chat == chat]:
        trouble.lift(rule)
    if not on:
        return
    match what:
        case "flood":
            trouble.flood(FLOOD_S, chat=chat, name=what)
        case "slow":
            trouble.slow(SLOW_S, chat=chat, name=what)
        case "lost":
            trouble.lose(chat=chat, times=None, name=what)
        case _:
            trouble.broken(502, chat=chat, times=None, name=what)


def switches(trouble: Trouble, now: datetime) -> list[Json]:
    """What is on: its name, the chat it is confined to, and how long a flood still lasts."""
    return [_described(rule, now) for rule in trouble.rules if rule.name and not _past(rule, now)]


def _past(rule: Rule, now: datetime) -> bool:
    return isinstance(rule.effect, Flood) and rule.effect.until <= now


def _described(rule: Rule, now: datetime) -> Json:
    told: Json = {"what": rule.name, "chat": rule.chat}
    if isinstance(rule.effect, Flood):
        told["left_s"] = round((rule.effect.until - now).total_seconds(), 1)
    return told
