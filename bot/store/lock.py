"""One process per data folder: a lock of the operating system, which even kill -9 releases.

Never a pid file: those survive their process, and a restored or copied folder carries them along.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bot.store import folder as data_folder
from bot.store.folder import StoreError


@contextmanager
def hold(folder: Path) -> Iterator[None]:
    """Holds the folder for this process until the block ends. Raises StoreError at once if it
    can't be had; never waits."""
    data_folder.check(folder)
    path = folder / "lock"
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise data_folder.explain(error, path) from error
    try:
        _lock(handle, folder)
        yield
    finally:
        os.close(handle)  # which releases it


def _lock(handle: int, folder: Path) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise StoreError(
            f"Another quizbot is running on the data folder {folder}: "
            "stop it, or give this one a QUIZBOT_DATA_DIR of its own."
        ) from None
    except OSError as error:
        raise data_folder.explain(error, folder / "lock") from error
