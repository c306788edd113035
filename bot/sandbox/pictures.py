"""How large a picture is, read from the first bytes of a PNG, JPEG, GIF or WebP file."""

from __future__ import annotations

import struct

from bot.sandbox.errors import Refused

_SIDES = 10_000
_RATIO = 20
_FRAMES = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})


def picture_size(content: bytes) -> tuple[int, int]:
    """Width and height.

    Raises:
        Refused: not a picture, or one with sides that Telegram doesn't take.
    """
    try:
        width, height = _size(content)
    except (struct.error, IndexError):
        width = height = 0
    if width <= 0 or height <= 0:
        raise Refused("IMAGE_PROCESS_FAILED")
    if width + height > _SIDES or max(width, height) > _RATIO * min(width, height):
        raise Refused("PHOTO_INVALID_DIMENSIONS")
    return width, height


def _size(content: bytes) -> tuple[int, int]:
    if content.startswith(b"\x89PNG\r\n\x1a\n"):
        return _pair(">II", content, 16)
    if content.startswith((b"GIF87a", b"GIF89a")):
        return _pair("<HH", content, 6)
    if content.startswith(b"RIFF") and content[8:12] == b"WEBP":
        return _webp(content)
    return _jpeg(content) if content.startswith(b"\xff\xd8") else (0, 0)


def _webp(content: bytes) -> tuple[int, int]:
    match content[12:16]:
        case b"VP8X":
            sides = (content[24:27], content[27:30])
            return _little(sides[0]) + 1, _little(sides[1]) + 1
        case b"VP8L":
            bits = _little(content[21:25])
            return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        case _:
            width, height = _pair("<HH", content, 26)
            return width & 0x3FFF, height & 0x3FFF


def _jpeg(content: bytes) -> tuple[int, int]:
    at = 2
    while content[at] == 0xFF:
        marker = content[at + 1]
        if marker in _FRAMES:
            height, width = _pair(">HH", content, at + 5)
            return width, height
        at += 2 + int(struct.unpack_from(">H", content, at + 2)[0])
    return 0, 0


def _little(number: bytes) -> int:
    return int.from_bytes(number, "little")


def _pair(form: str, content: bytes, at: int) -> tuple[int, int]:
    first, second = struct.unpack_from(form, content, at)
    return int(first), int(second)
