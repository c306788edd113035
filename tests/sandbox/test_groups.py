"""Groups of every kind: who is in them, what the bot hears and may do there."""

from __future__ import annotations

from typing import Any

import pytest

from bot.sandbox.telegram import Telegram
from tests.people import Person
from tests.sandbox.asking import KEYS, done, messages, news, refused


@pytest.fixture
async def lead(telegram: Telegram) -> Person:
    return Person(telegram, "Grace", "en")


@pytest.fixture
async def member(telegram: Telegram) -> Person:
    return Person(telegram, "Ravi", "hi")


async def test_the_bot_is_told_where_it_was_added(telegram: Telegram, lead: Person) -> None:
    team = await lead.founds("Team")
    added, service = await news(telegram)
    change = added["my_chat_member"]
    assert change["chat"] == {"id": team.id, "title": "Team", "type": "supergroup"}
    assert change["from"]["id"] == lead.id
    statuses = [change[f"{when}_chat_member"]["status"] for when in ("old", "new")]
    assert statuses == ["left", "member"]
    assert [user["id"] for user in service["message"]["new_chat_members"]] == [telegram.bot.id]


async def test_a_group_without_the_bot_is_unknown_to_it(telegram: Telegram, lead: Person) -> None:
    team = await lead.founds("Team", bot=False)
    await lead.at(team).says("/start")
    assert await news(telegram) == []
    hello = {"chat_id": team.id, "text": "hello"}
    assert await refused(telegram, "sendMessage", hello) == "Bad Request: chat not found"


async def test_with_privacy_the_bot_hears_only_what_is_meant_for_it(
    telegram: Telegram, lead: Person, member: Person
) -> None:
    team = await lead.founds("Team", "supergroup", member)
    posted = await done(telegram, "sendMessage", chat_id=team.id, text="Q")
    await news(telegram)
    ravi = member.at(team)
    await ravi.says("just talk")
    await ravi.says("/daily@quizbot_demo_bot 09:00")
    await ravi.says("/daily")
    await ravi.says("/daily@another_bot")
    await ravi.says("my answer", reply_to=posted)
    heard = await messages(telegram)
    assert [m["text"] for m in heard] == ["/daily@quizbot_demo_bot 09:00", "/daily", "my answer"]
    assert heard[0]["entities"] == [{"type": "bot_command", "offset": 0, "length": 23}]
    assert heard[2]["reply_to_message"]["text"] == "Q"
    telegram.bot.privacy = False
    await ravi.says("just talk")
    assert [m["text"] for m in await messages(telegram)] == ["just talk"]


async def test_an_administrator_bot_hears_everything(telegram: Telegram, lead: Person) -> None:
    team = await lead.founds("Team")
    await lead.does(lambda: telegram.promote_bot(lead.id, team.id))
    promoted = (await news(telegram))[-1]["my_chat_member"]["new_chat_member"]
    assert (promoted["status"], promoted["can_pin_messages"]) == ("administrator", True)
    await lead.at(team).says("just talk")
    assert [m["text"] for m in await messages(telegram)] == ["just talk"]


async def test_everybody_in_the_group_sees_the_same(
    telegram: Telegram, lead: Person, member: Person
) -> None:
    team = await lead.founds("Team", "group", member)
    question = await done(telegram, "sendMessage", chat_id=team.id, text="Q", reply_markup=KEYS)
    await member.at(team).says("/start")
    assert lead.at(team).screen == member.at(team).screen == "Q"
    assert "out" not in lead.at(team).messages[-1]
    assert member.at(team).messages[-1]["out"]
    tap = await member.at(team).taps("B")
    query = (await news(telegram))[-1]["callback_query"]
    assert tap is not None
    assert (query["from"]["id"], query["message"]["chat"]["id"]) == (member.id, team.id)
    await done(telegram, "answerCallbackQuery", callback_query_id=tap.id, text="✅")
    assert (member.at(team).toast, lead.at(team).toast, member.toast) == ("✅", None, None)
    place = {"chat_id": team.id, "message_id": question["message_id"]}
    await done(telegram, "editMessageText", **place, text="Q, 1 answered")
    assert lead.at(team).screen == "Q, 1 answered"


async def test_an_anonymous_administrator_writes_as_the_group_but_taps_as_themselves(
    telegram: Telegram, lead: Person, member: Person
) -> None:
    team = await lead.founds("Team", "supergroup", member)
    await done(telegram, "sendMessage", chat_id=team.id, text="Q", reply_markup=KEYS)
    telegram.promote(lead.id, member.id, team.id, anonymous=True)
    await news(telegram)
    await member.at(team).says("/daily")
    await member.at(team).taps("A")
    said, tapped = await news(telegram)
    assert said["message"]["from"]["id"] == 1087968824
    assert said["message"]["sender_chat"]["id"] == team.id
    assert tapped["callback_query"]["from"]["id"] == member.id
    found = await done(telegram, "getChatMember", chat_id=team.id, user_id=member.id)
    assert (found["status"], found["is_anonymous"]) == ("administrator", True)


