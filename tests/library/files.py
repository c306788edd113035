"""A sound quiz and translation, and how tests put files into a folder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

MARK = "§"

QUIZ = """\
title: Capitals
description: Two countries.
locale: en
tags: [geography]
terms: [EU]
pass_mark: 60
questions:
  - id: france
    question: Capital of France, in the EU?
    options:
      paris: Paris
      lyon: Lyon
      nice: Nice
    answer: paris
    explanation: Paris has been the capital for centuries.
  - id: japan
    question: Which are in Japan?
    options:
      tokyo: Tokyo
      kyoto: Kyoto
      seoul: Seoul
    answer: [tokyo, kyoto]
    explanation: Seoul is in Korea.
    link: https://example.org/japan
    last: seoul
"""

GERMAN = """\
title: Hauptstädte
description: Zwei Länder.
questions:
  france:
    question: Hauptstadt von Frankreich, in der EU?
    options:
      paris: Paris
      lyon: Lyon
      nice: Nizza
    explanation: Paris ist seit Jahrhunderten die Hauptstadt.
  japan:
    question: Welche liegen in Japan?
    options:
      tokyo: Tokio
      kyoto: Kyoto
      seoul: Seoul
    explanation: Seoul liegt in Korea.
"""


def sound() -> dict[str, str | bytes]:
    """The files of a library without a single problem."""
    return {"capitals/quiz.yaml": QUIZ, "capitals/de.yaml": GERMAN}


def put(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Writes the files, in folders as their names say."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def marked(text: str) -> tuple[str, int, int]:
    """The text without its mark, and the line and column where it was."""
    before = text[: text.index(MARK)]
    line = before.count("\n") + 1
    return text.replace(MARK, ""), line, len(before) - (before.rfind("\n") + 1) + 1
