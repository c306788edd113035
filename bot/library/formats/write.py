"""Drafts as our YAML, in a style people like to edit; reading it gives the exact texts back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import yaml

from bot.library.formats.draft import Draft, DraftQuestion
from bot.library.source import BIDI, FORBIDDEN

# Begins with a letter or digit, and has neither `: ` nor ` #` nor a colon at its end.
_PLAIN = re.compile(r"[^\W_](?:[^\n\r\t:#]|:(?=\S)|(?<=\S)#)*")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_ESCAPED = re.compile(rf'[\\"\n\r\t]|{FORBIDDEN.pattern}|{BIDI.pattern}')


def as_quiz_yaml(draft: Draft) -> str:
    """A quiz.yaml. What isn't known, such as an answer, is left out for `check` to name."""
    lines = [*_heading(draft), *_pair("locale", draft.locale), "questions:"]
    for question in draft.questions:
        entry = [
            *_pair("id", question.id),
            *_asked(question),
            *_answer(question.answer),
            *_pair("explanation", question.explanation),
        ]
        lines += _indented("  - ", "    ", entry)
    return _joined(lines)


def as_translation_yaml(draft: Draft) -> str:
    """A translation, of a draft that has its source's ids (`Draft.translating`)."""
    lines = [*_heading(draft), "questions:"]
    for question in draft.questions:
        entry = [
            *_asked(question),
            *_pair("explanation", question.explanation),
            *_pair("source", question.source),
        ]
        lines.append(f"  {scalar(question.id)}:")
        lines += _indented("    ", "    ", entry)
    return _joined(lines)


def scalar(text: str) -> str:
    """The text on one line, in quotes only where something would change without them."""
    return text if _is_plain(text) else f'"{_ESCAPED.sub(_escape, text)}"'


def _heading(draft: Draft) -> Iterator[str]:
    yield from _pair("title", draft.title)
    yield from _pair("description", draft.description)


def _asked(question: DraftQuestion) -> Iterator[str]:
    yield from _pair("question", question.question)
    if question.options:
        yield "options:"
    for id_, text in question.options.items():
        yield from _indented("  ", "  ", _value(id_, text))


def _answer(ids: tuple[str, ...]) -> Iterator[str]:
    if len(ids) == 1:
        yield from _pair("answer", ids[0])
    elif ids:
        yield f"answer: [{', '.join(map(scalar, ids))}]"


def _pair(key: str, text: str) -> Iterator[str]:
    """Nothing for what is not known."""
    if text:
        yield from _value(key, text)


def _value(key: str, text: str) -> Iterator[str]:
    if _is_block(text):
        yield f"{scalar(key)}: |-"
        yield from _indented("  ", "  ", text.split("\n"))
    else:
        yield f"{scalar(key)}: {scalar(text)}"


def _is_plain(text: str) -> bool:
    """What YAML would type is quoted too: other programs read these files, our loader doesn't."""
    number = text[:1].isdigit() and " " not in text
    return (
        bool(_PLAIN.fullmatch(text))
        and text == text.strip()
        and not _ESCAPED.search(text.replace('"', "").replace("\\", ""))
        and not number
        and not _has_type(text)
    )


def _has_type(text: str) -> bool:
    """Whether YAML takes it for a boolean, a date or the like."""
    kinds = yaml.SafeLoader.yaml_implicit_resolvers.get(text[:1], [])
    return any(pattern.match(text) for _, pattern in kinds)


def _is_block(text: str) -> bool:
    """Whether it may stand below a |-: no line ends in spaces or begins with a tab."""
    lines = text.split("\n")
    sound = all(line == line.rstrip() and not line.startswith("\t") for line in lines)
    forbidden = FORBIDDEN.search(text) or BIDI.search(text) or "\r" in text
    return sound and not forbidden and len(lines) > 1 and bool(lines[0][:1].strip() and lines[-1])


def _escape(found: re.Match[str]) -> str:
    character = found[0]
    return _ESCAPES.get(character) or f"\\U{ord(character):08x}"


def _indented(first: str, others: str, lines: Iterable[str]) -> Iterator[str]:
    """An empty line stays empty."""
    for number, line in enumerate(lines):
        yield f"{others if number else first}{line}" if line else ""


def _joined(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
