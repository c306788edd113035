"""Groups, topics and several people on the chat page in a real browser. The tests play the bot."""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from bot.sandbox.groups import Group
from bot.sandbox.params import Attachment
from bot.sandbox.server import Server, serve
from bot.sandbox.telegram import Telegram
from tests.browser import PHONE, Window, chromium, expect, left, needs_chromium, window_of
from tests.people import Person
from tests.sandbox.playing import answered, called, key

pytestmark = [needs_chromium, pytest.mark.asyncio(loop_scope="module")]

QUESTION = "Why are checkpoints split?"
HINDI = "✅ सही: क्योंकि एक फ़ाइल बहुत बड़ी हो जाती है।"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def window() -> AsyncIterator[Window]:
    """One for all tests of this module."""
    async with chromium() as browser, window_of(browser) as window:
        yield window


@pytest_asyncio.fixture(loop_scope="module")
async def server(telegram: Telegram) -> AsyncIterator[Server]:
    """In the window's event loop."""
    server = await serve(telegram)
    yield server
    await server.close()


@pytest.fixture
def emma(telegram: Telegram) -> Person:
    """Who leads the group."""
    return Person(telegram, "Emma", "en")


@pytest.fixture
def asha(telegram: Telegram) -> Person:
    """A member."""
    return Person(telegram, "Asha", "hi")


@pytest.fixture
def minh(telegram: Telegram) -> Person:
    """A member."""
    return Person(telegram, "Minh", "vi")


@pytest_asyncio.fixture(loop_scope="module")
async def team(emma: Person, asha: Person, minh: Person) -> Group:
    """A supergroup of three languages, with the bot."""
    return await emma.founds("Team", "supergroup", asha, minh)


async def posted(telegram: Telegram, group: Group, text: str, *rows: Any, **params: Any) -> int:
    """Posts a message with these rows of buttons; its id."""
    if rows:
        params["reply_markup"] = {"inline_keyboard": list(rows)}
    params = {"chat_id": group.id, "text": text, "parse_mode": "HTML"} | params
    message_id: int = (await called(telegram, "sendMessage", **params))["message_id"]
    return message_id


async def told_alone(
    telegram: Telegram,
    person: Person,
    group: Group,
    text: str,
    thread: int | None = None,
    **more: Any,
) -> Any:
    """Answers the person's newest tap with a message that only they see."""
    await telegram.until(lambda: bool(person.account.taps))
    tap = person.account.taps[-1]
    await called(telegram, "answerCallbackQuery", callback_query_id=tap.id)
    only = {"receiver_user_id": person.id, "callback_query_id": tap.id} | more
    keyboard = {"inline_keyboard": [[key("Next")]]}
    return await called(
        telegram, "sendMessage", chat_id=group.id, text=text, reply_markup=keyboard,
        ephemeral_message_parameters=only, **({"message_thread_id": thread} if thread else {}),
    )  # fmt: skip


def picture(width: int, height: int) -> bytes:
    """A grey PNG."""
    rows = b"".join(b"\0" + b"\x88" * width for _ in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    parts = (b"IHDR", head), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(kind, data) for kind, data in parts)


# The list of chats


async def test_a_list_of_chats_comes_with_the_second_chat_and_goes_with_it(
    window: Window, server: Server, telegram: Telegram, emma: Person, asha: Person
) -> None:
    async with window.chat(server.url, asha.id) as chat:
        chats = chat.page.get_by_role("navigation", name="चैट")
        await expect(chats).to_be_hidden()
        team = await emma.founds("Team", "supergroup", asha)
        await expect(chats).to_be_visible()
        await posted(telegram, team, "first")
        await expect(chats.get_by_role("link")).to_have_text(
            ["quizbot", re.compile("TTeam.*quizbot: first.*नए संदेश: 3")]
        )
        await chat.listed("Team").click()
        await expect(chat.message("first")).to_be_visible()
        await expect(chat.listed("Team")).to_have_attribute("aria-current", "true")
        await expect(chat.listed("Team").locator(".badge")).to_have_count(0)
        assert chat.page.url.endswith(f"?as={asha.id}&chat={team.id}")
        telegram.kick(emma.id, asha.id, team.id)
        await expect(chat.toast).to_contain_text("Team")
        await expect(chat.page.locator(".title")).to_have_text("quizbot")
        await expect(chats).to_be_hidden()
        assert chat.page.url.endswith(f"?as={asha.id}")


