"""The data folder: what can be wrong with it, each as one sentence with the mend."""

from __future__ import annotations

import errno
import os
from pathlib import Path


class StoreError(Exception):
    """The database can't be used. The text is one sentence for the operator, with the mend."""


class NewerDatabase(StoreError):
    """The database was written by a newer quizbot."""


def check(folder: Path) -> None:
    """Raises StoreError unless files can be made in the folder."""
    try:
        there = folder.exists()
    except OSError as error:  # it lies in a folder that can't be looked into
        raise explain(error, folder) from error
    if not there:
        raise StoreError(
            f"The data folder {folder} does not exist: create it (mkdir -p {folder})."
        )
    if not folder.is_dir():
        raise StoreError(
            f"{folder} is a file, not a folder: move it away, or set QUIZBOT_DATA_DIR to a folder."
        )
    if not os.access(folder, os.W_OK | os.X_OK):
        raise not_writable(folder)


def make(folder: Path) -> None:
    """Creates the folder if it isn't there: for the default one, which nobody has to prepare."""
    try:
        folder.mkdir(exist_ok=True)
    except FileExistsError:
        return  # a file; `check` says so
    except OSError as error:
        raise explain(error, folder) from error


def not_writable(path: Path) -> StoreError:
    """The sentence for a file or folder that this user may not write."""
    owner = f"{os.getuid()}:{os.getgid()}"
    return StoreError(
        f"{path} is not writable by user {os.getuid()}: run sudo chown -R {owner} {path}."
    )


def explain(error: OSError, path: Path) -> StoreError:
    """The sentence for what the operating system said about the path."""
    if error.errno in (errno.EACCES, errno.EPERM):
        return not_writable(path)
    if error.errno == errno.EROFS:
        return StoreError(f"{path} is on a read-only file system: mount its volume writable.")
    if error.errno == errno.ENOSPC:
        return StoreError(f"The disk holding {path} is full: make room on it.")
    return StoreError(f"{path} can't be used ({error.strerror}): check the data folder.")
