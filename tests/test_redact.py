"""The token, whole, its secret half, URL-encoded: in no line, whichever way it comes."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import sys
import threading
import warnings
from collections.abc import Iterator
from typing import Literal
from urllib.parse import quote, quote_plus

import pytest

from bot import logs
from bot.redact import MASK, Redactor

TOKEN = "1000000042:AAH-never_in_any-output-9Zz"
HALF = TOKEN.partition(":")[2]
URL = f"https://api.telegram.org/bot{TOKEN}/getMe"
HOOK = "p/a ss+w&rd:ü"

pytestmark = pytest.mark.logs_errors

LOGGERS = (
    "telegram", "telegram.ext.Application", "httpx", "httpcore.http11", "aiohttp.client",
    "aiohttp.access", "aiosqlite", "asyncio", "urllib3", "bot.gateway", "somebody.else",
)  # fmt: skip


@pytest.fixture(params=["text", "json"])
def out(request: pytest.FixtureRequest) -> Iterator[io.StringIO]:
    """What a process with these secrets writes at DEBUG; nothing of them may be in it."""
    stream = io.StringIO()
    root = logging.getLogger()
    before = root.handlers[:], root.level, sys.excepthook, threading.excepthook
    levels = {name: logging.getLogger(name).level for name in LOGGERS}
    style: Literal["text", "json"] = request.param
    logs.setup("DEBUG", style, [TOKEN, HOOK], stream)
    yield stream
    root.handlers[:], _, sys.excepthook, threading.excepthook = before
    root.setLevel(before[1])
    logging.captureWarnings(False)
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)
    written = stream.getvalue()
    assert MASK in written
    for form in (*FORMS, quote(TOKEN), quote(TOKEN, safe="")):
        assert form.lower() not in written.lower()
    if style == "json":
        assert all(json.loads(line)["message"] for line in written.splitlines())


@pytest.mark.parametrize("name", LOGGERS)
def test_no_logger_writes_it_at_any_level(out: io.StringIO, name: str) -> None:
    for level in (logging.DEBUG, logging.INFO, logging.WARNING, logging.CRITICAL):
        logging.getLogger(name).log(level, "GET %s for %r", URL, {"token": TOKEN})
    assert MASK in out.getvalue()


FORMS = (
    *(TOKEN, HALF, URL, quote(URL, safe=""), quote(TOKEN, safe="").lower()),
    *(HOOK, quote(HOOK), quote(HOOK, safe=""), quote_plus(HOOK)),
)


@pytest.mark.parametrize("form", FORMS)
def test_neither_as_a_message_nor_as_an_argument(out: io.StringIO, form: str) -> None:
    logging.warning("plain " + form)  # as libraries do; nothing is formatted then
    logging.warning("argument %s", form)
    logging.warning("bytes %r", form.encode())
    assert out.getvalue().count(MASK) >= 3 - (not form.isascii())


class Unhandled(Exception):
    """Something whose text has the token."""


def fail_in_a_chain() -> None:
    try:
        raise Unhandled(f"first {TOKEN}")
    except Unhandled as error:
        try:
            raise KeyError(URL) from error
        except KeyError:
            raise Unhandled(f"last {quote(TOKEN, safe='')}")  # noqa: B904  (a context, no cause)


def test_not_in_a_traceback_nor_in_those_chained_to_it(out: io.StringIO) -> None:
    try:
        fail_in_a_chain()
    except Unhandled:
        logging.exception("failed")
    written = out.getvalue()
    assert written.count(MASK) >= 3
    assert "direct cause" in written
    assert "another exception occurred" in written


def test_not_from_an_exception_that_nobody_caught(out: io.StringIO) -> None:
    try:
        fail_in_a_chain()
    except Unhandled as error:
        sys.excepthook(type(error), error, error.__traceback__)
    assert "not caught" in out.getvalue()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_not_from_a_thread(out: io.StringIO) -> None:
    hook = threading.excepthook
    thread = threading.Thread(target=fail_in_a_chain)
    thread.start()
    thread.join()
    assert hook is threading.excepthook
    assert "not caught in a thread" in out.getvalue()


def test_not_from_a_task_that_nobody_awaited(out: io.StringIO) -> None:
    async def main() -> None:
        loop = asyncio.get_running_loop()
        try:
            fail_in_a_chain()
        except Unhandled as error:
            loop.call_exception_handler({"message": "lost", "exception": error, "url": URL})

    asyncio.run(main())
    assert "lost" in out.getvalue()


def test_not_from_a_warning(out: io.StringIO) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        logging.captureWarnings(True)
        warnings.warn(f"deprecated: {URL}", DeprecationWarning, stacklevel=1)
    assert "deprecated" in out.getvalue()


def test_what_is_printed_can_be_cleaned() -> None:
    assert Redactor(TOKEN).clean(f"see {URL}") == f"see https://api.telegram.org/bot{MASK}/getMe"


def test_without_secrets_nothing_is_changed() -> None:
    assert Redactor().clean(URL) == URL
    assert Redactor("").clean("as it is") == "as it is"


def test_a_short_half_is_no_secret_by_itself() -> None:
    assert Redactor("1:demo").clean("the demo of 1:demo") == f"the demo of {MASK}"


def test_a_demo_of_calls_and_statements_is_not_logged_with_its_contents(out: io.StringIO) -> None:
    logging.getLogger("telegram.Bot").debug("Calling sendMessage with %s", "private words")
    logging.getLogger("aiosqlite").debug("executing %s", "private words")
    logging.warning("%s", TOKEN)
    assert "private words" not in out.getvalue()
