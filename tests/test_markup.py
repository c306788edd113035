"""Formatting in quiz texts: few kinds, everything else literal, always well-formed."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.markup import Html, bold, columns, escape, has_markup, join, length, plain, render
from bot.sandbox.html import parse_html, utf16

RENDERED = [
    ("plain", "plain"),
    ("", ""),
    ("a < b & c > d", "a &lt; b &amp; c &gt; d"),
    ("`x`", "<code>x</code>"),
    ("run `a < b` now", "run <code>a &lt; b</code> now"),
    ("**bold** text", "<b>bold</b> text"),
    ("**a** and **b**", "<b>a</b> and <b>b</b>"),
    ("中**文**字", "中<b>文</b>字"),
    ("**a `b` c**", "<b>a </b><code>b</code><b> c</b>"),
    ("[docs](https://e.org/a_(b)?c=1&d=2)", '<a href="https://e.org/a_(b)?c=1&amp;d=2">docs</a>'),
    ('[q](https://e.org/"x")', '<a href="https://e.org/&quot;x&quot;">q</a>'),
    ("**[a](http://e.org)**", '<b><a href="http://e.org">a</a></b>'),
    ("[`a` **b**](https://e.org)", '<a href="https://e.org">a b</a>'),
    ("```\na < b\n\n  c\n```", "<pre>a &lt; b\n\n  c</pre>"),
    ("```py\nx\n```", '<pre><code class="language-py">x</code></pre>'),
    ("a\n```\nx\n```\n**b**", "a\n<pre>x</pre>\n<b>b</b>"),
    ("```\n**x** `y`\n```", "<pre>**x** `y`</pre>"),
    ("```\na\n```\n```\nb\n```", "<pre>a</pre>\n<pre>b</pre>"),
]

LITERAL = [
    "a * b, 2 ** 3, x**2 + y**2",
    "**not closed",
    "** spaces **",
    "**over\nlines**",
    "****",
    "***x***",
    "a ` b",
    "``",
    "``x``",
    "` `",
    "`over\nlines`",
    "```\nnot closed",
    "```\n\n```",
    "text ```x``` text",
    "[no link]",
    "[x](ftp://e.org)",
    "[x](javascript:alert)",
    "[x](https://with space)",
    "[ ](https://e.org)",
    "[x] (https://e.org)",
    "<b>x</b> &amp; \\*",
    "_x_ ~x~ ||x|| # x",
]


@pytest.mark.parametrize(("text", "html"), RENDERED)
def test_markup_becomes_telegrams_html(text: str, html: str) -> None:
    assert render(text) == html


@pytest.mark.parametrize("text", LITERAL)
def test_everything_else_stays_as_typed(text: str) -> None:
    assert render(text) == escape(text)
    assert plain(text) == text
    assert not has_markup(text)


@pytest.mark.parametrize("text", [text for text, html in RENDERED if "<" in html])
def test_what_has_markup_is_told(text: str) -> None:
    assert has_markup(text)


def test_plain_is_what_is_read() -> None:
    assert plain("**Use** `rm -r` or [this](https://e.org)") == "Use rm -r or this"
    assert plain("a\n```sh\nls\n```\nb") == "a\nls\nb"


SIGNS = '` `` ``` ```py * ** *** [ ] ]( ( ) https:// e.org a b < > & &lt; " </code> <b> 😀'
MARKED = st.lists(st.sampled_from([*SIGNS.split(), " ", "\n", "\n```\n"])).map("".join)
TEXTS = MARKED | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))


@settings(deadline=None)
@given(TEXTS)
def test_every_text_is_well_formed_html_that_reads_as_plain(text: str) -> None:
    read, _ = parse_html(render(text))
    assert read == plain(text)
    assert length(render(text)) == utf16(read)


@settings(deadline=None)
@given(TEXTS)
def test_what_has_no_markup_reads_as_typed(text: str) -> None:
    if not has_markup(text):
        assert plain(text) == text


@settings(deadline=None)
@given(TEXTS)
def test_bold_of_anything_is_well_formed_and_has_no_bold_code(text: str) -> None:
    read, entities = parse_html(bold(render(text)))
    assert read == plain(text)
    code = [e for e in entities if e["type"] in ("code", "pre")]
    for one in (e for e in entities if e["type"] == "bold"):
        end = one["offset"] + one["length"]
        assert all(end <= c["offset"] or c["offset"] + c["length"] <= one["offset"] for c in code)


@pytest.mark.parametrize(
    "text",
    [
        "**a" * 20_000,
        "[a" * 50_000,
        "`" * 100_000,
        "```\n" * 20_000,
        "[a](https://(" * 10_000,
        "**a**" * 10_000,
        "` " * 50_000,
        "[" + " " * 100_000,
    ],
)
def test_hostile_texts_take_no_longer_than_their_length_explains(text: str) -> None:
    def cost(text: str) -> float:
        started = time.process_time()
        render(text)
        return time.process_time() - started

    quarter = min(cost(text[: len(text) // 4]) for _ in range(3))
    whole = min(cost(text) for _ in range(3))
    # four times the text: 4 if it is linear, 16 if it is quadratic
    assert whole < max(0.05, 10 * quarter)


def test_joining_leaves_out_what_is_empty_and_escapes_what_joins() -> None:
    assert join(bold(escape("a")), Html(""), escape("b")) == "<b>a</b>\nb"
    assert join(escape("a"), escape("b"), sep=" > ") == "a &gt; b"


def test_nothing_in_bold_is_nothing() -> None:
    assert bold(Html("")) == ""


def test_length_counts_utf16_units_of_what_is_read() -> None:
    assert length(render("**a** 😀 < `&lt;`")) == len("a  < &lt;") + 2


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("abc", 3),
        ("日本", 4),
        ("ＡＢ", 4),
        ("हिन्दी", 3),
        ("e\u0301", 1),
        ("می\u200cخواهم", 7),
        ("👍", 2),
        ("\u200b\u2068x\u2069", 1),
        ("", 0),
    ],
)
def test_columns_count_what_takes_room(text: str, width: int) -> None:
    assert columns(text) == width
