"""What may stand in a quiz file and in a translation.

The loader, the checks and the JSON Schema for editors all come from these models. Values arrive as
texts, lists and mappings, never typed by YAML. What goes beyond a single value is in `rules`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Any, NoReturn
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PlainValidator, WithJsonSchema
from pydantic.config import JsonDict
from pydantic_core import PydanticCustomError

from bot.library.locales import normalised
from bot.library.texts import is_blank, shown
from bot.quiz.quiz import Scoring

ID = re.compile(r"[a-z0-9-]{1,32}", re.ASCII)
FEWEST_OPTIONS, MOST_OPTIONS = 2, 12

# Editors read 007 as a number and no as a boolean, and would mark them wrong.
_ANY_TEXT = {"type": ["string", "number", "boolean", "null"]}
_ID_SCHEMA = {"type": ["string", "number", "boolean"], "pattern": f"^{ID.pattern}$"}


@dataclass(frozen=True, slots=True)
class Key:
    """A question's correct options as written; `multiple` if they stood in a list."""

    ids: tuple[str, ...]
    multiple: bool


def _refuse(code: str, what: str, mend: str) -> NoReturn:
    raise PydanticCustomError(code, "{what}", {"what": what, "mend": mend})


def check_id(text: str) -> str:
    """An id, or a refusal."""
    if not ID.fullmatch(text):
        _refuse("bad-id", f"{shown(text)} is no id", "Use 1 to 32 of a-z, 0-9 and hyphen.")
    return text


def _check_text(text: str) -> str:
    if is_blank(text):
        _refuse("blank", "there is nothing to read here", "Write the text, or delete the key.")
    return text


def _check_locale(text: str) -> str:
    locale = normalised(text)
    if locale is None:
        mend = "Write it like hi, pt_BR or zh_Hans."
        _refuse("bad-locale", f"{shown(text)} is no language", mend)
    return locale


def _check_link(text: str) -> str:
    """Telegram refuses a message whose button leads to an address it can't open."""
    if not is_address(text):
        mend = "Write the whole address, such as https://example.org/page."
        _refuse("bad-link", f"{shown(text)} is no address of a page", mend)
    return text


def is_address(text: str) -> bool:
    """Whether it is an http or https address with a public host's name."""
    try:
        parts = urlsplit(text)
        port_is_number = parts.port is None or parts.port > 0
    except ValueError:
        return False
    labels = (parts.hostname or "").split(".")
    sound = not re.search(r"[\s<>\"\\]", text) and parts.scheme in ("http", "https")
    return sound and port_is_number and len(labels) > 1 and all(labels)


def _flag(value: Any) -> bool:
    if value not in ("true", "false"):
        _refuse("bad-flag", f"{_said(value)} is neither true nor false", "Write true or false.")
    return bool(value == "true")


def _pass_mark(value: Any) -> int:
    whole = isinstance(value, str) and re.fullmatch(r"[0-9]{1,3}", value, re.ASCII)
    if not whole or int(value) > 100:
        mend = "Write a whole number from 0 to 100, without a sign."
        _refuse("bad-pass-mark", f"{_said(value)} is no percentage", mend)
    return int(value)


def _scoring(value: Any) -> Scoring:
    for scoring in Scoring:
        if value == scoring.value:
            return scoring
    mend = "Write all-or-nothing or partial."
    _refuse("bad-scoring", f"{_said(value)} is no way of scoring", mend)


def _key(value: Any) -> Key:
    """Which options there are is for `rules` to compare."""
    ids = value if isinstance(value, list) else [value]
    if not all(isinstance(id_, str) for id_ in ids):
        mend = "Write an option's id, or a list of ids."
        _refuse("wrong-type", "the answer is not an id or a list of ids", mend)
    return Key(tuple(ids), isinstance(value, list))


def _said(value: Any) -> str:
    return shown(value) if isinstance(value, str) else "a list or mapping"


