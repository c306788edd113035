"""A YAML file as a tree of texts, lists and mappings, each with its place.

Nothing is typed: `no`, `007` and `~` are texts. The tree is built from the parser's events without
recursion, so that no nesting, however deep, can exhaust the stack.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol

import yaml

from bot.library.problems import Place
from bot.library.source import BIDI, FORBIDDEN, File, report_character
from bot.library.syntax import DEEPEST, report_depth, report_syntax
from bot.library.texts import shown

MOST_NODES = 50_000
_ONE = "Delete the line --- or move what follows into a file of its own."

# libyaml reads twenty times faster; the events and their places are the same.
LOADER: type[yaml.SafeLoader] | type[yaml.CSafeLoader] = getattr(
    yaml, "CSafeLoader", yaml.SafeLoader
)


# The places are kept as numbers: of the parser's marks, a library would hold millions.
@dataclass(slots=True)
class _Placed:
    line: int
    column: int

    @property
    def place(self) -> Place:
        """Where it begins."""
        return Place(self.line, self.column)


@dataclass(slots=True)
class Scalar(_Placed):
    """A text. `plain`: typed without quotes."""

    text: str
    end_line: int
    end_column: int
    plain: bool = True

    @property
    def end(self) -> Place:
        """Just behind it."""
        return Place(self.end_line, self.end_column)


@dataclass(slots=True)
class Items(_Placed):
    """A list."""

    nodes: list[Node] = field(default_factory=list)


@dataclass(slots=True)
class Mapping(_Placed):
    """A mapping. Of keys that stand twice the first is kept. `flow`: written as {…}."""

    flow: bool = False
    keys: dict[str, Scalar] = field(default_factory=dict)
    values: dict[str, Node] = field(default_factory=dict)

    def scalar(self, key: str) -> Scalar | None:
        """The text under the key, if there is one."""
        node = self.values.get(key)
        return node if isinstance(node, Scalar) else None

    def mapping(self, key: str) -> Mapping | None:
        """The mapping under the key, if there is one."""
        node = self.values.get(key)
        return node if isinstance(node, Mapping) else None

    def items(self, key: str) -> list[Node]:
        """What is in the list under the key, if there is one."""
        node = self.values.get(key)
        return node.nodes if isinstance(node, Items) else []


Node = Scalar | Items | Mapping


def compose(file: File) -> Mapping | None:
    """The file's tree; None, with the reason among the file's problems, if it has none."""
    composer = _Composer(file)
    try:
        for event in yaml.parse(file.text, Loader=LOADER):
            if not composer.take(event):
                return None
    except yaml.YAMLError as error:
        report_syntax(file, error)
        return None
    if isinstance(composer.root, Mapping):
        return composer.root
    if composer.root is None:
        file.report("empty-file", Place(), "nothing in it", "Write the quiz, or delete the file.")
    else:
        mend = "Begin with a key and its value, such as title: Capitals."
        file.report("not-a-mapping", composer.root.place, "the file is not a mapping", mend)
    return None


def walk(node: Node) -> Iterator[Node]:
    """The node and all below it, in the file's order."""
    yield node
    match node:
        case Items():
            for child in node.nodes:
                yield from walk(child)
        case Mapping():
            for key, child in node.values.items():
                yield node.keys[key]
                yield from walk(child)


