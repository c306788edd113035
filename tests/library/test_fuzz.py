"""Generated broken files: every problem is known and stands inside its file."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.library.problems import Problem
from tests.library import fuzz
from tests.library.files import GERMAN, QUIZ, put

COUNT = int(os.environ.get("TEST_BROKEN_FILES", "200"))
PLENTY = settings(
    max_examples=max(COUNT // 2, 1),
    deadline=None,
    suppress_health_check=[
        HealthCheck.function_scoped_fixture
    ],  # files are written anew each time
)


@pytest.mark.parametrize("seed", [1, 2])
def test_broken_files_never_make_the_loader_fail(
    seed: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fuzz.main(COUNT, seed) == 0
    assert "no failure" in capsys.readouterr().out


@PLENTY
@given(st.binary() | st.text().map(lambda text: text.encode("utf-8", "replace")))
def test_any_bytes_at_all_are_problems_and_no_failure(tmp_path: Path, data: bytes) -> None:
    put(tmp_path, {"capitals/quiz.yaml": QUIZ, "capitals/de.yaml": GERMAN, "one.yaml": data})
    assert fuzz.problems_of(tmp_path)


YAMLISH = st.recursive(
    st.sampled_from(["a", "title", "questions", "options", "x y", "no", "1", '""', "'q'", "~"]),
    lambda inner: (
        st.lists(inner, max_size=4).map(lambda items: f"[{', '.join(items)}]")
        | st.lists(st.tuples(inner, inner), max_size=4).map(
            lambda pairs: "{" + ", ".join(f"{key}: {value}" for key, value in pairs) + "}"
        )
    ),
    max_leaves=20,
)
WORDS = "title description locale tags terms pass_mark scoring questions other"
KEYS = WORDS.split()


@PLENTY
@given(st.lists(st.tuples(st.sampled_from(KEYS), YAMLISH), max_size=8))
def test_values_of_any_shape_under_any_key_are_problems_and_no_failure(
    tmp_path: Path, pairs: list[tuple[str, str]]
) -> None:
    text = "".join(f"{key}: {value}\n" for key, value in pairs)
    put(tmp_path, {"capitals/quiz.yaml": text, "capitals/de.yaml": text})
    assert fuzz.problems_of(tmp_path)


def test_a_loader_that_fails_is_told_with_the_files(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(paths: list[Path]) -> tuple[Problem, ...]:
        raise RuntimeError("a bug")

    monkeypatch.setattr(fuzz, "check", fail)
    assert fuzz.main(1, 1) == 70
    assert "RuntimeError: a bug" in (out := capsys.readouterr().out)
    assert "quiz.yaml: b'" in out


def test_broken_files_are_the_same_for_the_same_seed() -> None:
    one, two = (fuzz.broken(QUIZ, random.Random(7)) for _ in range(2))
    assert one == two != QUIZ.encode()