async def test_somebody_else_is_shown_the_same_group_if_they_are_in_it(
    window: Window, server: Server, telegram: Telegram, asha: Person, minh: Person, team: Group
) -> None:
    outsider = Person(telegram, "Sam", "en")
    async with window.chat(server.url, asha.id, chat=team.id) as chat:
        await chat.page.get_by_role("link", name="Minh").click()
        await expect(chat.page.locator(".status")).to_have_text(re.compile("thành viên"))
        assert chat.page.url.endswith(f"?as={minh.id}&chat={team.id}")
        await chat.page.get_by_role("link", name="Sam").click()
        await expect(chat.page.locator(".status")).to_have_text("bot")
        assert chat.page.url.endswith(f"?as={outsider.id}")
        await expect(chat.toast).to_have_count(0)
        await chat.page.go_back()
        await expect(chat.page.locator(".title")).to_have_text("Team")


# What is said in a group


async def test_a_group_shows_who_said_what_and_what_happened(
    window: Window, server: Server, telegram: Telegram, asha: Person, minh: Person, team: Group
) -> None:
    await minh.at(team).says("xin chào")
    await minh.at(team).says("mọi người")
    await asha.at(team).says("नमस्ते")
    await posted(telegram, team, QUESTION)
    async with window.chat(server.url, asha.id, chat=team.id) as chat:
        await expect(chat.services).to_have_text(
            ["⁨Emma⁩ ने ग्रुप ⁨Team⁩ बनाया", "⁨Emma⁩ ने ⁨quizbot⁩ को जोड़ा"]
        )
        names = chat.page.locator(".sender")
        await expect(names).to_have_text(["Minh: ", "Minh: ", "quizbot: "])
        await expect(names.nth(0)).to_have_class(re.compile(r"^sender name-\d$"))
        assert [await names.nth(n).evaluate("e => e.offsetWidth > 1") for n in (0, 1)] == [
            True,
            False,
        ]
        await expect(chat.message("नमस्ते")).to_have_class(re.compile("out"))
        await expect(chat.message("xin chào")).to_have_attribute("lang", "vi")
        await expect(chat.page.locator(".status")).to_have_text("⁨4⁩ सदस्य")
        announcer = chat.page.locator("#announcer")
        await minh.at(team).says("đúng")
        await expect(announcer).to_have_text("Minh: đúng")


async def test_one_is_told_that_one_leads_also_without_a_name(
    window: Window, server: Server, telegram: Telegram, emma: Person, asha: Person, team: Group
) -> None:
    async with window.chat(server.url, emma.id, chat=team.id) as chat:
        status = chat.page.locator(".status")
        await expect(status).to_have_text("⁨4⁩ members · you are the owner")
        telegram.promote(emma.id, emma.id, team.id, anonymous=True)
        await expect(status).to_have_text("⁨4⁩ members · you are an anonymous admin")
        await chat.says("from the lead")
        await chat.page.get_by_role("link", name="Asha").click()
        await expect(chat.message("from the lead").locator(".sender")).to_have_text("Team: ")
        telegram.promote(emma.id, asha.id, team.id)
        await expect(status).to_have_text("⁨4⁩ सदस्य · आप एडमिन हैं")


