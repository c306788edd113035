"""What must hold between the values of a quiz file.

These checks look at the tree: pydantic leaves out its own cross-checks once a value is wrong, and
authors want all problems at once.
"""

from __future__ import annotations

from pathlib import Path

from bot.library import locales
from bot.library.model import FEWEST_OPTIONS, MOST_OPTIONS
from bot.library.problems import Place
from bot.library.source import File
from bot.library.texts import did_you_mean, is_blank, looks, shown
from bot.library.tree import Items, Mapping, Node, Scalar


def check_quiz(file: File, root: Mapping) -> None:
    """Notes what is wrong between the values of a quiz file."""
    node = root.values.get("questions")
    if isinstance(node, Items) and not node.nodes:
        file.report("no-questions", node.place, "the quiz has no questions", "Add one.")
    seen: dict[str, Place] = {}
    for question in root.items("questions"):
        if isinstance(question, Mapping):
            _check_id(file, question, seen)
            _check_question(file, question)
    locale = root.scalar("locale")
    if locale:
        check_language(file, locale.text, locale.place)


def check_language(file: File, text: str, place: Place) -> None:
    """Notes a language no one calls by a name: no learner would ever be shown it."""
    locale = locales.normalised(text)
    if locale and not locales.has_name(locale):
        what = f"{shown(text)} is no language known by a name"
        file.report("unknown-language", place, what, locales.likely(locale))


def _check_id(file: File, question: Mapping, seen: dict[str, Place]) -> None:
    id_ = question.scalar("id")
    if not id_:
        return
    if id_.text in seen:
        what = f"question {id_.text} stands here again (first in line {seen[id_.text].line})"
        file.report("duplicate-id", id_.place, what, "Give one of the two another id.")
    seen.setdefault(id_.text, id_.place)


def _check_question(file: File, question: Mapping) -> None:
    options = question.mapping("options")
    if options:
        _check_count(file, options)
        check_options(file, options)
        _check_answer(file, question, options)
        _check_last(file, question, options)
    if "explanation" not in question.values:
        id_ = question.scalar("id")
        what = f"question {id_.text if id_ else 'without an id'} has no explanation"
        mend = "Add explanation: why it is right, and what is wrong with the rest."
        file.report("no-explanation", question.place, what, mend)
    _check_image(file, question)


def _check_count(file: File, options: Mapping) -> None:
    count = len(options.values)
    if not FEWEST_OPTIONS <= count <= MOST_OPTIONS:
        what = f"{count} option{'s' if count != 1 else ''}"
        mend = f"Offer {FEWEST_OPTIONS} to {MOST_OPTIONS}."
        file.report("option-count", options.place, what, mend)


def check_options(file: File, options: Mapping) -> None:
    """Notes options that look like another one."""
    seen: dict[str, str] = {}
    for id_, node in options.values.items():
        if not isinstance(node, Scalar) or is_blank(node.text):
            continue
        first = seen.setdefault(looks(node.text), id_)
        if first != id_:
            what = f"options {first} and {id_} look the same: {shown(node.text)}"
            file.report("equal-options", node.place, what, "Change or delete one of the two.")


def _check_answer(file: File, question: Mapping, options: Mapping) -> None:
    answer = question.values.get("answer")
    chosen: list[Node] = answer.nodes if isinstance(answer, Items) else [answer] if answer else []
    if isinstance(answer, Items) and not chosen:
        mend = "Name at least one option's id."
        file.report("no-answer", answer.place, f"{_of(question)}the answer is empty", mend)
    ids = [node for node in chosen if isinstance(node, Scalar)]
    seen: set[str] = set()
    for node in ids:
        _check_one(file, question, options, node, seen)
        seen.add(node.text)
    if answer and len(seen) > 1 and seen >= options.values.keys():
        mend = "Add an option that is wrong, or check the answer."
        file.report("all-correct", answer.place, f"{_of(question)}all options are correct", mend)


def _check_one(
    file: File, question: Mapping, options: Mapping, node: Scalar, seen: set[str]
) -> None:
    if not node.text:
        mend = "Write an option's id."
        file.report("no-answer", node.place, f"{_of(question)}the answer is empty", mend)
    elif node.text not in options.values:
        mend = did_you_mean(node.text, list(options.values))
        what = f"{_of(question)}no option {shown(node.text)} to be correct"
        file.report("unknown-answer", node.place, what, mend)
    elif node.text in seen:
        what = f"{shown(node.text)} stands twice in the answer"
        file.report("repeated-answer", node.place, what, "Delete one of the two.")


def _of(question: Mapping) -> str:
    id_ = question.scalar("id")
    return f"question {id_.text}: " if id_ else ""


def _check_last(file: File, question: Mapping, options: Mapping) -> None:
    last = question.scalar("last")
    if last and last.text not in options.values:
        mend = did_you_mean(last.text, list(options.values))
        what = f"{_of(question)}no option {shown(last.text)} to stand last"
        file.report("unknown-last", last.place, what, mend)


def _check_image(file: File, question: Mapping) -> None:
    image, alt = question.scalar("image"), question.scalar("alt")
    if image and not is_blank(image.text):
        if not _lies_beside(file.path, image.text):
            mend = "Put the picture beside the quiz file and write its path from there."
            what = f"no picture {shown(image.text)} beside this file"
            file.report("image-not-found", image.place, what, mend)
        if not alt:
            mend = "Add alt: what the picture shows, for those who can't see it."
            file.report("no-alt", image.place, "the picture is not described", mend)
    elif alt and not image:
        mend = "Add image: or delete alt:."
        file.report("alt-without-image", alt.place, "a description without a picture", mend)


def _lies_beside(path: Path, name: str) -> bool:
    """Links are followed: what they lead to must lie there too."""
    folder = path.parent.resolve()
    try:
        image = (folder / name).resolve()
        return image.is_file() and image.is_relative_to(folder)
    except (OSError, ValueError, RuntimeError):  # too long a name, NUL, a loop of links
        return False
