"""Methods about the bot itself and about chats, and the long poll."""

from __future__ import annotations

from bot.sandbox import limits, profile
from bot.sandbox.errors import Json, Refused
from bot.sandbox.params import Params
from bot.sandbox.world import Method, Methods, World

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


def get_me(world: World, params: Params) -> Json:
    """The bot's own account."""
    return world.bot.user | {
        "can_join_groups": True,
        "can_read_all_group_messages": False,
        "supports_inline_queries": False,
        "supports_guest_queries": False,
        "supports_join_request_queries": False,
        "can_connect_to_business": False,
        "has_main_web_app": False,
        "has_topics_enabled": False,
        "allows_users_to_create_topics": False,
        "can_manage_bots": False,
    }


def get_chat(world: World, params: Params) -> Json:
    """The other side of a private chat."""
    return world.reachable(params).chat.place | {
        "accent_color_id": 0,
        "max_reaction_count": 11,
        "accepted_gift_types": _NO_GIFTS,
    }


def send_chat_action(world: World, params: Params) -> bool:
    """ "typing…" """
    person = world.writable(params)
    action = params.text("action").lower()
    if action not in _ACTIONS:
        raise Refused("wrong parameter action in request")
    person.tell({"type": "action", "action": action})
    return True


def get_file(world: World, params: Params) -> Json:
    """Where a file can be downloaded."""
    file_id = params.text("file_id")
    stored = world.files.get(file_id)
    if stored is None:
        raise Refused("invalid file_id" if file_id else "file_id not specified")
    return {
        "file_id": file_id,
        "file_unique_id": f"u{file_id}",
        "file_size": len(stored.file.content),
        "file_path": stored.path,
    }


def get_webhook_info(world: World, params: Params) -> Json:
    """There is none; how much waits is told here too."""
    info: Json = {
        "url": "",
        "has_custom_certificate": False,
        "pending_update_count": len(world.updates),
    }
    allowed = world.updates.allowed
    return info | {"allowed_updates": allowed} if allowed else info


def delete_webhook(world: World, params: Params) -> bool:
    """Polling clients call it first."""
    if params.flag("drop_pending_updates"):
        world.updates.drop()
    return True


async def get_updates(world: World, params: Params) -> list[Json]:
    """The long poll."""
    kinds = params.json("allowed_updates", "allowed_updates")
    if isinstance(kinds, list):
        world.updates.allow([str(kind) for kind in kinds])
    return await world.updates.poll(
        params.integer("offset"),
        params.integer("limit", limits.UPDATES),
        params.integer("timeout"),
    )


def set_my_commands(world: World, params: Params) -> bool:
    """The command menu for a scope and language; it shows at once."""
    key = _menu_key(world, params)
    world.profile.commands[key] = profile.commands(params)
    return _tell_menus(world)


def get_my_commands(world: World, params: Params) -> list[Json]:
    """Exactly what was set for this scope and language."""
    return world.profile.commands.get(_menu_key(world, params), [])


def delete_my_commands(world: World, params: Params) -> bool:
    """Back to the next wider menu."""
    world.profile.commands.pop(_menu_key(world, params), None)
    return _tell_menus(world)


def _menu_key(world: World, params: Params) -> tuple[profile.Scope, str]:
    met = frozenset(person.id for person in world.people.values() if person.met)
    return profile.scope(params, met), profile.language(params)


def _tell_menus(world: World) -> bool:
    for person in world.people.values():
        menu = world.profile.menu(person.id, person.language_code)
        person.tell({"type": "commands", "commands": menu})
    return True


def _setter(what: str, limit: int) -> Method:
    def set_text(world: World, params: Params) -> bool:
        text, language = params.text(what).strip(), profile.language(params)
        if len(text) > limit:
            raise Refused(f"{what.replace('_', ' ')} is too long")
        texts: dict[str, str] = getattr(world.profile, what)
        texts.pop(language, None)
        if text:
            texts[language] = text
        return True

    return set_text


def _getter(what: str) -> Method:
    def get_text(world: World, params: Params) -> Json:
        texts: dict[str, str] = getattr(world.profile, what)
        default = world.bot.first_name if what == "name" else ""
        return {what: texts.get(profile.language(params), texts.get("", default))}

    return get_text


METHODS: Methods = {
    "getme": get_me,
    "getchat": get_chat,
    "sendchataction": send_chat_action,
    "getfile": get_file,
    "getwebhookinfo": get_webhook_info,
    "deletewebhook": delete_webhook,
    "getupdates": get_updates,
    "setmycommands": set_my_commands,
    "getmycommands": get_my_commands,
    "deletemycommands": delete_my_commands,
    "setmyname": _setter("name", limits.NAME),
    "getmyname": _getter("name"),
    "setmydescription": _setter("description", limits.DESCRIPTION),
    "getmydescription": _getter("description"),
    "setmyshortdescription": _setter("short_description", limits.SHORT_DESCRIPTION),
    "getmyshortdescription": _getter("short_description"),
}