async def test_members_are_told_apart(telegram: Telegram, lead: Person, member: Person) -> None:
    team, stranger = await lead.founds("Team", "supergroup", member), Person(telegram, "Lan")
    telegram.restrict(lead.id, member.id, team.id, ["can_send_messages"])

    async def status(user_id: int) -> str:
        found = await done(telegram, "getChatMember", chat_id=team.id, user_id=user_id)
        return str(found["status"])

    assert [await status(p) for p in (lead.id, member.id, stranger.id, telegram.bot.id)] == [
        "creator",
        "restricted",
        "left",
        "member",
    ]
    with pytest.raises(ValueError, match="Ravi may not write in Team"):
        await member.at(team).says("hello")
    admins = await done(telegram, "getChatAdministrators", chat_id=team.id)
    assert [admin["user"]["id"] for admin in admins] == [lead.id]
    assert await done(telegram, "getChatMemberCount", chat_id=team.id) == 3
    whole = await done(telegram, "getChat", chat_id=team.id)
    assert (whole["title"], whole["permissions"]["can_send_messages"]) == ("Team", True)
    team.hidden_members = True
    asked = {"chat_id": team.id, "user_id": member.id}
    hidden = await refused(telegram, "getChatMember", asked)
    assert hidden == "Bad Request: member list is inaccessible"


async def test_joining_leaving_and_kicking_are_told(
    telegram: Telegram, lead: Person, member: Person
) -> None:
    team = await lead.founds("Team")
    await done(telegram, "getUpdates", allowed_updates=["message", "chat_member"])
    telegram.promote_bot(lead.id, team.id)
    await news(telegram)
    telegram.enter(member.id, team.id)
    telegram.leave(member.id, team.id)
    telegram.enter(member.id, team.id)
    telegram.kick(lead.id, member.id, team.id)
    kinds = [
        update["chat_member"]["new_chat_member"]["status"]
        if "chat_member" in update
        else next(key for key in update["message"] if key.endswith(("members", "member")))
        for update in await news(telegram)
    ]
    assert kinds == [
        "member", "new_chat_members", "left_chat_member", "left",
        "member", "new_chat_members", "kicked", "left_chat_member",
    ]  # fmt: skip
    with pytest.raises(ValueError, match="Ravi is not in Team"):
        await member.at(team).says("let me in")


KICKED = [
    ("group", "Forbidden: bot was kicked from the group chat"),
    ("supergroup", "Forbidden: bot was kicked from the supergroup chat"),
]


@pytest.mark.parametrize(("kind", "why"), KICKED)
async def test_a_kicked_bot_is_refused_until_it_is_added_again(
    telegram: Telegram, lead: Person, kind: Any, why: str
) -> None:
    team = await lead.founds("Team", kind)
    await done(telegram, "sendMessage", chat_id=team.id, text="Q", reply_markup=KEYS)
    await news(telegram)
    telegram.remove_bot(lead.id, team.id)
    gone = await news(telegram)
    assert gone[0]["my_chat_member"]["new_chat_member"]["status"] == "kicked"
    await lead.at(team).says("/start")
    await lead.at(team).taps("A")
    assert await news(telegram) == []
    for method, params in (
        ("sendMessage", {"text": "t"}),
        ("editMessageText", {"text": "t", "message_id": 3}),
        ("getChat", {}),
        ("getChatAdministrators", {}),
    ):
        assert await refused(telegram, method, {"chat_id": team.id, **params}) == why
    telegram.add_bot(lead.id, team.id)
    await done(telegram, "sendMessage", chat_id=team.id, text="back")


async def test_a_bot_that_left_is_no_member(telegram: Telegram, lead: Person) -> None:
    team = await lead.founds("Team")
    assert await done(telegram, "leaveChat", chat_id=team.id) is True
    change = (await news(telegram))[-1]["my_chat_member"]
    assert (change["new_chat_member"]["status"], change["from"]["id"]) == ("left", telegram.bot.id)
    why = await refused(telegram, "sendMessage", {"chat_id": team.id, "text": "t"})
    assert why == "Forbidden: bot is not a member of the supergroup chat"
    private = await refused(telegram, "leaveChat", {"chat_id": lead.id})
    assert private.startswith("Bad Request: chat member status can't be changed")


