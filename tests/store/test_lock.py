from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bot.store import lock
from bot.store.folder import StoreError

HOLD = """
import sys
from pathlib import Path
from bot.store import lock
with lock.hold(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


@contextmanager
def another_process(folder: Path) -> Iterator[subprocess.Popen[str]]:
    run = [sys.executable, "-c", HOLD, str(folder)]
    with subprocess.Popen(
        run, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def test_a_second_process_is_told_that_there_is_a_first(tmp_path: Path) -> None:
    with (
        another_process(tmp_path),
        pytest.raises(StoreError, match=r"Another quizbot is running.*QUIZBOT_DATA_DIR"),
        lock.hold(tmp_path),
    ):
        pass


def test_a_killed_process_leaves_the_folder_free(tmp_path: Path) -> None:
    with another_process(tmp_path) as process:
        process.send_signal(signal.SIGKILL)
        process.wait()
        with lock.hold(tmp_path):
            pass


def test_the_folder_is_free_again_afterwards(tmp_path: Path) -> None:
    for _ in range(2):
        with lock.hold(tmp_path):
            pass


def test_a_second_holder_in_the_same_process_is_refused_too(tmp_path: Path) -> None:
    with lock.hold(tmp_path), pytest.raises(StoreError), lock.hold(tmp_path):
        pass


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="mkdir -p"), lock.hold(tmp_path / "nowhere"):
        pass
