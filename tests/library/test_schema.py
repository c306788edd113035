"""The schemas for editors are those of the models, and accept what the loader accepts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from bot import library
from bot.library.model import QuestionEntry, QuizFile, TranslatedQuestion, TranslationFile
from bot.library.schema import FILES, schema, schemas, write

FOLDER = Path(library.__file__).parent


@pytest.mark.parametrize("name", FILES)
def test_the_schemas_in_the_package_are_current(name: str) -> None:
    assert (FOLDER / name).read_text("utf-8") == schemas()[name], "python -m bot.library.schema"


def test_writing_them_writes_all(tmp_path: Path) -> None:
    write(tmp_path)
    assert {path.name: path.read_text("utf-8") for path in tmp_path.iterdir()} == schemas()


def properties(node: dict[str, Any]) -> dict[str, Any]:
    assert node["additionalProperties"] is False
    found: dict[str, Any] = node["properties"]
    return found


def test_every_key_is_there_with_a_description() -> None:
    quiz, translation = schema(QuizFile), schema(TranslationFile)
    models: dict[type[BaseModel], dict[str, Any]] = {
        QuizFile: quiz,
        QuestionEntry: quiz["$defs"]["QuestionEntry"],
        TranslationFile: translation,
        TranslatedQuestion: translation["$defs"]["TranslatedQuestion"],
    }
    for model, node in models.items():
        assert properties(node).keys() == model.model_fields.keys()
        described = {key: "description" in value for key, value in properties(node).items()}
        assert [key for key, has in described.items() if not has] == (
            ["questions"] if model is QuizFile else []
        )


def test_texts_that_yaml_types_are_right() -> None:
    quiz = schema(QuizFile)
    question = properties(quiz["$defs"]["QuestionEntry"])
    any_text = ["string", "number", "boolean", "null"]
    assert properties(quiz)["title"]["type"] == any_text
    assert question["question"]["type"] == any_text
    assert [*question["options"]["patternProperties"].values()] == [{"type": any_text}]
    assert "boolean" in properties(quiz)["locale"]["type"]
    assert "number" in question["id"]["type"]


def test_editors_know_the_limits() -> None:
    quiz = schema(QuizFile)
    options = properties(quiz["$defs"]["QuestionEntry"])["options"]
    assert (options["minProperties"], options["maxProperties"]) == (2, 12)
    assert quiz["required"] == ["title", "locale", "questions"]
    assert properties(quiz)["scoring"]["enum"] == ["all-or-nothing", "partial"]
