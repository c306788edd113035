"""The codec of callback data and deep links."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot import buttons

ids = st.from_regex(r"[a-z0-9-]{1,32}", fullmatch=True)
numbers = st.integers(0, 2**63 - 1)
keys = ids.map(buttons.key)
locales = st.sampled_from(["en", "hi", "pt_BR", "zh_Hans", "zh_Hant_TW", "sr_Latn"])

meanings = st.one_of(
    st.builds(buttons.Catalogue, numbers),
    st.builds(buttons.MoreQuizzes),
    st.builds(buttons.Card, ids),
    st.builds(buttons.Begin, ids, numbers),
    st.builds(buttons.Show, numbers, numbers),
    st.builds(buttons.Choose, numbers, keys, keys),
    st.builds(buttons.Select, numbers, keys, keys, st.sampled_from([0, 1])),
    st.builds(buttons.Done, numbers, keys, keys),
    st.builds(buttons.Mistake, numbers, numbers),
    st.builds(buttons.BackToResult, numbers),
    st.builds(buttons.Speak, locales),
    st.builds(buttons.SpeakFirst, locales, ids | st.just("")),
    st.builds(buttons.Forget, numbers),
    st.builds(buttons.Keep),
)


@given(meanings)
def test_every_meaning_fits_and_comes_back(meaning: buttons.Meaning) -> None:
    data = buttons.pack(meaning)
    assert 1 <= len(data.encode()) <= buttons.MAX_BYTES
    assert buttons.unpack(data) == meaning


def test_the_longest_of_each_kind_fits() -> None:
    longest, largest = "x" * 32, 2**63 - 1
    for meaning in (
        buttons.Begin(longest, largest),
        buttons.Select(largest, buttons.key(longest), buttons.key(longest), 1),
        buttons.Done(largest, buttons.key(longest), buttons.key_of_set([longest] * 12)),
        buttons.SpeakFirst("zh_Hant_TW", longest),
    ):
        assert len(buttons.pack(meaning).encode()) <= buttons.MAX_BYTES


@given(st.text(max_size=80))
def test_whatever_else_comes_is_nothing_or_what_was_packed(data: str) -> None:
    meaning = buttons.unpack(data)
    assert meaning is None or buttons.pack(meaning) == data


@given(meanings, st.data())
def test_a_damaged_payload_never_raises(meaning: buttons.Meaning, data: st.DataObject) -> None:
    packed = buttons.pack(meaning)
    at = data.draw(st.integers(0, len(packed)))
    damaged = packed[:at] + data.draw(st.text(max_size=3)) + packed[at + 1 :]
    again = buttons.unpack(damaged)
    assert again is None or buttons.pack(again) == damaged


@pytest.mark.parametrize(
    "data",
    ["", ":", "t", "t:1:2", "t:1:../../x:aaaaaaaa", "b:UPPER:1", "b:a:-1", "b:a:zzzzzzzzzzzzz",
     "n:01:1", "n:١:1", "q:", "q:a b", "l:../../etc", "f:1:1", "c:1000000000000000000000"],
)  # fmt: skip
def test_forged_payloads_mean_nothing(data: str) -> None:
    assert buttons.unpack(data) is None


def test_a_payload_does_not_tell_the_ids_that_authors_chose() -> None:
    data = buttons.pack(buttons.Choose(5, buttons.key("why-shard"), buttons.key("right-answer")))
    assert "right" not in data
    assert "shard" not in data


def test_keys_of_many_ids_do_not_collide() -> None:
    many = [f"q{n}" for n in range(20_000)]
    assert len({buttons.key(id_) for id_ in many}) == len(many)


def test_a_deep_link_opens_a_quiz() -> None:
    assert (
        buttons.link("a_bot", "checkpoint-sharding")
        == "https://t.me/a_bot?start=checkpoint-sharding"
    )
    assert buttons.unpack_link("checkpoint-sharding") == buttons.QuizLink("checkpoint-sharding")


@pytest.mark.parametrize("payload", ["", "A", "x_12", "a" * 33, "ü", "a b"])
def test_other_payloads_open_nothing(payload: str) -> None:
    assert buttons.unpack_link(payload) is None
