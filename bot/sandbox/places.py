"""Methods about chats: who is there, what is pinned, reactions, leaving."""

from __future__ import annotations

from bot.sandbox import views
from bot.sandbox.chats import Posted
from bot.sandbox.errors import Json, Refused
from bot.sandbox.groups import LEFT, Group, Member
from bot.sandbox.params import Params, required
from bot.sandbox.people import ANONYMOUS, Person
from bot.sandbox.world import Methods, Room, World

_ACTIONS = frozenset(
    {
        "typing",
        "upload_photo",
        "record_video",
        "upload_video",
        "record_voice",
        "upload_voice",
        "upload_document",
        "choose_sticker",
        "find_location",
        "record_video_note",
        "upload_video_note",
    }
)
_NO_GIFTS = {
    "unlimited_gifts": False,
    "limited_gifts": False,
    "unique_gifts": False,
    "premium_subscription": False,
    "gifts_from_channels": False,
}
# Those a bot may use of the emoji that clients offer.
_REACTIONS = frozenset(
    "👍👎❤🔥🥰👏😁🤔🤯😱🤬😢🎉🤩🤮💩🙏👌🕊🤡🥱🥴😍🐳🌚🌭💯🤣⚡🍌🏆💔🤨😐🍓🍾💋🖕😈😴😭🤓👻👀🎃🙈😇😨🤝✍🤗🫡🎅🎄☃💅🤪🗿🆒💘🙉🦄😘💊🙊😎👾😡"
)


def get_chat(world: World, params: Params) -> Json:
    """All about a chat."""
    room = world.reachable(params)
    full = room.chat.place | {
        "accent_color_id": 0,
        "max_reaction_count": 11,
        "accepted_gift_types": _NO_GIFTS,
    }
    if isinstance(room, Group):
        full = room.place() | full | {"permissions": room.permissions()}
    pinned = room.chat.find(room.chat.pinned[-1]) if room.chat.pinned else None
    return full | ({"pinned_message": pinned.message} if pinned else {})


def get_chat_member(world: World, params: Params) -> Json:
    """One member; an administrator bot sees everybody, others only where members aren't hidden."""
    room, user_id = world.reachable(params), params.integer("user_id")
    if user_id == world.bot.id:
        member = room.bot_member if isinstance(room, Group) else Member()
        return member.described(world.bot.user)
    person = world.people.get(user_id)
    if person is None or user_id <= 0:
        raise Refused("user not found" if user_id > 0 else "invalid user_id specified")
    if isinstance(room, Person):
        return (Member() if person is room else LEFT).described(person.user)
    if room.hidden_members and not room.bot_member.leads:
        raise Refused("member list is inaccessible")
    return room.member(user_id).described(person.user)


def get_chat_administrators(world: World, params: Params) -> list[Json]:
    """Owner and administrators, anonymous ones too; no bots but this one."""
    group = world.reachable(params)
    if isinstance(group, Person):
        raise Refused("there are no administrators in the private chat")
    leads = [(p, m) for p, m in group.members.items() if m.leads]
    found = [member.described(world.people[person].user) for person, member in leads]
    own = [group.bot_member.described(world.bot.user)] if group.bot_member.leads else []
    return found + own


def get_chat_member_count(world: World, params: Params) -> int:
    """How many are there, the bot among them."""
    room = world.reachable(params)
    return 2 if isinstance(room, Person) else len(room.people) + 1


def leave_chat(world: World, params: Params) -> bool:
    """The bot goes."""
    group = world.reachable(params)
    if isinstance(group, Person):
        raise Refused("chat member status can't be changed in private chats")
    bot_moves(world, group, LEFT, world.bot.user)
    return True


def bot_moves(world: World, group: Group, to: Member, by: Json) -> None:
    """Changes the bot's membership; it is told by my_chat_member."""
    before, group.bot = group.bot_member, to
    if before == to:
        return
    change = {
        "chat": group.place(),
        "from": by,
        "date": int(world.clock.now().timestamp()),
        "old_chat_member": before.described(world.bot.user),
        "new_chat_member": to.described(world.bot.user),
    }
    world.updates.add("my_chat_member", change)
    world.tell_lists(group)


