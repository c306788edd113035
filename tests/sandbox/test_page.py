"""The chat page in a real browser, against the real sandbox. The tests play the bot."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from bot.sandbox.params import Attachment
from bot.sandbox.server import Server, serve
from bot.sandbox.telegram import Telegram
from tests.browser import (
    PHONE,
    ChatPage,
    Window,
    box,
    chromium,
    expect,
    left,
    needs_chromium,
    outline,
    window_of,
)
from tests.people import Person
from tests.sandbox.playing import answered, called, heard, key, sent

pytestmark = [needs_chromium, pytest.mark.asyncio(loop_scope="module")]

LONG_OPTION = "Saving the weights, the optimizer's state, the RNG states and the loader's position"
HINDI = "बड़े मॉडल के checkpoint को shards में क्यों बाँटा जाता है?"


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


@pytest_asyncio.fixture(loop_scope="module")
async def chat(window: Window, server: Server, learner: Person) -> AsyncIterator[ChatPage]:
    """The page of a Hindi speaker who has met the bot, on a wide window."""
    async with window.chat(server.url, learner.id) as chat:
        yield chat


# The first minute


async def test_a_newcomer_is_told_what_this_is_and_starts_with_one_big_button(
    window: Window, server: Server, telegram: Telegram
) -> None:
    newcomer = Person(telegram, "Sam", "en")
    async with window.chat(server.url, newcomer.id) as chat:
        hint = "This is quizbot on your machine. Pick who you are and tap Start."
        await expect(chat.page.locator(".hint")).to_have_text(hint)
        await expect(chat.page.locator(".field")).to_be_hidden()
        await chat.starts()
        await expect(chat.message("/start")).to_be_visible()
        await expect(chat.page.locator(".start")).to_be_hidden()
        await expect(chat.page.locator(".field")).to_be_focused()
    assert [m["text"] for m in newcomer.messages] == ["/start"]


async def test_people_are_shown_with_their_language_in_its_own_words(
    chat: ChatPage, telegram: Telegram
) -> None:
    Person(telegram, "Linh", "vi")
    await chat.page.reload()
    people = chat.page.get_by_role("navigation", name="Who you are").get_by_role("link")
    await expect(people).to_have_text([re.compile("Asha.*हिन्दी"), re.compile("Linh.*Tiếng Việt")])


async def test_choosing_somebody_else_shows_their_chat_and_stays_in_the_address(
    chat: ChatPage, telegram: Telegram, learner: Person
) -> None:
    other = Person(telegram, "Linh", "vi")
    await other.says("xin chào")
    await chat.page.reload()
    await chat.page.get_by_role("link", name="Linh").click()
    await expect(chat.message("xin chào")).to_be_visible()
    await expect(chat.messages).to_have_count(1)
    assert chat.page.url.endswith(f"?as={other.id}")
    await chat.page.go_back()
    await expect(chat.message("/start")).to_be_visible()
    assert chat.page.url.endswith(f"?as={learner.id}")


async def test_the_messenger_speaks_the_persons_language(chat: ChatPage) -> None:
    await expect(chat.page.get_by_role("button", name="भेजें")).to_be_visible()
    await expect(chat.page.locator(".pane")).to_have_attribute("lang", "hi")


async def test_each_language_has_all_the_messengers_words(chat: ChatPage) -> None:
    names = await chat.page.evaluate(
        """async () => {
          const { wordsFor } = await import("/page/words.js");
          return ["en", "hi", "vi"].map((code) => Object.keys(wordsFor(code)).sort().join());
        }"""
    )
    assert len(set(names)) == 1


# Tapping


async def test_a_button_spins_from_the_tap_to_its_answer_which_is_a_toast(
    chat: ChatPage, telegram: Telegram, learner: Person
) -> None:
    await sent(telegram, learner, "Which?", [key("A"), key("B")])
    await chat.taps("B")
    await expect(chat.key("B")).to_have_attribute("aria-busy", "true")
    await expect(chat.key("A")).not_to_have_attribute("aria-busy", "true")
    await answered(telegram, learner, "✅ Correct!")
    await expect(chat.toast).to_have_text("✅ Correct!")
    await expect(chat.key("B")).not_to_have_attribute("aria-busy", "true")
    await expect(chat.alert).to_be_hidden()


async def test_a_tap_can_be_repeated_while_the_first_waits(
    chat: ChatPage, telegram: Telegram, learner: Person
) -> None:
    await sent(telegram, learner, "Which?", [key("A")])
    await chat.taps("A")
    await chat.taps("A")
    await telegram.until(lambda: len(learner.account.taps) == 2)
    await answered(telegram, learner, "second")
    await expect(chat.toast).to_have_text("second")
    await expect(chat.key("A")).to_have_attribute("aria-busy", "true")
    first = learner.account.taps[0].id
    await called(telegram, "answerCallbackQuery", callback_query_id=first)
    await expect(chat.key("A")).not_to_have_attribute("aria-busy", "true")


async def test_an_answer_that_outruns_the_taps_own_response_ends_the_spinner(
    chat: ChatPage, telegram: Telegram, learner: Person
) -> None:
    await sent(telegram, learner, "Which?", [key("A")])

    async def answer_first(route: Any) -> None:
        response = await route.fetch()
        await answered(telegram, learner, "fast")
        await expect(chat.toast).to_have_text("fast")
        await route.fulfill(response=response)

    await chat.page.route("**/sandbox/tap", answer_first)
    await chat.taps("A")
    await expect(chat.toast).to_have_text("fast")
    await expect(chat.key("A")).not_to_have_attribute("aria-busy", "true")


async def test_an_alert_is_a_dialog_that_waits_for_ok(
    chat: ChatPage, telegram: Telegram, learner: Person
) -> None:
    await sent(telegram, learner, "Which?", [key("A")])
    for text in ("the first", "the second"):
        await chat.taps("A")
        await answered(telegram, learner, text, show_alert=True)
        await expect(chat.page.get_by_role("dialog", name=text)).to_be_visible()
        await chat.page.keyboard.press("Enter")
        await expect(chat.alert).to_be_hidden()
    await expect(chat.key("A")).to_be_focused()


async def test_a_tap_that_never_arrives_is_said_so(
    window: Window, server: Server, telegram: Telegram, learner: Person
) -> None:
    await sent(telegram, learner, "Which?", [key("A")])
    async with window.chat(server.url, learner.id, loses_connection=True) as chat:
        await chat.page.route("**/sandbox/tap", lambda route: route.abort())
        await chat.taps("A")
        await expect(chat.toast).to_have_text("नहीं पहुँचा। क्या quizbot अब भी चल रहा है?")
        await expect(chat.key("A")).not_to_have_attribute("aria-busy", "true")


# Messages


async def test_an_edit_changes_the_message_where_it_stands(
    chat: ChatPage, telegram: Telegram, learner: Person
) -> None:
    question = await sent(telegram, learner, "Which?", [key("A"), key("B")])
    await sent(telegram, learner, "behind it")
    await chat.key("B").focus()
    rows = [[key("❌ A", style="danger"), key("✅ B", style="success")]]
    await called(
        telegram,
        "editMessageText",
        chat_id=learner.id,
        message_id=question,
        text="Which? B.",
        reply_markup={"inline_keyboard": rows},
    )
    await expect(chat.messages).to_have_text(
        [re.compile("/start"), re.compile(r"Which\? B\..*बदला गया"), re.compile("behind it")]
    )
    await expect(chat.key("✅ B")).to_have_class("key success")
    await expect(chat.key("❌ A")).to_have_class("key danger")
    await expect(chat.key("✅ B")).to_be_focused()


async def test_a_reply_leads_to_its_original(
    chat: ChatPage, telegram: Telegram, learner: Person
) -> None:
    question = await sent(telegram, learner, "The question")
    await sent(telegram, learner, "a long text\n" * 80)
    await sent(telegram, learner, "Because.", reply_parameters={"message_id": question})
    quote = chat.message("Because.").locator(".quote")
    await expect(quote).to_have_text("quizbotThe question")
    await quote.scroll_into_view_if_needed()
    await expect(chat.message("The question")).not_to_be_in_viewport()
    await quote.click()
    await expect(chat.message("The question")).to_be_in_viewport()
    await expect(chat.message("The question")).to_be_focused()


async def test_a_deleted_message_goes_and_quotes_of_it_say_so(
    chat: ChatPage, telegram: Telegram, learner: Person
) -> None:
    question = await sent(telegram, learner, "The question")
    await sent(telegram, learner, "Because.", reply_parameters={"message_id": question})
    await called(telegram, "deleteMessage", chat_id=learner.id, message_id=question)
    await expect(chat.messages).to_have_count(2)
    quote = chat.message("Because.").locator(".quote")
    await expect(quote).to_have_text("quizbotहटाया गया संदेश")
    await expect(quote).to_be_disabled()


async def test_formatting_is_shown_and_markup_stays_text(
    chat: ChatPage, telegram: Telegram, learner: Person
) -> None:
    await sent(
        telegram,
        learner,
        "🎉 <b>bold <i>both</i></b> <code>a&lt;b</code> <a href='https://example.org/x'>link</a>\n"
        "<pre><code class='language-python'>x = 1</code></pre>\n"
        "<blockquote>said</blockquote>\n&lt;img src=x onerror=alert(1)&gt;",
    )
    text = chat.message("bold").locator(".text")
    await expect(text.locator("strong")).to_have_text("bold both")
    await expect(text.locator("strong em")).to_have_text("both")
    await expect(text.locator("pre code")).to_have_text("x = 1")
    await expect(text.locator("code").first).to_have_text("a<b")
    await expect(text.locator("blockquote")).to_have_text("said")
    await expect(text).to_contain_text("<img src=x onerror=alert(1)>")
    link = text.get_by_role("link", name="link")
    await expect(link).to_have_attribute("href", "https://example.org/x")
    await expect(link).to_have_attribute("rel", re.compile("noopener"))
    await expect(link).to_have_attribute("target", "_blank")
    assert await text.locator("img").count() == 0


async def test_overlapping_entities_keep_every_letter(chat: ChatPage) -> None:
    html = await chat.page.evaluate(
        """async () => {
          const { formatted } = await import("/page/entities.js");
          const box = document.createElement("p");
          const entities = [
            { type: "italic", offset: 3, length: 6 }, { type: "bold", offset: 1, length: 5 },
            { type: "underline", offset: 4, length: 1 },
          ];
          box.append(formatted("0123456789", entities, {}));
          return box.innerHTML;
        }"""
    )
    assert html == "0<strong>12<em>3<u>4</u>5</em></strong><em>678</em>9"


async def test_a_long_quote_unfolds_and_a_spoiler_opens_by_keyboard(
    chat: ChatPage, telegram: Telegram, learner: Person
) -> None:
    quote = "\n".join(f"line {n}" for n in range(1, 9))
    await sent(
        telegram,
        learner,
        f"<blockquote expandable>{quote}</blockquote>"
        "<blockquote expandable>short</blockquote><tg-spoiler>the answer</tg-spoiler>",
    )
    more = chat.page.get_by_role("button", name="पूरा दिखाएँ")
    await expect(more).to_have_count(1)
    folded = chat.page.locator("blockquote").first
    before = (await box(folded))["height"]
    await more.click()
    assert (await box(folded))["height"] > before * 1.5
    spoiler = chat.page.locator(".spoiler")
    await expect(spoiler).to_have_css("color", "rgba(0, 0, 0, 0)")
    await spoiler.press("Enter")
    await expect(spoiler).not_to_have_css("color", "rgba(0, 0, 0, 0)")


async def test_a_document_is_a_card_that_downloads(
    chat: ChatPage, telegram: Telegram, learner: Person
) -> None:
    file = Attachment("mydata.json", "application/json", b"{}" * 600)
    params = {"chat_id": learner.id, "document": "attach://f", "caption": "All of it."}
    await telegram.call("sendDocument", params, {"f": file})
    card = chat.page.get_by_role("link", name="mydata.json")
    await expect(card).to_contain_text("1.2 kB")
    async with chat.page.expect_download() as download:
        await card.click()
    assert (await download.value).suggested_filename == "mydata.json"


async def test_a_command_in_a_text_can_be_tapped(
    chat: ChatPage, telegram: Telegram, learner: Person
) -> None:
    await sent(telegram, learner, "Go on with /quiz or not.")
    await chat.page.get_by_role("button", name="/quiz").click()
    await heard(telegram, learner, "/quiz")


# Links


async def test_a_deep_link_in_the_address_waits_for_start(
    window: Window, server: Server, telegram: Telegram, learner: Person
) -> None:
    async with window.chat(server.url, learner.id, payload="sharding") as chat:
        await expect(chat.page.locator(".field")).to_be_hidden()
        await chat.starts()
        await expect(chat.message("/start sharding")).to_be_visible()
        await expect(chat.page.locator(".field")).to_be_visible()
        assert chat.page.url.endswith(f"?as={learner.id}")


async def test_a_link_button_to_this_bot_starts_it_here(
    chat: ChatPage, telegram: Telegram, learner: Person
) -> None:
    link = f"https://t.me/{telegram.bot.username}?start=x_42"
    await sent(telegram, learner, f"or <a href='{link}-b'>here</a>", [{"text": "Go", "url": link}])
    await chat.taps("Go")
    await heard(telegram, learner, "/start x_42")
    await chat.page.get_by_role("link", name="here").click()
    await heard(telegram, learner, "/start x_42-b")
    assert len(chat.page.context.pages) == 1


async def test_share_shows_text_and_link_to_copy_or_to_open_as_somebody_else(
    chat: ChatPage, telegram: Telegram, learner: Person
) -> None:
    other = Person(telegram, "Linh", "vi")
    await chat.page.reload()
    link = f"https://t.me/{telegram.bot.username}?start=sharding"
    share = f"https://t.me/share/url?url={link.replace('?', '%3F')}&text=Take%20it%21"
    await sent(telegram, learner, "Done.", [{"text": "Share", "url": share}])
    await chat.taps("Share")
    dialog = chat.page.get_by_role("dialog")
    await expect(dialog).to_contain_text("Take it!")
    await expect(dialog).to_contain_text(link)
    await chat.page.locator("#share-copy").click()
    await expect(dialog).to_be_hidden()
    await expect(chat.toast).to_have_text("कॉपी हो गया")
    copied = await chat.page.evaluate("navigator.clipboard.readText()")
    assert copied == f"Take it!\n{link}"
    await chat.taps("Share")
    await dialog.get_by_role("link", name="Linh").click()
    await chat.page.wait_for_url(f"**/?as={other.id}&start=sharding")
    await chat.starts()
    await heard(telegram, other, "/start sharding")


async def test_other_links_open_in_a_new_tab_and_copy_buttons_copy(
    chat: ChatPage, telegram: Telegram, learner: Person
) -> None:
    copy = {"text": "Copy", "copy_text": {"text": "the text"}}
    await sent(telegram, learner, "x", [{"text": "Web", "url": "https://example.org/"}, copy])
    await expect(chat.key("Web")).to_have_attribute("href", "https://example.org/")
    await expect(chat.key("Web")).to_have_attribute("target", "_blank")
    await expect(chat.key("Web")).to_have_attribute("rel", re.compile("noopener"))
    await chat.taps("Copy")
    await expect(chat.toast).to_have_text("कॉपी हो गया")
    assert await chat.page.evaluate("navigator.clipboard.readText()") == "the text"


async def test_what_a_link_means(chat: ChatPage) -> None:
    kinds = {
        "https://t.me/QuizBot_Demo_bot?start=a": "start",
        "t.me/quizbot_demo_bot": "start",
        "tg://resolve?domain=quizbot_demo_bot&start=a": "start",
        "https://t.me/other_bot?start=a": "web",
        "https://evil.example/quizbot_demo_bot?start=a": "web",
        "https://t.me/share/url?url=x": "share",
        "javascript:alert(1)": "none",
        "data:text/html,x": "none",
        "http://": "none",
    }
    found = await chat.page.evaluate(
        """async (links) => {
          const { meaning } = await import("/page/links.js");
          return links.map((link) => meaning(link, "quizbot_demo_bot").kind);
        }""",
        list(kinds),
    )
    assert dict(zip(kinds, found, strict=True)) == kinds


# Typing


async def test_the_command_menu_speaks_the_persons_language_and_goes_by_arrows(
    chat: ChatPage, telegram: Telegram, learner: Person
) -> None:
    english = [("start", "all quizzes"), ("help", "what I do")]
    hindi = [("start", "सब क्विज़"), ("help", "मैं क्या करता हूँ")]
    for code, menu in (("", english), ("hi", hindi)):
        commands = [{"command": name, "description": text} for name, text in menu]
        await called(telegram, "setMyCommands", commands=commands, language_code=code)
    await chat.page.locator(".field").press_sequentially("/")
    options = chat.page.get_by_role("option")
    await expect(options).to_have_text(["/start सब क्विज़", "/help मैं क्या करता हूँ"])
    await expect(options.nth(0)).to_have_attribute("aria-selected", "true")
    await chat.page.keyboard.press("ArrowDown")
    await expect(options.nth(1)).to_have_attribute("aria-selected", "true")
    await chat.page.keyboard.press("Enter")
    await heard(telegram, learner, "/help")
    await expect(chat.page.locator(".field")).to_have_value("")
    await expect(options).to_have_count(0)


async def test_the_command_menu_opens_by_its_button_and_closes_by_escape(
    chat: ChatPage, telegram: Telegram, learner: Person
) -> None:
    commands = [{"command": "start", "description": "all quizzes"}]
    await called(telegram, "setMyCommands", commands=commands)
    await chat.page.get_by_role("button", name="कमांड").click()
    await expect(chat.page.get_by_role("listbox")).to_be_visible()
    await chat.page.keyboard.press("Escape")
    await expect(chat.page.get_by_role("listbox")).to_be_hidden()
    for shown in (1, 0, 1):
        await chat.page.get_by_role("button", name="कमांड").click()
        await expect(chat.page.get_by_role("option")).to_have_count(shown)
    await chat.page.get_by_role("option").click()
    await telegram.until(lambda: len(learner.messages) == 2)


async def test_everything_can_be_done_by_keyboard_alone(
    window: Window, server: Server, telegram: Telegram
) -> None:
    first, second = Person(telegram, "Asha", "hi"), Person(telegram, "Sam", "en")
    async with window.chat(server.url, first.id) as chat:
        press = chat.page.keyboard.press
        await press("Tab")
        await press("Tab")
        await expect(chat.page.get_by_role("link", name="Sam")).to_be_focused()
        await press("Enter")
        await expect(chat.page.get_by_role("link", name="Sam")).to_be_focused()
        for tool in ("Two people side by side", "Lab"):
            await press("Tab")
            await expect(chat.page.get_by_role("button", name=tool)).to_be_focused()
        await press("Tab")
        await press("Enter")
        await heard(telegram, second, "/start")
        await expect(chat.page.locator(".field")).to_be_focused()
        await sent(telegram, second, "Which?", [key("A"), key("B")])
        await expect(chat.key("B")).to_be_visible()
        await press("Shift+Tab")
        await expect(chat.key("B")).to_be_focused()
        assert await outline(chat.key("B")) == "solid"
        await press("Enter")
        await answered(telegram, second, "Right", show_alert=True)
        await expect(chat.alert).to_be_visible()
        await press("Enter")
        await expect(chat.alert).to_be_hidden()
        await press("Tab")
        await chat.page.keyboard.type("thanks")
        await press("Enter")
        await heard(telegram, second, "thanks")


async def test_what_could_not_be_sent_is_still_in_the_field(
    window: Window, server: Server, learner: Person
) -> None:
    async with window.chat(server.url, learner.id, loses_connection=True) as chat:
        await chat.page.route("**/sandbox/say", lambda route: route.abort())
        await chat.says("hello")
        await expect(chat.toast).to_contain_text("quizbot")
        await expect(chat.page.locator(".field")).to_have_value("hello")


# Screen readers


async def test_a_new_message_is_announced_with_its_buttons_and_history_is_not(
    chat: ChatPage, telegram: Telegram, learner: Person
) -> None:
    announcer = chat.page.locator("#announcer")
    await expect(announcer).to_have_text("")
    await sent(telegram, learner, "Which?", [key("A"), key("B")])
    await expect(announcer).to_have_text("quizbot: Which? A B")
    await expect(announcer).to_have_attribute("aria-live", "polite")
    await expect(chat.page.locator(".toasts")).to_have_attribute("role", "status")


# Looks


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, (320, 640), (1280, 800)], ids=["phone", "small", "wide"])
async def test_nothing_is_cut_and_everything_can_be_read(
    window: Window, server: Server, telegram: Telegram, learner: Person, dark: bool, size: Any
) -> None:
    for name, code in (("Linh", "vi"), ("Sam", "en")):
        Person(telegram, name, code)
    question = await sent(
        telegram,
        learner,
        f"<b>{HINDI}</b>\n<code>{'safetensors' * 12}</code>",
        [key(LONG_OPTION)],
        [key(HINDI, style="primary")],
        [key("❌ " + "safetensors" * 9, style="danger"), key("✅ B", style="success")],
        [key(letter) for letter in "ABCDEF"],
    )
    quoted = {"message_id": question}
    await sent(
        telegram, learner, "<blockquote>x</blockquote>" + "w" * 4000, reply_parameters=quoted
    )
    async with window.chat(server.url, learner.id, size=size, dark=dark) as chat:
        await chat.taps("✅ B")
        await answered(telegram, learner, "✅ " + "safetensors" * 12)
        await expect(chat.toast).to_be_visible()
        assert await chat.cut() == []
        assert await chat.faint() == []


async def test_a_right_to_left_chat_is_mirrored_but_its_keyboard_is_not(
    window: Window, server: Server, telegram: Telegram
) -> None:
    leila = Person(telegram, "ليلى", "ar")
    await leila.says("/start")
    await sent(telegram, leila, "لماذا تُقسَّم النقاط؟", [key("أ"), key("ب")])
    await sent(telegram, leila, "left to right")
    async with window.chat(server.url, leila.id, size=PHONE) as chat:
        own = await left(chat.message("/start").locator(".bubble"))
        asked = chat.message("لماذا")
        assert own < await left(asked.locator(".bubble"))
        assert await left(chat.key("أ")) < await left(chat.key("ب"))
        await expect(asked.locator(".text")).to_have_css("direction", "rtl")
        await expect(chat.message("left to right").locator(".text")).to_have_css(
            "direction", "ltr"
        )
        assert await chat.cut() == []


# Staying up to date


async def test_new_messages_don_t_move_one_who_reads_further_up(
    chat: ChatPage, telegram: Telegram, learner: Person
) -> None:
    await sent(telegram, learner, "the top")
    await sent(telegram, learner, "a long text\n" * 80)
    await chat.message("the top").scroll_into_view_if_needed()
    chip = chat.page.locator(".chip")
    await expect(chip).to_be_hidden()
    await sent(telegram, learner, "the end")
    await expect(chip).to_have_text("↓ नए संदेश (1)")
    await expect(chat.message("the top")).to_be_in_viewport()
    await chip.click()
    await expect(chat.message("the end")).to_be_in_viewport()
    await expect(chip).to_be_hidden()
    await sent(telegram, learner, "followed")
    await expect(chat.message("followed")).to_be_in_viewport()


async def test_a_message_longer_than_the_window_is_shown_from_its_beginning(
    chat: ChatPage, telegram: Telegram, learner: Person
) -> None:
    await sent(telegram, learner, "<b>begins</b>\n" + "on and on\n" * 100)
    await expect(chat.messages.get_by_text("begins")).to_be_in_viewport()


async def test_a_lost_connection_comes_back_with_what_was_missed(
    window: Window, server: Server, telegram: Telegram, learner: Person
) -> None:
    question = await sent(telegram, learner, "Which?", [key("A")])
    async with window.chat(server.url, learner.id, loses_connection=True) as chat:
        await chat.taps("A")
        await expect(chat.key("A")).to_have_attribute("aria-busy", "true")
        await server.close()
        await expect(chat.page.get_by_text("फिर से कनेक्ट हो रहा है…")).to_be_visible()
        edit = {"chat_id": learner.id, "message_id": question, "text": "Missed"}
        await called(
            telegram, "editMessageText", **edit, reply_markup={"inline_keyboard": [[key("A")]]}
        )
        again = await serve(telegram, port=server.port)
        await expect(chat.message("Missed")).to_be_visible()
        await expect(chat.page.locator(".status")).to_have_text("बॉट")
        await expect(chat.key("A")).not_to_have_attribute("aria-busy", "true")
        await again.close()
