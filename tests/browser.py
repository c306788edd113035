"""The system's Chromium, and the words that browser tests speak to the chat page.

A test module opens one window for all its tests, which is several times faster than one each:

    pytestmark = [needs_chromium, pytest.mark.asyncio(loop_scope="module")]

    @pytest_asyncio.fixture(scope="module", loop_scope="module")
    async def window() -> AsyncIterator[Window]:
        async with chromium() as browser, window_of(browser) as window:
            yield window

    async def test_...(window: Window, ...) -> None:
        async with window.chat(server.url, person.id) as chat:
            await chat.starts()
"""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode, urlsplit

import pytest

if TYPE_CHECKING:
    from playwright.async_api import Browser, FloatRect, Locator, Page

CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
needs_chromium = pytest.mark.skipif(
    find_spec("playwright") is None or shutil.which(CHROMIUM) is None,
    reason="needs the playwright package and a Chromium: apt-get install chromium",
)

PHONE = (390, 844)
DESKTOP = (1280, 800)
_ARGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
_LOADED = ".start:visible, .composer:visible"
_GROUP_LOADED = ".messages.of-group .service"
# What Chromium itself writes to the console while a server is away.
_REFUSED = ("Failed to load resource: the server responded with a status of 400",)
_CONNECTION = ("WebSocket connection to", "Failed to load resource: net::ERR_")


@asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    """A headless Chromium."""
    from playwright.async_api import async_playwright

    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=list(_ARGS))
        yield browser
        await browser.close()


@asynccontextmanager
async def window_of(browser: Browser) -> AsyncIterator[Window]:
    """A window of its own, sharing nothing with others."""
    context = await browser.new_context(
        reduced_motion="reduce",
        permissions=["clipboard-read", "clipboard-write"],
        accept_downloads=True,
    )
    yield Window(await context.new_page())
    await context.close()


class Window:
    """A browser window, which shows one chat after the other."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._trouble: list[str] = []
        self._asked: list[str] = []
        page.on("console", lambda message: self._trouble.append(message.text))
        page.on("pageerror", lambda error: self._trouble.append(str(error)))
        page.on("request", lambda request: self._asked.append(request.url))
        page.on("websocket", lambda socket: self._asked.append(socket.url))

    @asynccontextmanager
    async def chat(
        self,
        url: str,
        person_id: int,
        *,
        chat: int | None = None,
        topic: int | None = None,
        beside: int | None = None,
        payload: str | None = None,
        size: tuple[int, int] = DESKTOP,
        dark: bool = False,
        loses_connection: bool = False,
        asks_too_much: bool = False,
    ) -> AsyncIterator[ChatPage]:
        """The page as this person, with the chat loaded: the private one, or a group's topic.
        Beside it, on a wide window, the same as somebody else.

        When the block ends, nothing may stand in the browser's console and no request may have
        left the server's origin; `loses_connection` allows complaints of a server being away,
        `asks_too_much` of one that refuses.
        """
        await self.page.set_viewport_size({"width": size[0], "height": size[1]})
        await self.page.emulate_media(color_scheme="dark" if dark else "light")
        asked = {"as": person_id, "chat": chat, "topic": topic, "start": payload}
        if beside is not None:
            asked |= {"beside": beside, "beside-chat": chat, "beside-topic": topic}
        query = urlencode({name: value for name, value in asked.items() if value is not None})
        await self.page.goto(f"{url}/?{query}")
        await self.page.locator(_LOADED if chat is None else _GROUP_LOADED).first.wait_for()
        yield ChatPage(self.page)
        await self.page.unroute_all()
        await self.page.goto("about:blank")
        allowed = (_CONNECTION if loses_connection else ()) + (_REFUSED if asks_too_much else ())
        self._check(urlsplit(url).netloc, allowed)

    def _check(self, origin: str, allowed: tuple[str, ...]) -> None:
        trouble = [text for text in self._trouble if not text.startswith(allowed)]
        foreign = [url for url in self._asked if urlsplit(url).netloc not in (origin, "")]
        self._trouble.clear()
        self._asked.clear()
        assert trouble == []
        assert foreign == []


class ChatPage:
    """A chat in the browser. `page` is Playwright's, for all that has no word here."""

    def __init__(self, page: Page) -> None:
        self.page = page

    async def starts(self) -> None:
        """Presses the big Start."""
        await self.page.locator(".start").click()

    async def says(self, text: str) -> None:
        """Types a message and sends it."""
        await self.page.locator(".field").fill(text)
        await self.page.locator(".field").press("Enter")

    async def taps(self, label: str) -> None:
        """Taps the newest button that has this label, or has it as a part."""
        await self.key(label).click()

    def key(self, label: str) -> Locator:
        """The newest button with this text in it."""
        return self.page.locator(".key").filter(has_text=label).last

    @property
    def messages(self) -> Locator:
        """All messages, oldest first."""
        return self.page.locator(".message")

    @property
    def services(self) -> Locator:
        """What happened in the group."""
        return self.page.locator(".service")

    def pane(self, name: str) -> Locator:
        """The column of this person."""
        return self.page.get_by_role("region", name=name, exact=True)

    def listed(self, name: str) -> Locator:
        """An entry in the list of chats."""
        return self.page.locator(".chat-entry").filter(has_text=name)

    async def opens_lab(self, tab: str) -> Locator:
        """Opens the drawer on this tab."""
        await self.page.get_by_role("button", name="Lab", exact=True).click()
        await self.page.get_by_role("tab", name=tab).click()
        return self.page.get_by_role("tabpanel", name=tab)

    async def chooses(self, action: str, message: Locator) -> None:
        """Chooses from the menu of a message."""
        await message.hover()
        await message.locator(".more").click()
        await self.page.locator("#menu").get_by_role("button", name=action).click()

    def message(self, text: str) -> Locator:
        """The newest message with this text in its bubble."""
        bubble = self.page.locator(".bubble .text").filter(has_text=text)
        return self.messages.filter(has=bubble).last

    @property
    def toast(self) -> Locator:
        """The newest toast."""
        return self.page.locator(".toast").last

    @property
    def alert(self) -> Locator:
        """The open alert."""
        return self.page.locator("#alert[open]")

    async def cut(self) -> list[str]:
        """Texts wider than the box they stand in, and "the page" if it scrolls sideways."""
        cut: list[str] = await self.page.evaluate(_CUT)
        return cut

    async def faint(self) -> list[str]:
        """Texts with less contrast than 4.5 : 1 (WCAG 2, AA), as `text: ratio`."""
        faint: list[str] = await self.page.evaluate(_FAINT)
        return faint


