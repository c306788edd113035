"""Every trouble a call can meet, for each kind of call: what is done, and what a person sees.

    kind      what it is                                    `shown` in the tables below
    answer    the answer to a tap, with a toast             the toast
    edit      the verdict drawn into the question           the question's text
    anew      the result in place of another screen, which  the texts of the chat
              is sent where there is nothing to edit
    send      an explanation                                the texts of the chat
    document  a file                                        the texts of the chat

"once more" in a name means that the call is made a second time. A send whose response was lost
can't be told from one that never arrived: it is not made again. What a person then misses comes
with the next tap, half a minute later at the earliest (tests/test_play.py, what was lost).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from telegram.error import NetworkError, TimedOut

from bot.gateway.api import Api
from bot.gateway.calls import Call, Upload
from bot.gateway.outbox import Outbox
from bot.gateway.transport import NotSent
from bot.sandbox.errors import Drop
from bot.sandbox.telegram import Telegram
from tests.gateway.conftest import HastyClock, Wire, message, refused
from tests.people import Person

NEVER_LEFT = NotSent("can't connect")
SILENCE = TimedOut()
RESET = NetworkError("the connection was lost")
BAD_GATEWAY = refused("Bad Gateway", 502)
FLOOD = refused("Too Many Requests: retry after 9", 429, retry_after=9)
BLOCKED = refused("Forbidden: bot was blocked by the user", 403)
NO_RIGHTS = refused("Bad Request: not enough rights to send text messages to the chat")
NOT_MODIFIED = refused("Bad Request: message is not modified")
TOO_OLD = refused(
    "Bad Request: query is too old and response timeout expired or query ID is invalid"
)
EDIT_GONE = refused("Bad Request: message to edit not found")
UNEDITABLE = refused("Bad Request: message can't be edited")
OUR_BUG = refused("Bad Request: BUTTON_DATA_INVALID")
REFUSED_TOKEN = refused("Unauthorized", 401)

METHODS = {
    "answer": "answerCallbackQuery",
    "edit": "editMessageText",
    "anew": "editMessageText",
    "send": "sendMessage",
    "document": "sendDocument",
}
WELL = {
    "answer": "toast",
    "edit": "verdict",
    "anew": "result",
    "send": "question explained",
    "document": "question caption",
}
NOTHING = {
    "answer": None,
    "edit": "question",
    "anew": "question",
    "send": "question",
    "document": "question",
}


@dataclass
class Scene:
    """A person who has a question on the screen and taps, and the bot's way to them."""

    telegram: Telegram
    person: Person
    outbox: Outbox
    wire: Wire
    done: int = 0

    async def plays(self, kind: str) -> None:
        """The call of this kind, until nothing is under way. An answer is tried at once first."""
        self.wire.asked.clear()
        call = await self._call(kind)
        if kind == "answer" and await self.outbox.make_at_once(call, 5.0):
            self.done += 1
        else:
            self.outbox.post([call], self._finish)
        await self.outbox.idle()

    def _finish(self) -> None:
        self.done += 1

    async def _call(self, kind: str) -> Call:
        if kind == "answer":
            await self.person.forges("x")
            tap = self.person.account.taps[-1]
            return Call("answerCallbackQuery", {"callback_query_id": tap.id, "text": "toast"})
        chat = {"chat_id": self.person.id}
        if kind == "send":
            return message(self.person, "explained")
        if kind == "document":
            upload = Upload("document", "data.json", "{}")
            return Call("sendDocument", {**chat, "caption": "caption"}, upload)
        at = {"message_id": self.person.received[0]["message_id"]}
        if kind == "edit":
            return Call("editMessageText", {**chat, **at, "text": "verdict"})
        instead = message(self.person, "result")
        return Call("editMessageText", {**chat, **at, "text": "result"}, instead=instead)

    def shown(self, kind: str) -> str | None:
        if kind == "answer":
            return self.person.toast
        return " ".join(m.get("text") or m["caption"] for m in self.person.received)


@pytest.fixture
async def scene(
    telegram: Telegram, api: Api, clock: HastyClock, wire: Wire, asha: Person
) -> Scene:
    scene = Scene(telegram, asha, Outbox(api, clock, lambda call, id_: None), wire)
    scene.outbox.post([message(asha, "question")])
    await scene.outbox.idle()
    return scene