class _Composer:
    """Takes the parser's events one by one and hangs each node where it belongs."""

    def __init__(self, file: File) -> None:
        self.root: Node | None = None
        self._file = file
        self._open: list[Items | Mapping] = []
        # for each open mapping, the key that waits for its value
        self._keys: list[Scalar | None] = []
        self._documents = 0
        self._nodes = 0

    def take(self, event: yaml.Event) -> bool:
        """Whether to go on."""
        match event:
            case yaml.NodeEvent():
                return self._node(event)
            case yaml.CollectionEndEvent():
                self._open.pop()
                self._keys.pop()
            case yaml.DocumentStartEvent():
                self._documents += 1
                if self._documents > 1:
                    self._report(event, "several-documents", "a second document begins", _ONE)
                    return False
        return True

    def _node(self, event: yaml.NodeEvent) -> bool:
        self._nodes += 1
        if self._nodes > MOST_NODES:
            mend = "Split the quiz into several."
            self._report(event, "too-large", f"more than {MOST_NODES} values", mend)
            return False
        if len(self._open) >= DEEPEST and isinstance(event, yaml.CollectionStartEvent):
            report_depth(self._file, Place(*_place(event.start_mark)))
            return False
        if event.anchor is not None or getattr(event, "tag", None) is not None:
            self._decorations(event)
        node = self._made(event)
        self._hang(node)
        if not isinstance(node, Scalar):
            self._open.append(node)
            self._keys.append(None)
        return True

    def _decorations(self, event: yaml.NodeEvent) -> None:
        if event.anchor is not None:
            sign = "*" if isinstance(event, yaml.AliasEvent) else "&"
            mend = "Write the value out; a text that begins with * or & goes in quotes."
            self._report(event, "alias", f"{sign}{event.anchor} is a YAML reference", mend)
        if getattr(event, "tag", None) is not None:
            mend = "Delete it; a text that begins with ! goes in quotes."
            self._report(event, "tag", "a YAML tag (!…)", mend)

    def _made(self, event: yaml.NodeEvent) -> Node:
        match event:
            case yaml.ScalarEvent():
                return self._scalar(event)
            case yaml.SequenceStartEvent():
                return Items(*_place(event.start_mark))
            case yaml.MappingStartEvent():
                return Mapping(*_place(event.start_mark), bool(event.flow_style))
            case _:
                return Scalar(
                    *_place(event.start_mark), f"*{event.anchor}", *_place(event.end_mark)
                )

    def _scalar(self, event: yaml.ScalarEvent) -> Scalar:
        text, plain, block = event.value, not event.style, event.style in ("|", ">")
        if block:
            text = text.removesuffix("\n")  # it ends the block and is no part of the text
        elif not plain and (FORBIDDEN.search(text) or BIDI.search(text)):
            text = self._cleared(event, text)
        return Scalar(*_place(event.start_mark), text, *_place(event.end_mark), plain)

    def _cleared(self, event: yaml.ScalarEvent, text: str) -> str:
        """What was typed as itself was found before; here are the escapes of "…"."""
        for pattern in (FORBIDDEN, BIDI):
            for found in pattern.finditer(text):
                report_character(self._file, found[0], Place(*_place(event.start_mark)))
            text = pattern.sub("\ufffd", text)
        return text

    def _hang(self, node: Node) -> None:
        if not self._open:
            self.root = node
            return
        parent = self._open[-1]
        if isinstance(parent, Items):
            parent.nodes.append(node)
        elif (key := self._keys[-1]) is None:
            self._keys[-1] = self._key(parent, node)
        else:
            self._keys[-1] = None
            if parent.keys.get(key.text) is key:
                parent.values[key.text] = node

    def _key(self, parent: Mapping, node: Node) -> Scalar:
        """The key to hang a value under; what is no good as one is not entered in the mapping."""
        if not isinstance(node, Scalar):
            mend = "Use a short word as the key."
            self._file.report("odd-key", node.place, "a key that is not a text", mend)
            return Scalar(*node.place, "", *node.place)
        if node.text == "<<" and node.plain:
            mend = "Write the keys out."
            self._file.report("alias", node.place, "<< merges another mapping", mend)
        elif node.text in parent.keys:
            first = parent.keys[node.text].place.line
            what = f"{shown(node.text)} stands here again (first in line {first})"
            self._file.report("duplicate-key", node.place, what, "Keep one of the two.")
        else:
            parent.keys[node.text] = node
        return node

    def _report(self, event: yaml.Event, code: str, what: str, mend: str) -> None:
        self._file.report(code, Place(*_place(event.start_mark)), what, mend)


def _place(mark: _Mark | None) -> tuple[int, int]:
    return (mark.line + 1, mark.column + 1) if mark else (1, 1)


class _Mark(Protocol):
    """A place in the parser's count, from 0."""

    line: int
    column: int
