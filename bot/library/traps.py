"""YAML that is well-formed and still not what its author meant."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bot.library.problems import Place
from bot.library.source import File
from bot.library.texts import shown
from bot.library.tree import Items, Mapping, Node, Scalar, walk

_READ = frozenset({"title", "description", "question", "explanation", "alt"})
_LISTS = frozenset({"tags", "terms", "options"})
_COMMENT = re.compile(r"[ \t]*(?<!\S)#")


def check_traps(file: File, root: Mapping) -> None:
    """Notes cut texts, keys made by commas, and tabs."""
    if "#" in file.text:
        for text in _texts(root):
            _check_cut(file, text)
    if "{" in file.text:
        for node in walk(root):
            if isinstance(node, Mapping) and node.flow:
                _check_commas(file, node)
    if "\t" in file.text:
        _check_tabs(file, root)


def _texts(node: Node, read: bool = False) -> Iterator[Scalar]:
    """The texts that people read."""
    match node:
        case Scalar():
            if read:
                yield node
        case Items():
            for child in node.nodes:
                yield from _texts(child, read)
        case Mapping():
            for key, child in node.values.items():
                yield from _texts(child, _is_read(key, child, read))


def _is_read(key: str, child: Node, read: bool) -> bool:
    if isinstance(child, Scalar):
        return read or key in _READ
    return key in _LISTS


def _check_cut(file: File, text: Scalar) -> None:
    if not text.plain:
        return
    line = file.lines[text.end.line - 1]
    if not _COMMENT.match(line, text.end.column - 1):
        return
    column = line.index("#", text.end.column - 1) + 1
    what = f"a comment cuts off the text here: {shown(line[column - 1 :])}"
    mend = 'Put the text in "double quotes", or the comment in a line of its own.'
    file.report("cut-by-comment", Place(text.end.line, column), what, mend)


def _check_commas(file: File, mapping: Mapping) -> None:
    for name, value in mapping.values.items():
        key = mapping.keys[name]
        if isinstance(value, Scalar) and value.plain and not value.text and value.place == key.end:
            what = f"a comma inside {{…}} made {shown(name)} a key of its own"
            mend = 'Put the text with the comma in "double quotes".'
            file.report("comma-made-key", key.place, what, mend)


def _check_tabs(file: File, root: Mapping) -> None:
    """Tabs outside texts: YAML's parsers disagree on where one may stand."""
    covered = [(node.place, node.end) for node in walk(root) if isinstance(node, Scalar)]
    for number, line in enumerate(file.lines, 1):
        if "\t" not in line:
            continue
        bare = list(line)
        for start, end in covered:
            if start.line <= number <= end.line:
                first = start.column - 1 if start.line == number else 0
                last = end.column - 1 if end.line == number else len(line)
                bare[first:last] = "x" * (last - first)
        _check_tab(file, number, "".join(bare))


def _check_tab(file: File, number: int, bare: str) -> None:
    comment = re.search(r"(?:^|\s)#", bare)
    at = bare.find("\t", 0, comment.start() + 1 if comment else len(bare))
    if at != -1:
        what, mend = "a tab outside a text", "Use spaces."
        file.report("tab", Place(number, at + 1), what, mend)