def pin_chat_message(world: World, params: Params) -> bool:
    """Pins, with a service message of the bot's own."""
    room = _pinning(world, params)
    posted = _message(room, params, "pin")
    if posted.id not in room.chat.pinned:
        room.chat.pinned.append(posted.id)
        content = {"from": world.bot.user, "pinned_message": posted.message}
        world.deliver(room, room.chat.add(content, world.clock.now(), out=False))
    return True


def unpin_chat_message(world: World, params: Params) -> bool:
    """Unpins one message, or the last one pinned."""
    room = _pinning(world, params)
    message_id = params.integer("message_id") or (room.chat.pinned or [0])[-1]
    if message_id not in room.chat.pinned:
        raise Refused("message to unpin not found")
    room.chat.pinned.remove(message_id)
    return True


def unpin_all_chat_messages(world: World, params: Params) -> bool:
    """Unpins all."""
    _pinning(world, params).chat.pinned.clear()
    return True


def set_message_reaction(world: World, params: Params) -> bool:
    """The bot's one reaction to a message; none takes it away."""
    room = world.reachable(params)
    posted = _message(room, params, "react")
    given = params.json("reaction", "reaction types") or []
    if not isinstance(given, list):
        raise Refused("can't parse reaction types JSON object")
    chosen = [_emoji(reaction) for reaction in given]
    if len(chosen) > 1:
        raise Refused("REACTIONS_TOO_MANY")
    posted.reactions[:] = chosen
    world.tell(room, "edited", posted)
    return True


def send_chat_action(world: World, params: Params) -> bool:
    """ "typing…" """
    room = world.writable(params, "text messages")
    action = params.text("action").lower()
    if action not in _ACTIONS:
        raise Refused("wrong parameter action in request")
    for viewer in world.viewers(room):
        for queue in views.looking(room, viewer):
            queue.put_nowait({"type": "action", "action": action})
    return True


def service(
    world: World, group: Group, by: Person, **content: Json | list[Json] | str | int | bool
) -> Posted:
    """A service message in a group, for the bot too."""
    member = group.member(by.id)
    sender: Json = {"from": by.user}
    if member.anonymous and member.leads:
        sender = {"from": ANONYMOUS, "sender_chat": group.place()}
    posted = group.chat.add(sender | content, world.clock.now(), out=True, author=by.id)
    world.deliver(group, posted)
    return posted


def _pinning(world: World, params: Params) -> Room:
    room = world.reachable(params)
    if isinstance(room, Group) and not room.bot_may("can_pin_messages"):
        raise Refused("not enough rights to manage pinned messages in the chat")
    return room


def _message(room: Room, params: Params, to: str) -> Posted:
    posted = room.chat.find(params.integer("message_id"))
    if posted is None:
        raise Refused(f"message to {to} not found")
    return posted


def _emoji(reaction: Json) -> str:
    where = "can't parse reaction type: "
    if required(reaction, "type", str, where) != "emoji":
        raise Refused("REACTION_INVALID")
    emoji: str = required(reaction, "emoji", str, where)
    if emoji.removesuffix("\ufe0f") not in _REACTIONS:
        raise Refused("REACTION_INVALID")
    return emoji


METHODS: Methods = {
    "getchat": get_chat,
    "getchatmember": get_chat_member,
    "getchatadministrators": get_chat_administrators,
    "getchatmembercount": get_chat_member_count,
    "leavechat": leave_chat,
    "pinchatmessage": pin_chat_message,
    "unpinchatmessage": unpin_chat_message,
    "unpinallchatmessages": unpin_all_chat_messages,
    "setmessagereaction": set_message_reaction,
    "sendchataction": send_chat_action,
}
