"""Fills a model from a file's tree; what pydantic finds gets its place and its words here."""

from __future__ import annotations

from typing import TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from bot.library.model import QuestionEntry, TranslatedQuestion
from bot.library.problems import RULES, Place
from bot.library.source import File
from bot.library.texts import did_you_mean, shown
from bot.library.tree import Items, Mapping, Node, Scalar

Model = TypeVar("Model", bound=BaseModel)
Data = str | list["Data"] | dict[str, "Data"]
Loc = tuple[int | str, ...]

_KINDS = {
    "string_type": "a text",
    "dict_type": "a mapping",
    "list_type": "a list",
    "model_type": "a mapping",
}
_MISSING = {
    "title": ("no-title", "the quiz has no title", "Add title: and the quiz's name."),
    "answer": ("no-answer", "no correct option is named", "Add answer: and the option's id."),
    "questions": ("no-questions", "the quiz has no questions", "Add questions: and a first one."),
}


def fill(model: type[Model], file: File, root: Mapping) -> Model | None:
    """The model's instance; None, with all reasons among the file's problems, if it has none."""
    try:
        return model.model_validate(_data(root))
    except ValidationError as error:
        for details in error.errors(include_url=False, include_input=False):
            _report(file, root, model, details)
        return None


def _data(node: Node) -> Data:
    match node:
        case Scalar():
            return node.text
        case Items():
            return [_data(child) for child in node.nodes]
        case Mapping():
            return {key: _data(child) for key, child in node.values.items()}


def _report(file: File, root: Mapping, model: type[BaseModel], details: ErrorDetails) -> None:
    loc, kind = details["loc"], details["type"]
    if kind == "missing":
        _report_missing(file, root, loc)
    elif kind == "extra_forbidden":
        key = str(loc[-1])
        mend = did_you_mean(key, sorted(_model_at(model, loc).model_fields))
        file.report("unknown-key", _key_place(root, loc), f"no key {shown(key)} here", mend)
    elif kind in RULES:
        context = details["ctx"]
        file.report(kind, _place(root, loc), context["what"], context["mend"])
    else:
        wanted = _KINDS[kind]
        name = next((part for part in reversed(loc) if isinstance(part, str)), "this")
        what, mend = f"{shown(name)} is not {wanted}", f"Write {wanted} here."
        file.report("wrong-type", _place(root, loc), what, mend)


def _report_missing(file: File, root: Mapping, loc: Loc) -> None:
    key = str(loc[-1])
    parent = _find(root, loc[:-1])
    id_ = parent.scalar("id") if isinstance(parent, Mapping) else None
    code, what, mend = _MISSING.get(
        key, ("missing-key", f"{key} is missing", f"Add {key}: and its value.")
    )
    whose = f"question {id_.text}: " if id_ else ""
    file.report(code, parent.place, f"{whose}{what}", mend)


def _model_at(model: type[BaseModel], loc: Loc) -> type[BaseModel]:
    """Unknown keys stand either at the top or in a question."""
    if len(loc) == 1:
        return model
    return QuestionEntry if isinstance(loc[1], int) else TranslatedQuestion


def _find(root: Node, loc: Loc) -> Node:
    """The node, or the nearest one around it that there is."""
    node = root
    for part in loc:
        if isinstance(node, Items) and isinstance(part, int):
            node = node.nodes[part]
        elif isinstance(node, Mapping) and part in node.values:
            node = node.values[str(part)]
    return node


def _place(root: Mapping, loc: Loc) -> Place:
    return _key_place(root, loc[:-1]) if loc[-1:] == ("[key]",) else _find(root, loc).place


def _key_place(root: Mapping, loc: Loc) -> Place:
    parent = _find(root, loc[:-1])
    key = parent.keys.get(str(loc[-1])) if isinstance(parent, Mapping) else None
    return key.place if key else parent.place
