"""The Lab: clock, trouble, groups and the log pane, in a real browser."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest
import pytest_asyncio

from bot.sandbox.clock import SandboxClock
from bot.sandbox.server import Server, serve
from bot.sandbox.switches import switches
from bot.sandbox.telegram import Telegram
from tests.browser import PHONE, ChatPage, Window, chromium, expect, needs_chromium, window_of
from tests.people import Person
from tests.sandbox.playing import called, key, sent

pytestmark = [needs_chromium, pytest.mark.asyncio(loop_scope="module")]


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
    """Who plays with the Lab."""
    return Person(telegram, "Emma", "en")


@pytest_asyncio.fixture(loop_scope="module")
async def chat(window: Window, server: Server, emma: Person) -> AsyncIterator[ChatPage]:
    """Her chat with the bot."""
    await emma.says("/start")
    async with window.chat(server.url, emma.id) as chat:
        yield chat


async def test_an_empty_chat_shows_what_the_bot_says_of_itself_and_the_lab_is_closed(
    window: Window, server: Server, telegram: Telegram
) -> None:
    await called(telegram, "setMyDescription", description="Quizzes in your language.")
    sam = Person(telegram, "Sam", "en")
    async with window.chat(server.url, sam.id) as chat:
        await expect(chat.page.locator(".welcome-text")).to_have_text("Quizzes in your language.")
        await expect(chat.page.locator("#lab")).to_be_hidden()


async def test_the_drawer_opens_by_keyboard_and_its_tabs_go_by_arrows(chat: ChatPage) -> None:
    button = chat.page.get_by_role("button", name="Lab", exact=True)
    await button.focus()
    await chat.page.keyboard.press("Enter")
    await expect(button).to_have_attribute("aria-expanded", "true")
    drawer = chat.page.get_by_role("complementary", name="Lab")
    await expect(drawer.get_by_role("tab", name="Clock")).to_be_focused()
    await chat.page.keyboard.press("ArrowLeft")
    await expect(drawer.get_by_role("tab", name="Log")).to_be_focused()
    await expect(drawer.get_by_role("tabpanel", name="Log")).to_be_visible()
    await expect(drawer.get_by_role("log", name="The bot's calls")).to_have_attribute(
        "aria-live", "off"
    )
    await chat.page.keyboard.press("Escape")
    await expect(drawer).to_be_hidden()
    await expect(button).to_be_focused()


# Clock and trouble


async def test_the_clock_goes_forward_by_steps_and_to_a_time_but_never_back(
    chat: ChatPage, clock: SandboxClock
) -> None:
    lab = await chat.opens_lab("Clock")
    start = clock.now()
    for label, step in (("+1 h", timedelta(hours=1)), ("+1 day", timedelta(days=1))):
        before = clock.now()
        async with chat.page.expect_response("**/sandbox/clock"):
            await lab.get_by_role("button", name=label).click()
        assert step <= clock.now() - before < step + timedelta(minutes=1)
    await expect(lab.locator(".aside").first).to_have_text(re.compile("1 d 1 h ahead"))
    target = (start + timedelta(days=9)).replace(microsecond=0)
    await lab.get_by_label("Forward to").first.fill(
        await chat.page.evaluate(
            """(ms) => {
              const date = new Date(ms);
              return new Date(date - date.getTimezoneOffset() * 60000).toISOString().slice(0, 19);
            }""",
            target.timestamp() * 1000,
        )
    )
    async with chat.page.expect_response("**/sandbox/clock"):
        await lab.get_by_role("button", name="Forward to").click()
    assert abs(clock.now() - target) < timedelta(minutes=1)
    await lab.get_by_label("Forward to").first.fill("2020-01-01T00:00:00")
    await lab.get_by_role("button", name="Forward to").click()
    await expect(chat.toast).to_have_text("The sandbox's clock only goes forward.")


async def test_trouble_is_switched_for_all_or_for_the_open_chat(
    chat: ChatPage, telegram: Telegram, emma: Person
) -> None:
    def on() -> list[tuple[str, int | None]]:
        return [(t["what"], t["chat"]) for t in switches(telegram.trouble, telegram.clock.now())]

    lab = await chat.opens_lab("Clock")
    broken, slow = (lab.get_by_role("switch", name=name) for name in ("Broken", "Slow"))
    await broken.click()
    await expect(broken).to_have_attribute("aria-checked", "true")
    await expect(broken).to_be_focused()
    await expect(chat.page.locator("#lab-open")).to_have_class(re.compile("troubled"))
    assert on() == [("broken", None)]
    await lab.get_by_label("open chat only").check()
    await slow.click()
    await expect(slow).to_have_attribute("aria-checked", "true")
    assert on() == [("broken", None), ("slow", emma.id)]
    for one in (broken, slow):
        await one.click()
        await expect(one).to_have_attribute("aria-checked", "false")
    await expect(chat.page.locator("#lab-open")).not_to_have_class(re.compile("troubled"))
    assert on() == []


# Groups


async def test_a_group_is_made_and_led_from_the_lab(
    window: Window, server: Server, telegram: Telegram, emma: Person
) -> None:
    ravi = Person(telegram, "Ravi", "hi")
    Person(telegram, "Lan", "vi")
    async with window.chat(server.url, emma.id, asks_too_much=True) as chat:
        lab = await chat.opens_lab("Chats")
        await lab.get_by_label("Title").fill("Reading circle")
        await lab.get_by_label("Lan", exact=True).uncheck()
        await lab.get_by_role("button", name="Create").click()
        await expect(chat.page.locator(".title")).to_have_text("Reading circle")
        group = next(iter(telegram.world.places.values()))
        assert (group.kind, group.people) == ("forum", [emma.id, ravi.id])
        assert group.bot_member.status == "member"

        async def becomes(name: str, role: str, status: str) -> None:
            await lab.get_by_role("combobox", name=name, exact=True).select_option(role)
            now = {p.first_name: p for p in telegram.world.people.values()}.get(name)
            await telegram.until(
                lambda: (group.member(now.id) if now else group.bot_member).status == status
            )

        await becomes("Ravi", "admin, anonymous", "administrator")
        assert group.member(ravi.id).anonymous
        await becomes("Ravi", "may not write", "restricted")
        await becomes("Ravi", "not here", "kicked")
        await becomes("Lan", "admin", "administrator")
        await becomes("quizbot", "admin", "administrator")
        await becomes("quizbot", "not here", "kicked")
        await expect(chat.services.last).to_have_text("⁨Emma⁩ removed ⁨quizbot⁩")
        await lab.get_by_label("New topic").fill("Daily")
        await lab.get_by_role("button", name="Add").click()
        await expect(chat.page.locator(".topic")).to_have_text(["General", "Daily"])
        await expect(lab.get_by_label("New topic")).to_have_value("")
        await lab.get_by_role("button", name="Close").last.click()
        await expect(chat.page.locator(".topic svg")).to_have_count(1)
        await chat.page.get_by_role("link", name="Lan").click()
        await lab.get_by_role("button", name="Delete the group").click()
        await expect(chat.page.locator(".title")).to_have_text("quizbot")


async def test_the_bot_is_blocked_and_people_join_from_the_lab(
    chat: ChatPage, telegram: Telegram, emma: Person
) -> None:
    lab = await chat.opens_lab("Chats")
    await lab.get_by_role("button", name="Block quizbot").click()
    await expect(chat.page.locator(".note")).to_contain_text("You blocked the bot.")
    assert emma.account.blocked
    await lab.get_by_role("button", name="Unblock quizbot").click()
    await expect(chat.page.locator(".note")).to_be_hidden()
    await lab.get_by_label("Name").fill("ليلى")
    await lab.get_by_label("Language").fill("ar")
    await lab.get_by_role("button", name="Join").click()
    await expect(chat.page.get_by_role("link", name="ليلى")).to_have_attribute(
        "aria-current", "true"
    )
    await expect(chat.page.locator(".pane")).to_have_css("direction", "rtl")


# The log


async def test_each_call_is_listed_with_its_answer_and_unfolds_into_json(
    chat: ChatPage, telegram: Telegram, emma: Person
) -> None:
    await sent(telegram, emma, "before it was opened", [key("A")])
    lab = await chat.opens_lab("Log")
    await telegram.call("sendMessage", {"chat_id": emma.id, "text": ""})
    calls = lab.get_by_role("listitem")
    await expect(calls).to_have_text(
        [
            re.compile("sendMessageok.*Emma: before it was opened"),
            re.compile("sendMessage400.*Bad Request: message text is empty"),
        ]
    )
    await calls.last.locator("summary").press("Enter")
    await expect(calls.last.locator("pre").first).to_contain_text('"text": ""')
    await calls.last.get_by_role("button", name="Copy JSON").click()
    await expect(calls.last.get_by_role("button", name="Copied")).to_be_visible()
    copied = json.loads(await chat.page.evaluate("navigator.clipboard.readText()"))
    assert copied["method"] == "sendMessage"
    assert copied["params"] == {"chat_id": emma.id, "text": ""}
    assert copied["answer"]["error_code"] == 400


async def test_the_log_is_filtered_paused_and_cleared(
    chat: ChatPage, telegram: Telegram, emma: Person
) -> None:
    lab = await chat.opens_lab("Log")
    await sent(telegram, emma, "one")
    await called(telegram, "sendChatAction", chat_id=emma.id, action="typing")
    await expect(chat.page.locator(".status")).to_have_text("typing…")
    calls = lab.get_by_role("listitem")
    await expect(calls).to_have_count(2)
    await lab.get_by_label("Filter").fill("chataction")
    await expect(calls).to_have_count(1)
    await lab.get_by_label("Filter").fill("")
    await expect(calls).to_have_count(2)
    await lab.get_by_role("button", name="Pause").click()
    await sent(telegram, emma, "two")
    await expect(lab.get_by_role("button", name="Go on (1)")).to_be_visible()
    await expect(calls).to_have_count(2)
    await lab.get_by_role("button", name="Go on (1)").click()
    await expect(calls).to_have_count(3)
    await lab.get_by_role("button", name="Clear").click()
    await expect(calls).to_have_count(0)


# Looks


@pytest.mark.parametrize(("size", "dark"), [(PHONE, True), ((1280, 800), False)], ids=str)
async def test_everything_in_the_lab_can_be_read(
    window: Window,
    server: Server,
    telegram: Telegram,
    emma: Person,
    size: tuple[int, int],
    dark: bool,
) -> None:
    team = await emma.founds("Team", "forum", Person(telegram, "ليلى", "ar"))
    async with window.chat(server.url, emma.id, chat=team.id, size=size, dark=dark) as chat:
        await called(telegram, "sendMessage", chat_id=team.id, text="safetensors" * 60)
        await telegram.call("sendMessage", {"chat_id": 1, "text": "x"})
        await chat.page.get_by_role("button", name="Lab", exact=True).click()
        for tab in ("Clock", "Chats", "Log"):
            await chat.page.get_by_role("tab", name=tab).click()
            panel = chat.page.get_by_role("tabpanel", name=tab)
            assert await panel.evaluate("(panel) => panel.scrollWidth - panel.clientWidth") == 0
            assert await chat.faint() == []
        await panel.locator("summary").first.click()
        assert await chat.faint() == []
        assert await chat.cut() == []
