"""`quizbot demo` as a newcomer meets it: the real process, and a browser where there is one."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest
import pytest_asyncio

from bot import shipped
from bot.i18n import Catalogues
from bot.library.load import load
from bot.markup import plain
from bot.quiz.quiz import Quiz
from tests.browser import DESKTOP, PHONE, ChatPage, Window, chromium, needs_chromium, window_of

PICTURES = os.environ.get("QUIZBOT_TESTS_PICTURES")


@asynccontextmanager
async def demo(*options: str) -> AsyncIterator[tuple[str, asyncio.subprocess.Process]]:
    """The running process and the address it printed."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", "demo", *options,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        cwd=Path(__file__).parent.parent,
    )  # fmt: skip
    assert process.stdout is not None
    line = (await asyncio.wait_for(process.stdout.readline(), 60)).decode()
    address = re.search(r"http://127\.0\.0\.1:\d+/", line)
    assert address, line
    try:
        yield address[0].rstrip("/"), process
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGINT)
        _, errors = await asyncio.wait_for(process.communicate(), 20)
        assert process.returncode == 0, errors.decode()
        assert b"Traceback" not in errors


async def state(url: str) -> dict[str, list[dict[str, object]]]:
    """What the page is told at first."""
    async with aiohttp.ClientSession() as session, session.get(f"{url}/sandbox/state") as answer:
        return dict(await answer.json())


async def test_the_page_is_served_with_three_people_and_ctrl_c_ends_it_quietly() -> None:
    async with demo("--port", "0") as (url, process):
        people = (await state(url))["people"]
        assert [person["language_code"] for person in people] == ["en", "hi", "vi"]
        process.send_signal(signal.SIGINT)
        _, errors = await process.communicate()
    assert b"ERROR" not in errors


async def test_a_port_that_is_taken_makes_it_take_the_next() -> None:
    async with demo("--port", "18080") as (first, _), demo("--port", "18080") as (second, _):
        assert first != second
        assert len((await state(second))["people"]) == 3


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def window() -> AsyncIterator[Window]:
    """One browser window for all."""
    async with chromium() as browser, window_of(browser) as window:
        yield window


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def url() -> AsyncIterator[str]:
    """One demo for all."""
    async with demo("--port", "0") as (address, _):
        yield address


@pytest.fixture(scope="module")
def quiz() -> Quiz:
    """The shipped quiz."""
    return load(shipped.quizzes()).quizzes["checkpoint-sharding"]


@needs_chromium
@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(
    ("code", "size", "dark"), [("hi", PHONE, False), ("vi", DESKTOP, True), ("en", PHONE, True)]
)
async def test_the_whole_quiz_in_the_browser(
    window: Window, url: str, quiz: Quiz, code: str, size: tuple[int, int], dark: bool
) -> None:
    lang = Catalogues.load(shipped.locales(), "en").language(code)
    people = (await state(url))["people"]
    person = next(p["id"] for p in people if p["language_code"] == code)
    assert isinstance(person, int)
    async with window.chat(url, person, size=size, dark=dark) as chat:
        await chat.starts()
        await chat.taps(quiz.titles[code])
        await picture(chat, f"{code}-card")
        await chat.taps(lang.term("button", "Start"))
        for number, question in enumerate(quiz.questions, 1):
            wording = question.wordings[code]
            right = plain(wording.options[next(iter(question.answer))])
            asked = chat.message(plain(wording.question))
            await asked.wait_for()
            text = await asked.locator(".text").inner_text()
            assert f"{number}/8" in text
            await chat.taps(letter_of(text, right) or right)
            explained = chat.message(plain(wording.explanation)[:60])
            await explained.wait_for()
            assert await explained.locator(".quote").count() == 1
            assert await chat.cut() == []
            await picture(chat, f"{code}-{number}")
            last = number == len(quiz.questions)
            await chat.taps(lang.term("button", "Your result ▸" if last else "Next ▸"))
        await chat.message("🏁").wait_for()
        assert "8/8" in await chat.messages.last.inner_text()
        await picture(chat, f"{code}-result")
        assert await chat.cut() == []
        assert await chat.faint() == []


def letter_of(text: str, option: str) -> str | None:
    """The letter before the option, if the message has it in a line of its own."""
    for line in text.splitlines():
        if line.endswith(option):
            return line.split(".")[0].strip()
    return None


async def picture(chat: ChatPage, name: str) -> None:
    """A screenshot to look at, if a folder for them is given."""
    if PICTURES:
        await chat.page.screenshot(path=Path(PICTURES, f"{name}.png"))


@needs_chromium
@pytest.mark.asyncio(loop_scope="module")
async def test_an_author_sees_a_saved_file_at_once(window: Window, tmp_path: Path) -> None:
    folder = tmp_path / "quizzes"
    shutil.copytree(shipped.quizzes(), folder)
    async with demo("--port", "0", "--quizzes", str(folder)) as (url, process):
        person = (await state(url))["people"][0]["id"]
        assert isinstance(person, int)
        async with window.chat(url, person) as chat:
            file = folder / "checkpoint-sharding" / "quiz.yaml"
            file.write_text(file.read_text().replace("title: Checkpoint", "title: My checkpoint"))
            assert process.stderr is not None
            while b"quizzes served" not in await process.stderr.readline():
                pass
            while b"quizzes served" not in await process.stderr.readline():
                pass
            await chat.starts()
            await chat.taps("My checkpoint sharding")
            await chat.message("My checkpoint sharding").wait_for()
