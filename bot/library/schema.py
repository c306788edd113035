"""The JSON Schemas that let editors complete and check quiz files.

`python -m bot.library.schema` writes them anew, after a change of the models.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from bot.library.model import QuizFile, TranslationFile

FILES: dict[str, type[BaseModel]] = {
    "quiz.schema.json": QuizFile,
    "translation.schema.json": TranslationFile,
}


def schema(model: type[BaseModel]) -> dict[str, Any]:
    """The schema of a file, of the draft that editors' YAML plugins know best."""
    made = _plain(model.model_json_schema())
    return {"$schema": "http://json-schema.org/draft-07/schema#", **made}


def schemas() -> dict[str, str]:
    """The text of each schema file, by its name."""
    return {
        name: json.dumps(schema(model), indent=2, ensure_ascii=False) + "\n"
        for name, model in FILES.items()
    }


def write(folder: Path) -> None:
    """Writes the schema files."""
    for name, text in schemas().items():
        (folder / name).write_text(text, "utf-8")


def _plain(node: Any) -> Any:
    """Without the titles and the empty defaults that pydantic gives every field."""
    match node:
        case dict():
            return {key: _plain(value) for key, value in node.items() if not _noise(key, value)}
        case list():
            return [_plain(value) for value in node]
        case _:
            return node


def _noise(key: str, value: Any) -> bool:
    return (key == "title" and isinstance(value, str)) or (key == "default" and not value)


if __name__ == "__main__":
    write(Path(__file__).parent)
