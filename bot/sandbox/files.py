"""Files that are sent: uploaded, or by the file_id of one sent before."""

from __future__ import annotations

import re

from bot.sandbox import limits
from bot.sandbox.errors import Json, Refused
from bot.sandbox.params import Attachment, Params
from bot.sandbox.pictures import picture_size
from bot.sandbox.world import Stored, World


def document(world: World, params: Params, name: str = "document") -> Json:
    """The Bot API's Document of the parameter `name`."""
    file_id, stored = _stored(world, params, name, "document", limits.UPLOAD_BYTES)
    return {
        "file_name": stored.file.name,
        "mime_type": stored.file.mime_type,
        "file_id": file_id,
        "file_unique_id": f"u{file_id}",
        "file_size": len(stored.file.content),
    }


def photo(world: World, params: Params, name: str = "photo") -> list[Json]:
    """The Bot API's PhotoSizes of the parameter `name`; here there is but one size."""
    file_id, stored = _stored(world, params, name, "photo", limits.PHOTO_BYTES)
    width, height = stored.size or (0, 0)
    size = {
        "file_id": file_id,
        "file_unique_id": f"u{file_id}",
        "width": width,
        "height": height,
        "file_size": len(stored.file.content),
    }
    return [size]


def _stored(
    world: World, params: Params, name: str, kind: str, largest: int
) -> tuple[str, Stored]:
    file = params.file(name)
    if file is None:
        given = params.text(name)
        if given in world.files and given.startswith(f"sandbox{kind}"):
            return given, world.files[given]
        if given in world.files:
            raise Refused(f"type of file mismatch: can't use file of another type as {kind}")
        missing = f"there is no {kind} in the request"
        raise Refused("wrong file identifier/HTTP URL specified" if given else missing)
    return _keep(world, file, kind, largest)


def _keep(world: World, file: Attachment, kind: str, largest: int) -> tuple[str, Stored]:
    if not file.content:
        raise Refused("file must be non-empty")
    if len(file.content) > limits.UPLOAD_BYTES:
        raise Refused("", 413)
    if len(file.content) > largest:
        raise Refused(f"file is too big for a {kind}")
    size = picture_size(file.content) if kind == "photo" else None
    number = len(world.files)
    suffix = re.sub(r"[^A-Za-z0-9.]", "", file.name[file.name.rfind(".") :])[:8]
    stored = Stored(f"{kind}s/file_{number}{suffix}", file, size)
    file_id = f"sandbox{kind}{number}"
    world.files[file_id] = stored
    return file_id, stored
