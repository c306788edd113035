"""Messages that one member sees alone, and servers that don't know them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from bot.sandbox.clock import SandboxClock
from bot.sandbox.groups import Group
from bot.sandbox.people import Tap
from bot.sandbox.telegram import Telegram
from tests.people import Person
from tests.sandbox.asking import KEYS, done, messages, news, refused

TOO_OLD = "Bad Request: query is too old and response timeout expired or query ID is invalid"


@pytest.fixture
async def lead(telegram: Telegram) -> Person:
    return Person(telegram, "Grace", "en")


@pytest.fixture
async def ravi(telegram: Telegram) -> Person:
    return Person(telegram, "Ravi", "hi")


@pytest.fixture
async def team(telegram: Telegram, lead: Person, ravi: Person) -> Group:
    team = await lead.founds("Team", "supergroup", ravi)
    await done(telegram, "sendMessage", chat_id=team.id, text="Q", reply_markup=KEYS)
    return team


async def tapped(person: Person, team: Group) -> Tap:
    tap = await person.at(team).taps("A")
    assert tap is not None
    return tap


def only_for(person: Person, tap: Tap | None = None, **more: Any) -> dict[str, Any]:
    given = {"receiver_user_id": person.id, **more}
    return {"ephemeral_message_parameters": given | ({"callback_query_id": tap.id} if tap else {})}


async def test_only_the_receiver_sees_it(
    telegram: Telegram, lead: Person, ravi: Person, team: Group
) -> None:
    tap = await tapped(ravi, team)
    sent = await done(
        telegram, "sendMessage", chat_id=team.id, text="✅ Right", reply_markup=KEYS,
        **only_for(ravi, tap),
    )  # fmt: skip
    assert (sent["message_id"], sent["receiver_user"]["id"]) == (0, ravi.id)
    assert ravi.at(team).screen == "✅ Right"
    assert lead.at(team).screen == "Q"
    await ravi.at(team).taps("B")
    query = (await news(telegram))[-1]["callback_query"]
    assert query["message"]["ephemeral_message_id"] == sent["ephemeral_message_id"]
    with pytest.raises(ValueError, match="has no message 0"):
        telegram.tap(lead.id, 0, 0, 0, chat=team.id, ephemeral_id=sent["ephemeral_message_id"])


async def test_a_bot_that_is_no_administrator_has_fifteen_seconds(
    telegram: Telegram, lead: Person, ravi: Person, team: Group, clock: SandboxClock
) -> None:
    tap = await tapped(ravi, team)
    send = {"chat_id": team.id, "text": "t"}
    no_tap = await refused(telegram, "sendMessage", send | only_for(ravi))
    assert no_tap == "Bad Request: CHAT_ADMIN_REQUIRED"
    clock.forward(timedelta(seconds=14))
    await done(telegram, "sendMessage", **send, **only_for(ravi, tap))
    clock.forward(timedelta(seconds=2))
    assert await refused(telegram, "sendMessage", send | only_for(ravi, tap)) == TOO_OLD
    telegram.promote_bot(lead.id, team.id, [])
    await done(telegram, "sendMessage", **send, **only_for(ravi))


async def test_a_tap_opens_the_way_to_who_tapped_only(
    telegram: Telegram, lead: Person, ravi: Person, team: Group
) -> None:
    tap = await tapped(ravi, team)
    send = {"chat_id": team.id, "text": "t"}
    assert await refused(telegram, "sendMessage", send | only_for(lead, tap)) == TOO_OLD
    stranger = Person(telegram, "Lan")
    why = await refused(telegram, "sendMessage", send | only_for(stranger, tap))
    assert why == "Bad Request: USER_NOT_PARTICIPANT"
    await ravi.says("/start")
    private = {"chat_id": ravi.id, "text": "t"} | only_for(ravi, tap)
    why = await refused(telegram, "sendMessage", private)
    assert why == "Bad Request: ephemeral messages can be sent only in groups and supergroups"


async def test_it_can_stand_in_place_of_the_question_until_it_is_deleted(
    telegram: Telegram, lead: Person, ravi: Person, team: Group
) -> None:
    tap = await tapped(ravi, team)
    await done(telegram, "sendMessage", chat_id=team.id, text="later")
    replace = only_for(ravi, tap, replace_callback_query_message=True)
    sent = await done(telegram, "sendMessage", chat_id=team.id, text="yours", **replace)

    def texts(person: Person) -> list[str]:
        return [m["text"] for m in person.at(team).received if "text" in m]

    assert (texts(ravi), texts(lead)) == (["yours", "later"], ["Q", "later"])
    own = {"chat_id": team.id, "receiver_user_id": ravi.id}
    own |= {"ephemeral_message_id": sent["ephemeral_message_id"]}
    await done(telegram, "deleteEphemeralMessage", **own)
    assert texts(ravi) == ["Q", "later"]
    why = await refused(telegram, "deleteEphemeralMessage", own)
    assert why == "Bad Request: message to delete not found"


async def test_what_was_tapped_on_an_ephemeral_message_can_not_be_replaced(
    telegram: Telegram, ravi: Person, team: Group
) -> None:
    first = only_for(ravi, await tapped(ravi, team))
    await done(telegram, "sendMessage", chat_id=team.id, text="t", reply_markup=KEYS, **first)
    again = only_for(ravi, await tapped(ravi, team), replace_callback_query_message=True)
    why = await refused(telegram, "sendMessage", {"chat_id": team.id, "text": "t"} | again)
    assert why == "Bad Request: MESSAGE_ID_INVALID"


async def test_it_is_edited_by_methods_of_its_own(
    telegram: Telegram, ravi: Person, team: Group, files: None
) -> None:
    send = {"chat_id": team.id} | only_for(ravi, await tapped(ravi, team))
    text = await done(telegram, "sendMessage", **send, text="one", reply_markup=KEYS)
    photo = await done(telegram, "sendPhoto", **send, photo="sandboxphoto1", caption="one")

    def place(message: dict[str, Any]) -> dict[str, Any]:
        number = message["ephemeral_message_id"]
        return {"chat_id": team.id, "receiver_user_id": ravi.id, "ephemeral_message_id": number}

    assert await done(telegram, "editEphemeralMessageText", **place(text), text="two") is True
    await done(telegram, "editEphemeralMessageReplyMarkup", **place(text), reply_markup=KEYS)
    await done(telegram, "editEphemeralMessageCaption", **place(photo), caption="two")
    shown = ravi.at(team).received[-2:]
    assert (shown[0]["text"], shown[1]["caption"]) == ("two", "two")
    same = place(text) | {"text": "two", "reply_markup": KEYS}
    why = await refused(telegram, "editEphemeralMessageText", same)
    assert why.startswith("Bad Request: message is not modified")
    for method, params, what in (
        ("editMessageText", {"message_id": 0, "text": "t"}, "edit"),
        ("deleteMessage", {"message_id": 0}, "delete"),
        ("deleteMessage", {"message_id": 4711}, "delete"),
    ):
        why = await refused(telegram, method, {"chat_id": team.id, **params})
        assert why == f"Bad Request: message to {what} not found"


async def test_an_ephemeral_command_is_between_its_sender_and_the_bot(
    telegram: Telegram, lead: Person, ravi: Person, team: Group, clock: SandboxClock
) -> None:
    command = {"command": "score", "description": "Your score", "is_ephemeral": True}
    await done(telegram, "setMyCommands", commands=[command])
    await news(telegram)
    assert await ravi.at(team).says("/score") == 0
    heard = (await messages(telegram))[-1]
    assert (heard["message_id"], heard["receiver_user"]["is_bot"]) == (0, True)
    assert "/score" not in [m.get("text") for m in lead.at(team).messages]
    reply = {"reply_parameters": {"ephemeral_message_id": heard["ephemeral_message_id"]}}
    send = {"chat_id": team.id, "text": "7"} | reply | only_for(ravi)
    await done(telegram, "sendMessage", **send)
    assert (ravi.at(team).screen, lead.at(team).screen) == ("7", "Q")
    clock.forward(timedelta(seconds=16))
    assert await refused(telegram, "sendMessage", send) == "Bad Request: CHAT_ADMIN_REQUIRED"


@pytest.mark.parametrize("version", ["10.1", "10.2"])
async def test_an_older_server_posts_for_everybody(version: str, clock: SandboxClock) -> None:
    telegram = Telegram(clock, version=version)
    lead, ravi = Person(telegram, "Grace"), Person(telegram, "Ravi")
    team = await lead.founds("Team", "supergroup", ravi)
    await done(telegram, "sendMessage", chat_id=team.id, text="Q", reply_markup=KEYS)
    send = {"chat_id": team.id, "text": "secret"} | only_for(ravi, await tapped(ravi, team))
    sent = await done(telegram, "sendMessage", **send)
    assert "ephemeral_message_id" not in sent
    assert lead.at(team).screen == "secret"
    keys = {"inline_keyboard": [[{"text": "A", "disabled": {}}]]}
    why = await refused(telegram, "sendMessage", send | {"reply_markup": keys})
    assert "Text buttons are unallowed" in why


async def test_the_first_form_of_10_2(clock: SandboxClock) -> None:
    telegram = Telegram(clock, version="10.2")
    lead, ravi = Person(telegram, "Grace"), Person(telegram, "Ravi")
    team = await lead.founds("Team", "supergroup", ravi)
    await done(telegram, "sendMessage", chat_id=team.id, text="Q", reply_markup=KEYS)
    tap = await tapped(ravi, team)
    sent = await done(
        telegram, "sendMessage", chat_id=team.id, text="yours", receiver_user_id=ravi.id,
        callback_query_id=tap.id,
    )  # fmt: skip
    assert (sent["message_id"], sent["ephemeral_message_id"]) == (0, 1)
    assert (ravi.at(team).screen, lead.at(team).screen) == ("yours", "Q")


async def test_a_server_of_10_1_has_no_such_methods(clock: SandboxClock) -> None:
    telegram = Telegram(clock, version="10.1")
    status, body = await telegram.call("deleteEphemeralMessage", {"chat_id": 1})
    assert (status, body["description"]) == (404, "Not Found: method not found")
    command = {"command": "score", "description": "d", "is_ephemeral": True}
    await done(telegram, "setMyCommands", commands=[command])
    assert "is_ephemeral" not in (await done(telegram, "getMyCommands"))[0]
