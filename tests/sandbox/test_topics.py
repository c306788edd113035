"""Forums and their topics."""

from __future__ import annotations

import pytest

from bot.sandbox.groups import Group
from bot.sandbox.telegram import Telegram
from tests.people import Person
from tests.sandbox.asking import KEYS, done, messages, refused

GONE = "Bad Request: message thread not found"


@pytest.fixture
async def lead(telegram: Telegram) -> Person:
    return Person(telegram, "Grace", "en")


@pytest.fixture
async def forum(lead: Person) -> Group:
    return await lead.founds("Course", "forum")


async def test_a_topic_is_addressed_by_the_message_that_made_it(
    telegram: Telegram, lead: Person, forum: Group
) -> None:
    thread = telegram.create_topic(lead.id, forum.id, "Week 1")
    made = (await messages(telegram))[-1]
    assert (made["message_id"], made["message_thread_id"]) == (thread, thread)
    assert made["forum_topic_created"]["name"] == "Week 1"
    assert made["chat"]["is_forum"]
    await lead.at(forum, thread).says("/daily")
    said = (await messages(telegram))[-1]
    assert (said["message_thread_id"], said["is_topic_message"]) == (thread, True)
    # As Telegram does: what is no reply in a topic replies to the message that made it.
    assert "forum_topic_created" in said["reply_to_message"]
    sent = await done(
        telegram, "sendMessage", chat_id=forum.id, message_thread_id=thread, text="Q",
        reply_markup=KEYS,
    )  # fmt: skip
    assert (sent["message_thread_id"], sent["is_topic_message"]) == (thread, True)
    assert lead.at(forum, thread).screen == "Q"
    assert lead.at(forum, 1).received == []
    await lead.at(forum, thread).taps("A")
    assert len(lead.account.taps) == 1


async def test_general_has_no_thread_and_1_is_refused(
    telegram: Telegram, lead: Person, forum: Group
) -> None:
    await lead.at(forum, 1).says("/start")
    assert "message_thread_id" not in (await messages(telegram))[-1]
    sent = await done(telegram, "sendMessage", chat_id=forum.id, text="Q")
    assert "message_thread_id" not in sent
    for thread in (1, 4711):
        params = {"chat_id": forum.id, "text": "t", "message_thread_id": thread}
        assert await refused(telegram, "sendMessage", params) == GONE


@pytest.mark.parametrize("general", [True, False])
async def test_a_closed_topic_takes_messages_of_those_who_manage_topics_only(
    telegram: Telegram, lead: Person, forum: Group, general: bool
) -> None:
    thread = 1 if general else telegram.create_topic(lead.id, forum.id, "Week 1")
    params = {"chat_id": forum.id, "text": "t"} | (
        {} if general else {"message_thread_id": thread}
    )
    telegram.close_topic(lead.id, forum.id, thread)
    closed = (await messages(telegram))[-1]
    assert closed["forum_topic_closed"] == {}
    assert await refused(telegram, "sendMessage", params) == "Bad Request: TOPIC_CLOSED"
    telegram.promote_bot(lead.id, forum.id, ["can_manage_topics"])
    await done(telegram, "sendMessage", **params)
    telegram.promote_bot(lead.id, forum.id, None)
    telegram.close_topic(lead.id, forum.id, thread, closed=False)
    assert (await messages(telegram))[-1]["forum_topic_reopened"] == {}
    await done(telegram, "sendMessage", **params)


async def test_a_deleted_topic_is_gone_with_its_messages(
    telegram: Telegram, lead: Person, forum: Group
) -> None:
    thread = telegram.create_topic(lead.id, forum.id, "Week 1")
    params = {"chat_id": forum.id, "text": "Q", "message_thread_id": thread}
    sent = await done(telegram, "sendMessage", **params)
    telegram.delete_topic(lead.id, forum.id, thread)
    assert await refused(telegram, "sendMessage", params) == GONE
    edit = {"chat_id": forum.id, "text": "t", "message_id": sent["message_id"]}
    why = await refused(telegram, "editMessageText", edit)
    assert why == "Bad Request: message to edit not found"


async def test_a_thread_is_ignored_where_there_never_were_topics(
    telegram: Telegram, lead: Person
) -> None:
    team = await lead.founds("Team")
    sent = await done(telegram, "sendMessage", chat_id=team.id, text="t", message_thread_id=7)
    assert "message_thread_id" not in sent


async def test_topics_switched_off_leave_their_ids_dead(
    telegram: Telegram, lead: Person, forum: Group
) -> None:
    thread = telegram.create_topic(lead.id, forum.id, "Week 1")
    telegram.switch_topics(lead.id, forum.id, on=False)
    params = {"chat_id": forum.id, "text": "t"}
    assert await refused(telegram, "sendMessage", params | {"message_thread_id": thread}) == GONE
    sent = await done(telegram, "sendMessage", **params)
    assert "is_forum" not in sent["chat"]


async def test_who_may_do_what_with_topics(telegram: Telegram, lead: Person, forum: Group) -> None:
    member = Person(telegram, "Ravi")
    telegram.enter(member.id, forum.id)
    thread = telegram.create_topic(lead.id, forum.id, "Week 1")
    telegram.close_topic(lead.id, forum.id, thread)
    for act, why in (
        (lambda: telegram.create_topic(member.id, forum.id, "Mine"), "lacks the right"),
        (lambda: telegram.say(member.id, "hi", chat=forum.id, thread=thread), "is closed"),
        (lambda: telegram.say(member.id, "hi", chat=forum.id, thread=99), "no topic 99"),
        (lambda: telegram.delete_topic(lead.id, forum.id, 1), "General can't be deleted"),
        (lambda: telegram.create_topic(lead.id, forum.id, " "), "topics have a name"),
        (lambda: telegram.close_topic(lead.id, forum.id, 99), "no topic 99"),
    ):
        with pytest.raises(ValueError, match=why):
            act()
