"""Broken quiz files, made from sound ones: no exception, and each problem known and in its place.

`python -m tests.library.fuzz 10000` runs that many and prints what was found; the exit code is 70
if the loader failed on one of them, which is then shown. A second number seeds the dice.
"""

from __future__ import annotations

import random
import re
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path

from bot.library.load import check, load
from bot.library.problems import RULES, Problem
from tests.library.files import GERMAN, QUIZ, put

CHARACTERS = "\t\0\x1b\x85\u200d\u202e\u2028\ufeff\ufffe�§:#,-?!&*|>'\"%@`[]{}()<>\\ ~=0aé日😀\n\r"
PHRASES = [
    *(": ", " #", "- ", "? ", "&x ", "*x", "<<: *x", "!!python/name:os.system ", "--- ", "...\n"),
    *("{a: b, c}", "[[[[", "{{{{", '"', "'", "|\n", ">-\n", "\\ud83d", '"\\ud83d"', "%YAML 9\n"),
    *("no", "null", "~", "questions:", "options:\n", "answer: x\n", "```\n", "**", "A" * 3000),
]
LINE_END = re.compile(r"\r\n|\r|\n")


def broken(text: str, dice: random.Random) -> bytes:
    """The text with one to five things done to it."""
    data = text
    for _ in range(dice.choice([1, 1, 1, 2, 3, 5])):
        data = dice.choice([_delete, _double, _swap, _insert, _phrase, _indent, _cut])(data, dice)
    raw = bytearray(data.encode("utf-8", "surrogatepass"))
    if dice.random() < 0.2 and raw:
        raw[dice.randrange(len(raw))] ^= 1 << dice.randrange(8)
    return bytes(raw)


def _delete(text: str, dice: random.Random) -> str:
    lines = text.split("\n")
    del lines[dice.randrange(len(lines))]
    return "\n".join(lines)


def _double(text: str, dice: random.Random) -> str:
    lines = text.split("\n")
    lines.insert(dice.randrange(len(lines) + 1), dice.choice(lines))
    return "\n".join(lines)


def _swap(text: str, dice: random.Random) -> str:
    lines = text.split("\n")
    one, two = dice.randrange(len(lines)), dice.randrange(len(lines))
    lines[one], lines[two] = lines[two], lines[one]
    return "\n".join(lines)


def _insert(text: str, dice: random.Random) -> str:
    at = dice.randint(0, len(text))
    return text[:at] + dice.choice(CHARACTERS) * dice.choice([1, 1, 1, 40]) + text[at:]


def _phrase(text: str, dice: random.Random) -> str:
    at = dice.randint(0, len(text))
    return text[:at] + dice.choice(PHRASES) + text[at:]


def _indent(text: str, dice: random.Random) -> str:
    lines = text.split("\n")
    at = dice.randrange(len(lines))
    lines[at] = dice.choice([" " + lines[at], "    " + lines[at], lines[at].lstrip()])
    return "\n".join(lines)


def _cut(text: str, dice: random.Random) -> str:
    return text[: dice.randint(len(text) // 2, len(text))]


def misplaced(problem: Problem) -> str:
    """What is wrong with a problem itself; empty if nothing is."""
    if problem.code not in RULES:
        return f"unknown code {problem.code}"
    if problem.path.is_dir():
        return "" if (problem.line, problem.column) == (1, 1) else "a place in a folder"
    text = problem.path.read_bytes().decode("utf-8", "replace").removeprefix("\ufeff")
    lines = LINE_END.split(text)
    if not 1 <= problem.line <= len(lines):
        return f"line {problem.line} of {len(lines)}"
    if not 1 <= problem.column <= len(lines[problem.line - 1]) + 1:
        return f"column {problem.column} of {len(lines[problem.line - 1])}"
    return ""


def write_broken(folder: Path, dice: random.Random) -> None:
    """A quiz and its translation, at least one of them broken."""
    which = dice.choice(["quiz", "translation", "both"])
    quiz = broken(QUIZ, dice) if which != "translation" else QUIZ
    translation = broken(GERMAN, dice) if which != "quiz" else GERMAN
    put(folder, {"capitals/quiz.yaml": quiz, "capitals/de.yaml": translation})


def problems_of(folder: Path) -> tuple[Problem, ...]:
    """What the checks say, which is what the loader says.

    Raises:
        AssertionError: a problem has no known code or no place inside its file.
    """
    problems = check([folder])
    wrong = [(misplaced(problem), problem) for problem in problems if misplaced(problem)]
    assert not wrong, wrong
    library = load(folder)
    assert library.problems == problems
    return problems


def main(count: int, seed: int) -> int:
    """The exit code; what was found is printed."""
    dice, codes, sound = random.Random(seed), Counter[str](), 0
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for number in range(count):
            write_broken(folder, dice)
            try:
                problems = problems_of(folder)
            except Exception:
                _show_failure(folder, number, seed)
                return 70
            codes.update({problem.code for problem in problems})
            sound += not problems
    _print(f"{count} broken quizzes in {time.monotonic() - started:.0f} s, seed {seed}: ")
    _print(f"no failure; {len(codes)} rules broken; {sound} still sound\n")
    for code, times in codes.most_common():
        _print(f"{times:7} {code}\n")
    return 0


def _show_failure(folder: Path, number: int, seed: int) -> None:
    _print(f"number {number} with seed {seed} made the loader fail:\n{traceback.format_exc()}\n")
    for path in sorted(folder.glob("*/*.yaml")):
        _print(f"{path.name}: {path.read_bytes()!r}\n")


def _print(text: str) -> None:
    sys.stdout.write(text)


if __name__ == "__main__":
    numbers = [int(argument) for argument in sys.argv[1:]]
    sys.exit(main(*(numbers + [1000, 1][len(numbers) :])))