async def test_a_photo_keeps_its_room_and_a_reaction_stands_under_the_text(
    window: Window, server: Server, telegram: Telegram, asha: Person, team: Group
) -> None:
    said = await asha.at(team).says("done!")
    photo = {"photo": Attachment("a.png", "image/png", picture(800, 760))}
    async with window.chat(server.url, asha.id, chat=team.id) as chat:
        reaction = [{"type": "emoji", "emoji": "🎉"}]
        await called(
            telegram, "setMessageReaction", chat_id=team.id, message_id=said, reaction=reaction
        )
        await expect(chat.message("done!").locator(".reactions")).to_have_text("🎉 quizbot")
        await telegram.call("sendPhoto", {"chat_id": team.id, "caption": "This week"}, photo)
        shown = chat.message("This week").get_by_role("link", name="फ़ोटो").locator("img")
        await expect(shown).to_have_js_property("naturalWidth", 800)
        await expect(shown).to_have_attribute("height", "380")
        await expect(shown).to_be_in_viewport(ratio=1)


async def test_answers_come_as_replies_and_messages_can_be_copied_forwarded_and_deleted(
    window: Window, server: Server, telegram: Telegram, asha: Person, team: Group
) -> None:
    question = await posted(telegram, team, "How many <b>shards</b>?")
    async with window.chat(server.url, asha.id, chat=team.id, asks_too_much=True) as chat:
        await chat.chooses("जवाब दें", chat.message("How many"))
        await expect(chat.page.locator(".field")).to_be_focused()
        await expect(chat.page.locator(".replying")).to_have_text("quizbotHow many shards?")
        await chat.page.keyboard.press("Escape")
        await expect(chat.page.locator(".replying")).to_be_hidden()
        await chat.chooses("जवाब दें", chat.message("How many"))
        await chat.says("Seven")
        await expect(chat.message("Seven").locator(".quote")).to_have_text(
            "quizbotHow many shards?"
        )
        assert asha.at(team).messages[-1]["reply_to_message"]["message_id"] == question
        await expect(chat.page.locator(".replying")).to_be_hidden()
        await chat.chooses("टेक्स्ट कॉपी करें", chat.message("How many"))
        assert await chat.page.evaluate("navigator.clipboard.readText()") == "How many shards?"
        await chat.chooses("में फ़ॉरवर्ड करें", chat.message("How many"))
        await chat.listed("quizbot").first.click()
        await expect(chat.message("How many").locator(".forwarded")).to_contain_text("quizbot")
        await chat.listed("Team").click()
        await chat.chooses("हटाएँ", chat.message("How many"))
        await expect(chat.toast).to_contain_text("can_delete_messages")
        await chat.chooses("हटाएँ", chat.message("Seven"))
        await expect(chat.message("Seven")).to_have_count(0)


# What one member sees alone


async def test_a_message_for_one_is_marked_and_nobody_else_gets_it(
    window: Window, server: Server, telegram: Telegram, asha: Person, minh: Person, team: Group
) -> None:
    await posted(telegram, team, QUESTION, [key("A"), key("B")])
    async with window.chat(server.url, asha.id, chat=team.id) as chat:
        await chat.taps("B")
        await told_alone(telegram, asha, team, HINDI)
        verdict = chat.message(HINDI)
        await expect(verdict.locator(".only-me-note")).to_have_text("यह सिर्फ़ आपको दिखता है")
        await expect(chat.page.locator("#announcer")).to_contain_text(
            f"quizbot: यह सिर्फ़ आपको दिखता है: {HINDI}"
        )
        await chat.taps("Next")
        await answered(telegram, asha, "and on")
        await expect(chat.toast).to_have_text("and on")
        assert asha.account.taps[-1].ephemeral_id == 1
        await chat.page.get_by_role("link", name="Minh").click()
        await expect(chat.message(QUESTION)).to_be_visible()
        await expect(chat.page.locator(".only-me")).to_have_count(0)