async def test_a_deleted_group_is_gone(telegram: Telegram, lead: Person) -> None:
    team = await lead.founds("Team", "group")
    telegram.delete_group(lead.id, team.id)
    why = await refused(telegram, "sendMessage", {"chat_id": team.id, "text": "t"})
    assert why == "Forbidden: the group chat was deleted"


async def test_a_group_can_become_a_supergroup(
    telegram: Telegram, lead: Person, member: Person
) -> None:
    old = await lead.founds("Team", "group", member)
    await news(telegram)
    new = telegram.upgrade(lead.id, old.id)
    leaving, coming = await messages(telegram)
    assert (leaving["chat"]["id"], leaving["migrate_to_chat_id"]) == (old.id, new.id)
    assert (coming["chat"]["id"], coming["migrate_from_chat_id"]) == (new.id, old.id)
    status, body = await telegram.call("sendMessage", {"chat_id": old.id, "text": "t"})
    assert (status, body) == (
        400,
        {
            "ok": False,
            "error_code": 400,
            "description": "Bad Request: group chat was upgraded to a supergroup chat",
            "parameters": {"migrate_to_chat_id": new.id},
        },
    )
    await done(telegram, "sendMessage", chat_id=new.id, text="here we are")
    assert member.at(new).screen == "here we are"
    with pytest.raises(ValueError, match="can't become a supergroup"):
        telegram.upgrade(lead.id, new.id)


@pytest.mark.parametrize(
    ("told", "kinds"),
    [("both, new one first", ["from", "to"]), ("old", ["to"]), ("new", ["from"])],
)
async def test_the_two_tidings_of_an_upgrade_may_come_in_any_order(
    telegram: Telegram, lead: Person, told: Any, kinds: list[str]
) -> None:
    old = await lead.founds("Team", "group")
    await news(telegram)
    telegram.upgrade(lead.id, old.id, told)
    heard = await messages(telegram)
    assert [
        kind for m in heard for kind in ("from", "to") if f"migrate_{kind}_chat_id" in m
    ] == kinds


RESTRICTED = [
    ("sendMessage", {"text": "t"}, "can_send_messages", "text messages"),
    ("sendDocument", {"document": "sandboxdocument0"}, "can_send_documents", "documents"),
    ("sendPhoto", {"photo": "sandboxphoto1"}, "can_send_photos", "photos"),
]


@pytest.mark.parametrize(("method", "params", "permission", "what"), RESTRICTED)
async def test_what_the_bot_may_send_can_be_restricted(
    telegram: Telegram,
    lead: Person,
    files: None,
    method: str,
    params: dict[str, str],
    permission: str,
    what: str,
) -> None:
    team = await lead.founds("Team")
    why = f"Bad Request: not enough rights to send {what} to the chat"
    sent = {"chat_id": team.id, **params}
    telegram.restrict_bot(lead.id, team.id, [permission])
    assert await refused(telegram, method, sent) == why
    telegram.restrict_bot(lead.id, team.id, [])
    telegram.allow(lead.id, team.id, [permission])
    assert await refused(telegram, method, sent) == why
    telegram.promote_bot(lead.id, team.id, [])
    await done(telegram, method, **sent)


async def test_pinning_needs_the_right(telegram: Telegram, lead: Person) -> None:
    team = await lead.founds("Team")
    posted = await done(telegram, "sendMessage", chat_id=team.id, text="Q")
    place = {"chat_id": team.id, "message_id": posted["message_id"]}
    why = "Bad Request: not enough rights to manage pinned messages in the chat"
    assert await refused(telegram, "pinChatMessage", place) == why
    telegram.promote_bot(lead.id, team.id, ["can_pin_messages"])
    await news(telegram)
    await done(telegram, "pinChatMessage", **place)
    assert [m["pinned_message"]["text"] for m in await messages(telegram)] == ["Q"]
    assert (await done(telegram, "getChat", chat_id=team.id))["pinned_message"]["text"] == "Q"
    await done(telegram, "unpinChatMessage", **place)
    assert "pinned_message" not in await done(telegram, "getChat", chat_id=team.id)
    again = await refused(telegram, "unpinChatMessage", place)
    assert again == "Bad Request: message to unpin not found"
    await done(telegram, "unpinAllChatMessages", chat_id=team.id)


