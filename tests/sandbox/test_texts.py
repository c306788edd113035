"""A text as it was sent and as Telegram keeps it."""

from __future__ import annotations

from typing import Any

import pytest

from bot.sandbox.telegram import Telegram
from tests.people import Person


def entity(kind: str, offset: int, length: int, **more: str) -> dict[str, Any]:
    return {"type": kind, "offset": offset, "length": length, **more}


HTML: list[tuple[str, str, list[dict[str, Any]]]] = [
    ("plain", "plain", []),
    ("<b>bold</b> <i>it</i>", "bold it", [entity("bold", 0, 4), entity("italic", 5, 2)]),
    ("<STRONG>x</strong>", "x", [entity("bold", 0, 1)]),
    ("<b>x</>", "x", [entity("bold", 0, 1)]),
    ("a &lt; b &amp; c &gt; &quot;d&quot;", 'a < b & c > "d"', []),
    ("&#65;&#x42;&lt &nbsp; &apos;", "AB< &nbsp; &apos;", []),
    ("&#0; &#xD800; &#99999999;", "&#0; &#xD800; &#99999999;", []),
    ("🙂<b>b</b>", "🙂b", [entity("bold", 2, 1)]),
    ("<code>a&lt;b</code>", "a<b", [entity("code", 0, 3)]),
    ("<pre>x</pre>", "x", [entity("pre", 0, 1)]),
    (
        '<pre><code class="language-python">x</code></pre>',
        "x",
        [entity("pre", 0, 1, language="python")],
    ),
    (
        '<code class="language-python"><pre>x</pre></code>',
        "x",
        [entity("pre", 0, 1, language="python")],
    ),
    ('<code class="language-python">x</code>', "x", [entity("code", 0, 1)]),
    (
        '<a href="https://Example.com">x</a>',
        "x",
        [entity("text_link", 0, 1, url="https://example.com/")],
    ),
    (
        "<a href='http://a.b/?q=1&amp;r=2'>x</a>",
        "x",
        [entity("text_link", 0, 1, url="http://a.b/?q=1&r=2")],
    ),
    ("<a>example.com</a>", "example.com", [entity("text_link", 0, 11, url="http://example.com/")]),
    ('<a href="nowhere">x</a>', "x", []),
    ("<tg-spoiler>x</tg-spoiler>", "x", [entity("spoiler", 0, 1)]),
    ('<span class="tg-spoiler">x</span>', "x", [entity("spoiler", 0, 1)]),
    ("<blockquote>x</blockquote>", "x", [entity("blockquote", 0, 1)]),
    ("<blockquote expandable>x</blockquote>", "x", [entity("expandable_blockquote", 0, 1)]),
    (
        "<b>a<code>b</code>c</b>",
        "abc",
        [entity("bold", 0, 1), entity("code", 1, 1), entity("bold", 2, 1)],
    ),
    ("<b>a<i>b</i></b>", "ab", [entity("bold", 0, 2), entity("italic", 1, 1)]),
    ("  \n<b> x</b> y \n", "x y", [entity("bold", 0, 1)]),
    ("x<b> </b>", "x", []),
    ("a\tb\r\nc", "a b\nc", []),
    ("\u202bא\u202c<b>x</b>", "אx", [entity("bold", 1, 1)]),
    ("\u2068A\u2069", "\u2068A\u2069", []),
    ("see /quiz", "see /quiz", [entity("bot_command", 4, 5)]),
    ("<code>/quiz</code>", "/quiz", [entity("code", 0, 5)]),
    ("a/b http://x/y", "a/b http://x/y", []),
]


@pytest.mark.parametrize(("source", "text", "entities"), HTML)
async def test_html_becomes_text_and_entities(
    telegram: Telegram, learner: Person, source: str, text: str, entities: list[dict[str, Any]]
) -> None:
    _, body = await telegram.call(
        "sendMessage", {"chat_id": learner.id, "text": source, "parse_mode": "HTML"}
    )
    assert (body["result"]["text"], body["result"].get("entities", [])) == (text, entities)


async def test_a_moment_is_an_entity_of_its_own(telegram: Telegram, learner: Person) -> None:
    html = '<tg-time unix="1800000000" format="wDT">soon</tg-time>'
    _, body = await telegram.call(
        "sendMessage", {"chat_id": learner.id, "text": html, "parse_mode": "HTML"}
    )
    expected = {"unix_time": 1800000000, "date_time_format": "wDT"}
    assert body["result"]["entities"] == [entity("date_time", 0, 4) | expected]


async def test_without_a_mode_markup_is_text(telegram: Telegram, learner: Person) -> None:
    _, body = await telegram.call("sendMessage", {"chat_id": learner.id, "text": "<b>&amp;"})
    assert body["result"]["text"] == "<b>&amp;"


async def test_explicit_entities_are_kept_as_they_came(
    telegram: Telegram, learner: Person
) -> None:
    bold = [entity("bold", 1, 2)]
    _, body = await telegram.call(
        "sendMessage", {"chat_id": learner.id, "text": "abcd", "entities": bold}
    )
    assert body["result"]["entities"] == bold


TYPED = [
    ("/start", [entity("bot_command", 0, 6)]),
    ("/start payload", [entity("bot_command", 0, 6)]),
    ("/quiz@quizbot_demo_bot now", [entity("bot_command", 0, 22)]),
    ("🙂 /quiz", [entity("bot_command", 3, 5)]),
    ("and/or </b> //x", []),
]


@pytest.mark.parametrize(("text", "entities"), TYPED)
async def test_what_a_person_types_carries_its_commands(
    telegram: Telegram, learner: Person, text: str, entities: list[dict[str, Any]]
) -> None:
    await learner.says(text)
    _, body = await telegram.call("getUpdates", {"offset": -1})
    message = body["result"][0]["message"]
    assert (message["text"], message.get("entities", [])) == (text, entities)