_ANSWER = {"anyOf": [_ID_SCHEMA, {"type": "array", "items": _ID_SCHEMA, "minItems": 1}]}
_SCORINGS = {"enum": [scoring.value for scoring in Scoring]}

Text = Annotated[str, AfterValidator(_check_text), WithJsonSchema(_ANY_TEXT)]
Id = Annotated[str, AfterValidator(check_id), WithJsonSchema(_ID_SCHEMA)]
# `no` is Norwegian, whatever an editor takes it for.
LocaleName = Annotated[
    str, AfterValidator(_check_locale), WithJsonSchema({"type": ["string", "boolean"]})
]
Link = Annotated[
    str, AfterValidator(_check_link), WithJsonSchema({"type": "string", "pattern": "^https?://"})
]
Flag = Annotated[bool, PlainValidator(_flag), WithJsonSchema({"type": "boolean"})]
PassMark = Annotated[
    int | None,
    PlainValidator(_pass_mark),
    WithJsonSchema({"type": "integer", "minimum": 0, "maximum": 100}),
]
Answer = Annotated[Key, PlainValidator(_key), WithJsonSchema(_ANSWER)]
ScoringName = Annotated[Scoring, PlainValidator(_scoring), WithJsonSchema(_SCORINGS)]
_SOME_OPTIONS: JsonDict = {"minProperties": FEWEST_OPTIONS, "maxProperties": MOST_OPTIONS}
_IDS_AS_KEYS: JsonDict = {"propertyNames": {"pattern": f"^{ID.pattern}$"}}


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class QuestionEntry(_Model):
    """A question in the quiz's source language."""

    id: Id = Field(description="Stable: answers and translations refer to it. a-z, 0-9, hyphen.")
    question: Text = Field(description="What is asked.")
    options: dict[Id, Text] = Field(
        description="Each option's stable id and its text.",
        json_schema_extra=_SOME_OPTIONS | _IDS_AS_KEYS,
    )
    answer: Answer = Field(description="The correct option's id, or a list: all that apply.")
    explanation: Text = Field("", description="Why it is right, and what is wrong with the rest.")
    image: Text = Field("", description="A picture's file beside this one.")
    alt: Text = Field("", description="The picture in words.")
    link: Link = Field("", description="Where to read more.")
    shuffle: Flag = Field(True, description="false keeps the options in this order.")
    last: Id = Field("", description="The option that always stands last.")


class QuizFile(_Model):
    """A quiz: its structure, and its texts in the source language."""

    title: Text = Field(description="The quiz's name in the catalogue.")
    description: Text = Field("", description="What it is about, in a sentence or two.")
    locale: LocaleName = Field(description="The language of this file: hi, pt_BR, zh_Hans …")
    tags: list[Text] = Field([], description="What it belongs to.")
    terms: list[Text] = Field([], description="Words that no translation changes.")
    pass_mark: PassMark = Field(None, description="Percent needed to pass.")
    scoring: ScoringName = Field(
        Scoring.ALL_OR_NOTHING, description="Of questions with several correct options."
    )
    questions: list[QuestionEntry] = Field(json_schema_extra={"minItems": 1})


class TranslatedQuestion(_Model):
    """A question's texts in another language. Shown only when whole."""

    question: Text = Field("", description="What is asked.")
    options: dict[str, Text] = Field(
        {}, description="Each option's id and its text.", json_schema_extra=_IDS_AS_KEYS
    )
    explanation: Text = Field("", description="Why it is right, and what is wrong with the rest.")
    alt: Text = Field("", description="The picture in words.")
    source: Text = Field("", description="The hash of the texts it was made from.")


class TranslationFile(_Model):
    """A quiz's texts in another language."""

    title: Text = Field("", description="The quiz's name in the catalogue.")
    description: Text = Field("", description="What it is about.")
    questions: dict[str, TranslatedQuestion] = Field(
        {}, description="Each question's id and its texts.", json_schema_extra=_IDS_AS_KEYS
    )
