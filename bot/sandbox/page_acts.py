"""What people can do from the page beside writing and tapping: `POST /sandbox/act`.

Every act has `person`, who does it. A group is `chat`, somebody else is `member`, a topic
`thread`. Lists of rights are names of the Bot API's ChatAdministratorRights, permissions those of
ChatPermissions.

    create_group   title, kind (group, supergroup, forum), members? [ids]   -> {chat}
    delete_group   chat
    upgrade        chat: a group becomes a supergroup                       -> {chat}
    topics         chat, on: makes a supergroup a forum or back
    enter, leave   chat
    kick           chat, member
    promote        chat, member, rights? (left out: all), anonymous?
    demote         chat, member
    restrict       chat, member, denied [permissions]; empty: all allowed again
    permissions    chat, denied [permissions]: what members may not do
    add_bot        chat, rights? (given: as an administrator)
    remove_bot     chat
    promote_bot    chat, rights? (left out: all)
    demote_bot     chat
    restrict_bot   chat, denied [permissions]; empty: all allowed again
    create_topic   chat, name                                               -> {thread}
    close_topic, reopen_topic, delete_topic     chat, thread
    delete         message_id, chat?
    forward        message_id, chat? (from), to? (to)                       -> {message_id}
    block, unblock      the bot in private
    join           first_name, language_code?: somebody new comes; `person` is ignored -> {person}
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import get_args

from bot.sandbox.errors import Json
from bot.sandbox.groups import RIGHTS, Kind
from bot.sandbox.page_body import Body
from bot.sandbox.telegram import Telegram

Act = Callable[[Telegram, Body], Json]


def _create_group(telegram: Telegram, body: Body) -> Json:
    kinds: dict[str, Kind] = {kind: kind for kind in get_args(Kind)}
    kind = kinds.get(body.text("kind"))
    if kind is None or not body.text("title").strip():
        raise ValueError("a group has a title and is a group, a supergroup or a forum")
    person, members = body.number("person"), body.numbers("members")
    return {"chat": telegram.create_group(person, body.text("title"), kind, members).id}


def _upgrade(telegram: Telegram, body: Body) -> Json:
    return {"chat": telegram.upgrade(body.number("person"), body.number("chat")).id}


def _create_topic(telegram: Telegram, body: Body) -> Json:
    person, chat = body.number("person"), body.number("chat")
    return {"thread": telegram.create_topic(person, chat, body.text("name"))}


def _forward(telegram: Telegram, body: Body) -> Json:
    person, message_id = body.number("person"), body.number("message_id")
    chat, to = body.maybe("chat"), body.maybe("to")
    return {"message_id": telegram.forward(person, message_id, chat=chat, to=to)}


def _join(telegram: Telegram, body: Body) -> Json:
    code = body.text("language_code") if body.given("language_code") else None
    return {"person": telegram.join(body.text("first_name"), code).id}


def _promote(telegram: Telegram, body: Body) -> None:
    person, member, chat = (body.number(name) for name in ("person", "member", "chat"))
    anonymous = body.given("anonymous") and body.flag("anonymous")
    telegram.promote(person, member, chat, _rights(body, RIGHTS), anonymous=anonymous)


def _rights(body: Body, default: tuple[str, ...]) -> list[str]:
    return body.texts("rights") if body.given("rights") else list(default)


def _quiet(act: Callable[[Telegram, Body], None]) -> Act:
    def acted(telegram: Telegram, body: Body) -> Json:
        act(telegram, body)
        return {}

    return acted


def _of_chat(act: Callable[[Telegram, int, int], None]) -> Act:
    return _quiet(lambda t, body: act(t, body.number("person"), body.number("chat")))


def _of_member(act: Callable[[Telegram, int, int, int], None]) -> Act:
    return _quiet(
        lambda t, body: act(t, body.number("person"), body.number("member"), body.number("chat"))
    )


def _of_topic(act: Callable[[Telegram, int, int, int], None]) -> Act:
    return _quiet(
        lambda t, body: act(t, body.number("person"), body.number("chat"), body.number("thread"))
    )


ACTS: Mapping[str, Act] = {
    "create_group": _create_group,
    "delete_group": _of_chat(lambda t, by, chat: t.delete_group(by, chat)),
    "upgrade": _upgrade,
    "topics": _quiet(
        lambda t, b: t.switch_topics(b.number("person"), b.number("chat"), b.flag("on"))
    ),
    "enter": _of_chat(lambda t, by, chat: t.enter(by, chat)),
    "leave": _of_chat(lambda t, by, chat: t.leave(by, chat)),
    "kick": _of_member(lambda t, by, member, chat: t.kick(by, member, chat)),
    "promote": _quiet(_promote),
    "demote": _of_member(lambda t, by, member, chat: t.promote(by, member, chat, None)),
    "restrict": _quiet(
        lambda t, b: t.restrict(
            b.number("person"), b.number("member"), b.number("chat"), b.texts("denied")
        )
    ),
    "permissions": _quiet(
        lambda t, b: t.allow(b.number("person"), b.number("chat"), b.texts("denied"))
    ),
    "add_bot": _quiet(
        lambda t, b: t.add_bot(b.number("person"), b.number("chat"), _rights(b, ()))
    ),
    "remove_bot": _of_chat(lambda t, by, chat: t.remove_bot(by, chat)),
    "promote_bot": _quiet(
        lambda t, b: t.promote_bot(b.number("person"), b.number("chat"), _rights(b, RIGHTS))
    ),
    "demote_bot": _of_chat(lambda t, by, chat: t.promote_bot(by, chat, None)),
    "restrict_bot": _quiet(
        lambda t, b: t.restrict_bot(b.number("person"), b.number("chat"), b.texts("denied"))
    ),
    "create_topic": _create_topic,
    "close_topic": _of_topic(lambda t, by, chat, thread: t.close_topic(by, chat, thread)),
    "reopen_topic": _of_topic(lambda t, by, chat, thread: t.close_topic(by, chat, thread, False)),
    "delete_topic": _of_topic(lambda t, by, chat, thread: t.delete_topic(by, chat, thread)),
    "delete": _quiet(
        lambda t, b: t.delete(b.number("person"), b.number("message_id"), chat=b.maybe("chat"))
    ),
    "forward": _forward,
    "block": _quiet(lambda t, b: t.block(b.number("person"))),
    "unblock": _quiet(lambda t, b: t.unblock(b.number("person"))),
    "join": _join,
}