async def test_it_can_stand_in_place_of_the_question_which_comes_back(
    window: Window, server: Server, telegram: Telegram, asha: Person, team: Group
) -> None:
    question = await posted(telegram, team, QUESTION, [key("A"), key("B")])
    await posted(telegram, team, "behind it", reply_parameters={"message_id": question})
    async with window.chat(server.url, asha.id, chat=team.id) as chat:
        await chat.taps("B")
        sent = await told_alone(telegram, asha, team, HINDI, replace_callback_query_message=True)
        seen = [re.compile(f"quizbot.*{HINDI}"), re.compile("behind it")]
        await expect(chat.messages).to_have_text(seen)
        edited = {"chat_id": team.id, "message_id": question, "text": "2 answered"}
        await called(telegram, "editMessageText", **edited)
        await chat.message("behind it").locator(".quote").click()
        await expect(chat.message(HINDI)).to_be_focused()
        await chat.page.reload()
        await expect(chat.messages).to_have_text(seen)
        own = {"receiver_user_id": asha.id, "ephemeral_message_id": sent["ephemeral_message_id"]}
        await called(telegram, "deleteEphemeralMessage", chat_id=team.id, **own)
        await expect(chat.messages).to_have_text(
            [re.compile("2 answered"), re.compile("behind it")]
        )


async def test_a_link_from_the_group_waits_for_start_in_the_private_chat(
    window: Window, server: Server, telegram: Telegram, asha: Person, team: Group
) -> None:
    await asha.says("/start")
    link = f"https://t.me/{telegram.bot.username}?start=x_1"
    await posted(telegram, team, QUESTION, [{"text": "In my language", "url": link}])
    async with window.chat(server.url, asha.id, chat=team.id) as chat:
        await chat.taps("In my language")
        await expect(chat.page.locator(".title")).to_have_text("quizbot")
        await expect(chat.page.locator(".field")).to_be_hidden()
        await chat.starts()
        await expect(chat.message("/start x_1")).to_be_visible()


# Topics


async def test_topics_are_switched_counted_and_written_in(
    window: Window, server: Server, telegram: Telegram, emma: Person, asha: Person
) -> None:
    team = await emma.founds("Team", "forum", asha)
    daily = telegram.create_topic(emma.id, team.id, "Daily")
    async with window.chat(server.url, asha.id, chat=team.id) as chat:
        topics = chat.page.get_by_role("navigation", name="टॉपिक").get_by_role("button")
        await expect(topics).to_have_text(["General", "Daily"])
        await posted(telegram, team, QUESTION, [key("A")], message_thread_id=daily)
        await expect(topics.nth(1)).to_have_text(re.compile("Daily.*1$"))
        await expect(chat.message(QUESTION)).to_have_count(0)
        await topics.nth(1).click()
        await expect(chat.message(QUESTION)).to_be_visible()
        await expect(chat.services).to_have_text(["⁨Emma⁩ ने टॉपिक ⁨Daily⁩ बनाया"])
        await expect(topics.nth(1)).to_have_text("Daily")
        await expect(topics.nth(1)).to_have_attribute("aria-current", "true")
        await chat.says("in the topic")
        await expect(chat.message("in the topic")).to_be_visible()
        assert asha.at(team).messages[-1]["message_thread_id"] == daily
        assert chat.page.url.endswith(f"&topic={daily}")
        telegram.close_topic(emma.id, team.id, daily)
        await expect(chat.page.locator(".note")).to_have_text("यह टॉपिक बंद है।")
        await expect(chat.page.locator(".field")).to_be_hidden()
        telegram.delete_topic(emma.id, team.id, daily)
        await expect(topics).to_have_text(["General"])
        await expect(chat.page.locator(".field")).to_be_visible()


# What becomes of groups


async def test_a_group_is_followed_when_it_becomes_a_supergroup(
    window: Window, server: Server, telegram: Telegram, emma: Person, asha: Person
) -> None:
    small = await emma.founds("Small", "group", asha)
    async with window.chat(server.url, asha.id, chat=small.id) as chat:
        big = telegram.upgrade(emma.id, small.id)
        await chat.page.wait_for_url(f"**/?as={asha.id}&chat={big.id}")
        await expect(chat.services).to_have_text(["यह ग्रुप अब सुपरग्रुप है"])
        await expect(chat.listed("Small")).to_have_count(1)