def expect(locator: Locator) -> Any:
    """Playwright's assertions, imported only where there is a Playwright."""
    from playwright.async_api import expect

    return expect(locator)


async def outline(locator: Locator) -> str:
    """The style of the focus ring."""
    style: str = await locator.evaluate("(element) => getComputedStyle(element).outlineStyle")
    return style


async def left(locator: Locator) -> float:
    """Where it begins, in pixels from the left."""
    return (await box(locator))["x"]


async def box(locator: Locator) -> FloatRect:
    """Its place and size in pixels."""
    found = await locator.bounding_box()
    assert found is not None
    return found


_CUT = """() => {
  const kinds = ".bubble, .text, .key, .toast, .person, .start, .service, .note, .topic, .title";
  const boxes = [...document.querySelectorAll(kinds)];
  const wider = (box) => box.scrollWidth > box.clientWidth;
  const cut = boxes.filter((box) => box.offsetParent && box.scrollWidth > box.clientWidth + 1);
  const sideways = [document.scrollingElement, document.querySelector(".scroller")].some(wider);
  return [...cut.map((box) => box.textContent), ...(sideways ? ["the page"] : [])];
}"""

_FAINT = """() => {
  const parts = (colour) => {
    const [r, g, b, alpha = 1] = colour.match(/[\\d.]+/g).map(Number);
    const scale = colour.startsWith("color(") ? 255 : 1;
    return [r * scale, g * scale, b * scale, alpha];
  };
  const over = (top, under) => under.map((c, i) => top[i] * top[3] + c * (1 - top[3]));
  const behind = (element) => {
    if (!element) return [255, 255, 255];
    const own = parts(getComputedStyle(element).backgroundColor);
    return own[3] === 1 ? own.slice(0, 3) : over(own, behind(element.parentElement));
  };
  const linear = (c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  const light = (rgb) => {
    const [r, g, b] = rgb.map((c) => linear(c / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  const holds = (element) => element.checkVisibility() && !element.closest(".unseen, .sprite") &&
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
  return [...document.querySelectorAll("body *")].filter(holds).map((element) => {
    const back = behind(element);
    const front = over(parts(getComputedStyle(element).color), back);
    return [element.textContent.slice(0, 30), ratio(light(front), light(back))];
  }).filter(([, found]) => found < 4.5).map(([text, found]) => `${text}: ${found.toFixed(2)}`);
}"""
