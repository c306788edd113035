from __future__ import annotations

from typing import Any

import pytest

from bot.gateway import raw
from bot.gateway.calls import Call

PERSON = {"id": 501, "is_bot": False, "first_name": "Asha"}
GROUP = {"id": -100900, "type": "supergroup"}


@pytest.mark.parametrize(
    ("fields", "person_id", "lane"),
    [
        ({"message": {"from": PERSON, "chat": GROUP}}, 501, 501),
        ({"edited_message": {"from": PERSON, "chat": GROUP}}, 501, 501),
        ({"callback_query": {"from": PERSON, "message": {"chat": GROUP}}}, 501, 501),
        ({"my_chat_member": {"from": PERSON, "chat": GROUP}}, 501, 501),
        ({"poll_answer": {"user": PERSON}}, 501, 501),
        ({"message": {"from": {"id": 1087968824}, "chat": GROUP}}, None, -100900),
        ({"message": {"from": {"id": 136817688}, "chat": GROUP}}, None, -100900),
        ({"channel_post": {"chat": GROUP}}, None, -100900),
        ({"poll": {"id": "77"}}, None, 0),
        ({"a_kind_of_next_year": {"user": PERSON, "chat": GROUP}}, 501, 501),
        ({}, None, 0),
        ({"message": None}, None, 0),
        ({"message": {"from": "Asha", "chat": 5}}, None, 0),
        ({"message": {"from": {"id": "501"}, "chat": {"id": True}}}, None, 0),
        ({"message": {"from": {"id": 2**70}, "chat": GROUP}}, None, -100900),
        ({"callback_query": {"from": {}, "message": []}}, None, 0),
    ],
)
def test_an_update_goes_to_the_lane_of_its_person_else_of_its_chat(
    fields: dict[str, Any], person_id: int | None, lane: int
) -> None:
    read = raw.read({"update_id": 7, **fields})
    assert read is not None
    assert (read.id, read.person_id, read.lane) == (7, person_id, lane)


@pytest.mark.parametrize(
    "odd",
    [None, 7, "update", [], {}, {"update_id": "7"}, {"update_id": True}, {"update_id": 2**64}],
)
def test_what_has_no_usable_id_is_no_update(odd: object) -> None:
    assert raw.read(odd) is None


def test_only_a_tap_gets_an_empty_answer() -> None:
    tap = raw.read({"update_id": 7, "callback_query": {"id": "99", "from": PERSON}})
    assert tap is not None
    assert tap.empty_answer == (Call("answerCallbackQuery", {"callback_query_id": "99"}),)
    others: list[dict[str, object]] = [
        {"message": {}},
        {"callback_query": {"id": 99}},
        {"callback_query": "99"},
    ]
    for fields in others:
        other = raw.read({"update_id": 7, **fields})
        assert other is not None
        assert other.empty_answer == ()