ALL = tuple(METHODS)
EDITS = ("edit", "anew")
SENDS = ("send", "document")

MENDED = [
    pytest.param(trouble, kind, id=f"{name}-{kind}")
    for name, trouble, kinds in [
        ("no connection: once more", NEVER_LEFT, ALL),
        ("too fast: once more", FLOOD, ALL),
        ("silence: once more", SILENCE, ("answer", *EDITS)),
        ("connection lost: once more", RESET, ("answer", *EDITS)),
        ("bad gateway: once more", BAD_GATEWAY, ("answer", *EDITS)),
    ]
    for kind in kinds
]


@pytest.mark.parametrize(("trouble", "kind"), MENDED)
async def test_what_is_safe_to_repeat_is_repeated_and_seen(
    scene: Scene, trouble: Exception, kind: str
) -> None:
    scene.wire.plan(METHODS[kind], trouble)
    await scene.plays(kind)
    assert scene.wire.methods.count(METHODS[kind]) == 2
    assert scene.shown(kind) == WELL[kind]
    assert scene.done == 1


@pytest.mark.parametrize("kind", SENDS)
@pytest.mark.parametrize("trouble", [SILENCE, RESET, BAD_GATEWAY])
async def test_a_send_that_may_have_arrived_and_did_not_is_missing(
    scene: Scene, trouble: Exception, kind: str
) -> None:
    scene.wire.plan(METHODS[kind], trouble)
    await scene.plays(kind)
    assert scene.wire.methods.count(METHODS[kind]) == 1
    assert scene.shown(kind) == NOTHING[kind]
    assert scene.done == 1


@pytest.mark.parametrize("kind", ALL)
async def test_what_arrived_and_whose_response_was_lost_is_seen_once(
    scene: Scene, telegram: Telegram, kind: str
) -> None:
    lost: list[str] = []

    async def lose_once(method: str, params: Mapping[str, Any]) -> None:
        if method == METHODS[kind] and not lost:
            lost.append(method)
            raise Drop

    telegram.after = lose_once
    await scene.plays(kind)
    assert scene.shown(kind) == WELL[kind]
    assert scene.wire.methods.count(METHODS[kind]) == (1 if kind in SENDS else 2)
    assert scene.done == 1


@pytest.mark.parametrize(
    ("trouble", "kind"),
    [
        *((trouble, kind) for trouble in (BLOCKED, NO_RIGHTS) for kind in (*EDITS, *SENDS)),
        *((NOT_MODIFIED, kind) for kind in EDITS),
        *((trouble, "edit") for trouble in (EDIT_GONE, UNEDITABLE)),
        (TOO_OLD, "answer"),
    ],
)
async def test_what_nobody_can_see_any_more_is_let_go(
    scene: Scene, trouble: Exception, kind: str
) -> None:
    scene.wire.plan(METHODS[kind], trouble)
    await scene.plays(kind)
    assert scene.wire.methods == [METHODS[kind]]
    assert scene.shown(kind) == NOTHING[kind]
    assert scene.done == 1


@pytest.mark.parametrize("trouble", [EDIT_GONE, UNEDITABLE])
async def test_a_screen_that_has_no_place_any_more_comes_as_a_message(
    scene: Scene, trouble: Exception
) -> None:
    scene.wire.plan("editMessageText", trouble)
    await scene.plays("anew")
    assert scene.shown("anew") == "question result"
    assert scene.done == 1


@pytest.mark.logs_errors
@pytest.mark.parametrize("kind", ALL)
async def test_a_call_that_is_wrong_is_logged_and_not_repeated(
    scene: Scene, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    scene.wire.plan(METHODS[kind], OUR_BUG)
    await scene.plays(kind)
    assert scene.wire.methods == [METHODS[kind]]
    assert scene.shown(kind) == NOTHING[kind]
    assert scene.done == 1
    assert METHODS[kind] in caplog.text


@pytest.mark.logs_errors
@pytest.mark.parametrize("kind", [*EDITS, *SENDS])
async def test_a_refused_token_leaves_the_call_to_the_next_run(scene: Scene, kind: str) -> None:
    scene.wire.plan(METHODS[kind], REFUSED_TOKEN)
    await scene.plays(kind)
    assert scene.wire.methods == [METHODS[kind]]
    assert scene.done == 0