async def test_a_bot_that_is_not_there_can_be_added_and_one_blocked_be_unblocked(
    window: Window, server: Server, telegram: Telegram, emma: Person
) -> None:
    team = await emma.founds("Team", bot=False)
    async with window.chat(server.url, emma.id, chat=team.id) as chat:
        await chat.page.get_by_role("button", name="Add ⁨quizbot⁩").click()
        await expect(chat.services.last).to_have_text("⁨Emma⁩ added ⁨quizbot⁩")
        await expect(chat.page.locator(".note")).to_be_hidden()
        await emma.says("/start")
        await emma.blocks()
        await chat.listed("quizbot").first.click()
        await expect(chat.page.locator(".note")).to_contain_text("You blocked the bot.")
        await chat.page.get_by_role("button", name="Unblock").click()
        await expect(chat.page.locator(".field")).to_be_visible()
        assert not emma.account.blocked


# By keyboard, on a phone, mirrored


async def test_a_whole_exchange_in_a_group_goes_by_keyboard_alone(
    window: Window, server: Server, telegram: Telegram, emma: Person, asha: Person
) -> None:
    team = await emma.founds("Team", "forum", asha)
    daily = telegram.create_topic(emma.id, team.id, "Daily")
    await posted(telegram, team, QUESTION, [key("A"), key("B")], message_thread_id=daily)
    async with window.chat(server.url, emma.id) as chat:
        press, focused = chat.page.keyboard.press, chat.page.locator(":focus")

        async def tabs_to(name: str, step: str = "Tab") -> None:
            for _ in range(20):
                await press(step)
                if name in (await focused.text_content() or ""):
                    return
            raise AssertionError(f"no {name} by {step}")

        await tabs_to("Team")
        await press("Enter")
        await expect(chat.listed("Team")).to_be_focused()
        await tabs_to("Daily")
        await press("Enter")
        await expect(chat.message(QUESTION)).to_be_visible()
        await tabs_to("B")
        await press("Enter")
        await told_alone(telegram, emma, team, "Right: B", thread=daily)
        await expect(chat.key("Next")).to_be_visible()
        await press("Tab")
        await expect(chat.message("Right: B").locator(".more")).to_be_focused()
        await press("Enter")
        await expect(chat.page.get_by_role("dialog", name="Message menu")).to_be_visible()
        await press("Escape")
        await expect(chat.message("Right: B").locator(".more")).to_be_focused()
        await press("Shift+Tab")
        await press("Shift+Tab")
        await press("Shift+Tab")
        await expect(chat.message(QUESTION).locator(".more")).to_be_focused()
        await press("Enter")
        await expect(focused).to_have_text("Reply")
        await press("ArrowUp")
        await expect(focused).to_have_text("Delete")
        await press("ArrowDown")
        await press("Enter")
        await expect(chat.page.locator(".field")).to_be_focused()
        await chat.page.keyboard.type("Because of B")
        await press("Enter")
        await expect(chat.message("Because of B").locator(".quote")).to_contain_text(QUESTION)


async def test_on_a_phone_the_list_lies_over_the_chat(
    window: Window, server: Server, telegram: Telegram, asha: Person, team: Group
) -> None:
    await asha.says("/start")
    async with window.chat(server.url, asha.id, chat=team.id, size=PHONE) as chat:
        back = chat.page.get_by_role("button", name="चैट")
        await expect(chat.page.locator(".chats")).to_be_hidden()
        await called(telegram, "sendMessage", chat_id=asha.id, text="psst")
        await expect(back.locator(".badge")).to_have_text("नए संदेश: 1")
        await back.click()
        await expect(chat.listed("Team")).to_be_focused()
        await expect(chat.page.locator(".field")).to_be_hidden()
        await chat.page.keyboard.press("Escape")
        await expect(back).to_be_focused()
        await back.click()
        await chat.listed("psst").click()
        await expect(chat.message("psst")).to_be_visible()
        await expect(back.locator(".badge")).to_have_count(0)


