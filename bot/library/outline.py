"""What a translation is held against: the texts and ids of its source, as far as they are sound.

It is read from the tree and not from the model, so that a source with errors still has one.
"""

from __future__ import annotations

from collections.abc import Mapping as MappingOf
from dataclasses import dataclass, field

from bot.library import texts
from bot.library.tree import Mapping, Scalar


@dataclass(frozen=True, slots=True)
class Strings:
    """One question's texts in the source language; empty: it has none."""

    question: str = ""
    options: MappingOf[str, str] = field(default_factory=dict)
    explanation: str = ""
    alt: str = ""

    @property
    def hash(self) -> str:
        """What `source:` in a translation of these texts holds."""
        return texts.source_hash(self.question, self.options, self.explanation, self.alt)


@dataclass(frozen=True, slots=True)
class Outline:
    """A quiz's texts in the source language, by question id, in the file's order."""

    title: str
    description: str
    terms: tuple[str, ...]
    questions: MappingOf[str, Strings]


def outline(root: Mapping) -> Outline:
    """The outline of a quiz file's tree."""
    questions: dict[str, Strings] = {}
    for node in root.items("questions"):
        if isinstance(node, Mapping) and (id_ := node.scalar("id")):
            questions.setdefault(id_.text, _strings(node))
    terms = tuple(term.text for term in root.items("terms") if isinstance(term, Scalar))
    return Outline(
        _text(root, "title"),
        _text(root, "description"),
        tuple(term for term in terms if term.strip()),
        questions,
    )


def _strings(node: Mapping) -> Strings:
    found = node.mapping("options")
    options = {
        id_: text.text
        for id_, text in (found.values.items() if found else ())
        if isinstance(text, Scalar)
    }
    alt = _text(node, "alt") if node.scalar("image") else ""
    return Strings(_text(node, "question"), options, _text(node, "explanation"), alt)


def _text(node: Mapping, key: str) -> str:
    scalar = node.scalar(key)
    return scalar.text if scalar else ""