async def test_foreign_messages_need_the_right_to_delete(
    telegram: Telegram, lead: Person, member: Person
) -> None:
    team = await lead.founds("Team", "supergroup", member)
    own = await done(telegram, "sendMessage", chat_id=team.id, text="mine")
    theirs = await member.at(team).says("theirs")
    await done(telegram, "deleteMessage", chat_id=team.id, message_id=own["message_id"])
    why = await refused(telegram, "deleteMessage", {"chat_id": team.id, "message_id": theirs})
    assert why == "Bad Request: message can't be deleted"
    telegram.promote_bot(lead.id, team.id, ["can_delete_messages"])
    await done(telegram, "deleteMessages", chat_id=team.id, message_ids=[theirs, 4711])
    assert all(m["message_id"] != theirs for m in lead.at(team).messages)
    with pytest.raises(ValueError, match="lacks the right can_delete_messages"):
        await member.at(team).deletes(1)


async def test_somebody_known_only_from_a_group_can_not_be_written_to(
    telegram: Telegram, lead: Person, member: Person
) -> None:
    team = await lead.founds("Team", "supergroup", member)
    await done(telegram, "sendMessage", chat_id=team.id, text="Q", reply_markup=KEYS)
    await member.at(team).taps("A")
    status, body = await telegram.call("sendMessage", {"chat_id": member.id, "text": "t"})
    assert (status, body["description"]) == (
        403,
        "Forbidden: bot can't initiate conversation with a user",
    )
    await member.follows("x_1")
    await done(telegram, "sendMessage", chat_id=member.id, text="t")
    telegram.deactivate(member.id)
    why = await refused(telegram, "sendMessage", {"chat_id": member.id, "text": "t"})
    assert why == "Forbidden: user is deactivated"


async def test_a_forwarded_message_loses_buttons_that_call_the_bot(
    telegram: Telegram, lead: Person
) -> None:
    team = await lead.founds("Team")
    link = {"inline_keyboard": [[{"text": "Open", "url": "https://t.me/quizbot_demo_bot"}]]}
    for markup in (KEYS, link):
        posted = await done(
            telegram, "sendMessage", chat_id=team.id, text="Q", reply_markup=markup
        )
        telegram.forward(lead.id, posted["message_id"], chat=team.id)
    quiz, linked = (await messages(telegram))[-2:]
    assert (quiz["text"], quiz["forward_origin"]["sender_user"]["is_bot"]) == ("Q", True)
    assert "reply_markup" not in quiz
    assert linked["reply_markup"]["inline_keyboard"][0][0]["text"] == "Open"


async def test_the_bot_reacts_with_one_emoji(telegram: Telegram, lead: Person) -> None:
    team = await lead.founds("Team")
    said = await lead.at(team).says("/start")
    place: dict[str, Any] = {"chat_id": team.id, "message_id": said}
    await done(
        telegram, "setMessageReaction", **place, reaction=[{"type": "emoji", "emoji": "🎉"}]
    )
    assert lead.at(team).messages[-1]["reactions"] == ["🎉"]
    await done(telegram, "setMessageReaction", **place, reaction=[])
    assert "reactions" not in lead.at(team).messages[-1]
    wrong = place | {"reaction": [{"type": "emoji", "emoji": "🧊"}]}
    assert await refused(telegram, "setMessageReaction", wrong) == "Bad Request: REACTION_INVALID"


async def test_the_menu_in_a_group_is_that_of_the_narrowest_scope(
    telegram: Telegram, lead: Person, member: Person
) -> None:
    team = await lead.founds("Team", "supergroup", member)

    def command(text: str) -> list[dict[str, str]]:
        return [{"command": "start", "description": text}]

    def menus() -> tuple[str, str]:
        found = [
            telegram.world.profile.group_menu(team.id, who.id, "en", leads=leads)
            for who, leads in ((lead, True), (member, False))
        ]
        return found[0][0]["description"], found[1][0]["description"]

    for scope, expected in (
        ({"type": "default"}, ("default", "default")),
        ({"type": "all_group_chats"}, ("all_group_chats", "all_group_chats")),
        ({"type": "all_chat_administrators"}, ("all_chat_administrators", "all_group_chats")),
        ({"type": "chat", "chat_id": team.id}, ("chat", "chat")),
        ({"type": "chat_administrators", "chat_id": team.id}, ("chat_administrators", "chat")),
        (
            {"type": "chat_member", "chat_id": team.id, "user_id": member.id},
            ("chat_administrators", "chat_member"),
        ),
    ):
        kind = str(scope["type"])
        await done(telegram, "setMyCommands", commands=command(kind), scope=scope)
        assert menus() == expected
        assert await done(telegram, "getMyCommands", scope=scope) == command(kind)
    await lead.says("/start")
    wrong = {
        "commands": command("x"),
        "scope": {"type": "chat_administrators", "chat_id": lead.id},
    }
    why = await refused(telegram, "setMyCommands", wrong)
    assert why == "Bad Request: can't use specified scope in private chats"