@pytest.mark.parametrize(
    ("size", "dark"), [(PHONE, True), ((320, 640), False), ((1280, 800), True)], ids=str
)
async def test_in_a_group_nothing_is_cut_and_everything_can_be_read(
    window: Window, server: Server, telegram: Telegram, emma: Person, asha: Person, size: Any,
    dark: bool,
) -> None:  # fmt: skip
    await asha.says("/start")
    names = [Person(telegram, f"Somebody{'l' * 30} {n}", "en") for n in range(6)]
    team = await emma.founds("A group with safetensors" * 4, "forum", asha, *names)
    telegram.create_topic(emma.id, team.id, "safetensors" * 4)
    for person in names:
        await person.at(team).says("safetensors " * 3)
    await posted(telegram, team, "w" * 2048 + " é" * 1024, [key("A" * 60)], [key("B"), key("C")])
    telegram.tap(asha.id, team.chat.last_id, 1, 0, chat=team.id)
    await told_alone(telegram, asha, team, HINDI)
    async with window.chat(server.url, asha.id, chat=team.id, size=size, dark=dark) as chat:
        await expect(chat.message(HINDI)).to_be_visible()
        assert len(await chat.message("wwww").locator(".text").inner_text()) > 4096
        assert await chat.cut() == []
        assert await chat.faint() == []


async def test_a_group_is_mirrored_for_one_who_reads_from_right_to_left(
    window: Window, server: Server, telegram: Telegram, emma: Person, asha: Person
) -> None:
    leila = Person(telegram, "ليلى", "ar")
    team = await emma.founds("فريق", "forum", leila, asha)
    telegram.create_topic(emma.id, team.id, "Daily")
    await asha.at(team).says("नमस्ते")
    await leila.at(team).says("أهلا")
    async with window.chat(server.url, leila.id, chat=team.id) as chat:
        other, own = chat.message("नमस्ते"), chat.message("أهلا")
        assert await left(own.locator(".bubble")) < await left(other.locator(".bubble"))
        assert await left(other.locator(".bubble")) < await left(other.locator(".avatar"))
        assert await left(chat.page.locator(".bar-avatar")) < await left(
            chat.page.locator(".chats")
        )
        topics = chat.page.locator(".topic")
        assert await left(topics.nth(1)) < await left(topics.nth(0))
        await expect(chat.page.locator(".status")).to_have_css("direction", "ltr")
        await expect(chat.page.locator(".status")).to_have_css("text-align", "right")
        assert await chat.cut() == []


# Side by side


async def test_two_people_side_by_side_see_each_other_but_not_what_is_for_one_alone(
    window: Window, server: Server, telegram: Telegram, asha: Person, minh: Person, team: Group
) -> None:
    await posted(telegram, team, QUESTION, [key("A"), key("B")])
    async with window.chat(server.url, asha.id, chat=team.id) as chat:
        await expect(chat.page.locator(".pane")).to_have_count(1)
        await chat.page.get_by_role("button", name="Two people").click()
        await expect(chat.pane("Minh").locator(".message")).to_have_count(1)
        await chat.page.get_by_role("link", name="Emma").click()
        await expect(chat.pane("Emma").locator(".message")).to_have_count(1)
        await chat.page.get_by_role("link", name="Minh").click()
        one, two = chat.pane("Asha"), chat.pane("Minh")
        await expect(two.locator(".message")).to_have_count(1)
        own = f"?as={asha.id}&chat={team.id}&beside={minh.id}&beside-chat={team.id}"
        assert chat.page.url.endswith(own)
        await one.locator(".key").last.click()
        await told_alone(telegram, asha, team, HINDI)
        await expect(one.locator(".only-me")).to_be_visible()
        await two.locator(".field").fill("Tôi chọn A")
        await two.locator(".field").press("Enter")
        await expect(one.locator(".text").last).to_contain_text("Tôi chọn A")
        await expect(two.locator(".only-me")).to_have_count(0)
        await chat.page.reload()
        await expect(chat.pane("Minh").locator(".message")).to_have_count(2)
        assert await chat.cut() == []
        assert await chat.faint() == []
        await chat.pane("Asha").get_by_role("button", name="बंद करें").click()
        await expect(chat.page.locator(".pane")).to_have_count(1)
        assert chat.page.url.endswith(f"?as={minh.id}&chat={team.id}")
