"""Where the shipped quizzes and catalogues lie: at a checkout's top, in a wheel under `bot`."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).parent


def quizzes() -> Path:
    """The folder of the shipped quizzes."""
    return _folder("quizzes")


def locales() -> Path:
    """The folder of the interface's catalogues."""
    return _folder("locales")


def _folder(name: str) -> Path:
    installed = _PACKAGE / name
    return installed if installed.is_dir() else _PACKAGE.parent / name
