"""The method that answers a tap."""

from __future__ import annotations

import re

from bot.sandbox import limits
from bot.sandbox.ephemeral import TOO_OLD
from bot.sandbox.errors import Json, Refused
from bot.sandbox.params import Params
from bot.sandbox.people import Answer, Tap
from bot.sandbox.world import Methods, World


def answer_callback_query(world: World, params: Params) -> bool:
    """Ends the spinner of a tap. Each tap can be answered once, and not for long."""
    tap = world.taps.get(params.text("callback_query_id"))
    text, url = params.text("text"), params.text("url")
    if tap is None or not _answerable(world, tap):
        raise Refused(TOO_OLD)
    if len(text) > limits.TOAST:
        raise Refused("MESSAGE_TOO_LONG")
    if url and not re.match(rf"(?:https?://)?t\.me/{world.bot.username}\?start=", url):
        raise Refused("URL_INVALID")
    tap.answer = Answer(text or None, params.flag("show_alert"), url or None, world.clock.now())
    _tell(world, tap, tap.answer)
    return True


def _answerable(world: World, tap: Tap) -> bool:
    if tap.answer is None and world.clock.now() - tap.at <= limits.ANSWER_WINDOW:
        return True
    tap.refused += 1
    return False


def _tell(world: World, tap: Tap, answer: Answer) -> None:
    event: Json = {
        "type": "answered",
        "callback_query_id": tap.id,
        "text": answer.text,
        "show_alert": answer.show_alert,
    }
    event |= {"url": answer.url} if answer.url else {}
    person, group = world.people[tap.person_id], world.places.get(tap.chat_id)
    if group is None:
        person.tell(event)
        return
    for queue in group.watchers.get(person.id, ()):
        queue.put_nowait(event)


METHODS: Methods = {"answercallbackquery": answer_callback_query}
