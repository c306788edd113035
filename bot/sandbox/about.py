"""Methods about the bot itself: its account, texts, command menus and files."""

from __future__ import annotations

from bot.sandbox import limits, profile
from bot.sandbox.errors import Json, Refused
from bot.sandbox.groups import Group
from bot.sandbox.params import Params
from bot.sandbox.people import Person
from bot.sandbox.world import Method, Methods, World


def get_me(world: World, params: Params) -> Json:
    """The bot's own account."""
    return world.bot.user | {
        "can_join_groups": True,
        "can_read_all_group_messages": not world.bot.privacy,
        "supports_inline_queries": False,
        "supports_guest_queries": False,
        "supports_join_request_queries": False,
        "can_connect_to_business": False,
        "has_main_web_app": False,
        "has_topics_enabled": False,
        "allows_users_to_create_topics": False,
        "can_manage_bots": False,
    }


def get_file(world: World, params: Params) -> Json:
    """Where a file can be downloaded."""
    file_id = params.text("file_id")
    stored = world.files.get(file_id)
    if stored is None:
        raise Refused("invalid file_id" if file_id else "file_id not specified")
    if len(stored.file.content) > limits.DOWNLOAD_BYTES:
        raise Refused("file is too big")
    return {
        "file_id": file_id,
        "file_unique_id": f"u{file_id}",
        "file_size": len(stored.file.content),
        "file_path": stored.path,
    }


def set_my_commands(world: World, params: Params) -> bool:
    """The command menu for a scope and language; it shows at once."""
    key = _menu_key(world, params)
    ephemeral = world.version >= (10, 2)
    world.profile.commands[key] = profile.commands(params, ephemeral=ephemeral)
    return _tell_menus(world)


def get_my_commands(world: World, params: Params) -> list[Json]:
    """Exactly what was set for this scope and language."""
    return world.profile.commands.get(_menu_key(world, params), [])


def delete_my_commands(world: World, params: Params) -> bool:
    """Back to the next wider menu."""
    world.profile.commands.pop(_menu_key(world, params), None)
    return _tell_menus(world)


def _menu_key(world: World, params: Params) -> tuple[profile.Scope, str]:
    met = {person.id for person in world.people.values() if person.met}
    inside = {group.id for group in world.places.values() if group.bot_member.inside}
    return profile.scope(params, met, inside), profile.language(params)


def _tell_menus(world: World) -> bool:
    for person in world.people.values():
        if person.watchers:
            menu = world.profile.menu(person.id, person.language_code)
            person.tell({"type": "commands", "commands": menu})
    for group in world.places.values():
        for person_id, queues in group.watchers.items():
            menu = group_menu(world, group, world.people[person_id]) if queues else []
            for queue in queues:
                queue.put_nowait({"type": "commands", "commands": menu})
    return True


def group_menu(world: World, group: Group, person: Person) -> list[Json]:
    """The commands this person is shown in the group; none where the bot isn't."""
    if not group.bot_member.inside:
        return []
    leads = group.member(person.id).leads
    return world.profile.group_menu(group.id, person.id, person.language_code, leads=leads)


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
    "getfile": get_file,
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
