"""The newest Bot API as aiogram describes it: what is sent or answered must fit, nothing extra."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Union, get_args

import aiogram.methods
from aiogram.client.default import Default
from aiogram.methods import TelegramMethod
from aiogram.types import InputFile, Update
from pydantic import BaseModel, TypeAdapter, ValidationError

from bot.sandbox.telegram import Logged
from bot.sandbox.updates import Unparsable

METHODS: dict[str, type[TelegramMethod[Any]]] = {
    method.__api_method__.lower(): method
    for _, method in inspect.getmembers(aiogram.methods, inspect.isclass)
    if issubclass(method, TelegramMethod) and method is not TelegramMethod
}


def check_request(method: str, params: Mapping[str, Any]) -> None:
    """Raises AssertionError unless every parameter, and every field in it, is in the Bot API."""
    model = METHODS[method.lower()]
    unknown = set(params) - set(model.model_fields)
    assert not unknown, f"{method} has no parameter {', '.join(sorted(unknown))}"
    fields = {name: _parsed(value) for name, value in params.items()}
    for name, value in fields.items():
        if isinstance(value, dict | list):
            kind = _bot_api_kind(model.model_fields[name].annotation)
            _check(TypeAdapter(kind), value, f"{method}.{name}")


def check_result(method: str, result: Any) -> None:
    """Raises AssertionError unless this is what the method returns, with no extra field."""
    _check(TypeAdapter(METHODS[method.lower()].__returning__), result, method)


def check_update(update: Any) -> None:
    """Raises AssertionError unless this is an Update with no extra field."""
    _check(TypeAdapter(Update), update, "Update")


def check_log(log: Iterable[Logged]) -> None:
    """Raises AssertionError unless all that was asked and answered is in the Bot API."""
    for call in log:
        if call.answer["ok"]:
            check_request(call.method, call.params)
            if not _has_unparsable(call.answer["result"]):
                check_result(call.method, call.answer["result"])
            if call.method.lower() == "getupdates":
                for update in call.answer["result"]:
                    if not isinstance(update, Unparsable):
                        check_update(update)


def _has_unparsable(result: Any) -> bool:
    return isinstance(result, list) and any(isinstance(item, Unparsable) for item in result)


def _bot_api_kind(annotation: Any) -> Any:
    """The type without aiogram's placeholder for "as set for this bot"."""
    kinds = get_args(annotation)
    if Default not in kinds:
        return annotation
    return Union[tuple(kind for kind in kinds if kind is not Default)]  # noqa: UP007  (of a tuple)


def _parsed(value: Any) -> Any:
    """A form's nested JSON; other text stays text."""
    if not isinstance(value, str) or not value.startswith(("{", "[")):
        return value
    try:
        return json.loads(value)
    except ValueError:
        return value


def _check(kind: TypeAdapter[Any], value: Any, where: str) -> None:
    try:
        parsed = kind.validate_python(value)
    except ValidationError as error:
        raise AssertionError(f"{where}: {error}") from None
    extra = [f"{path}.{name}" for path, name in _extras(parsed, where)]
    assert not extra, f"not in the Bot API: {', '.join(extra)}"


def _extras(value: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, InputFile):
        return
    if isinstance(value, BaseModel):
        yield from ((path, name) for name in value.model_extra or ())
        for name in type(value).model_fields:
            yield from _extras(getattr(value, name), f"{path}.{name}")
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from _extras(item, f"{path}[{index}]")
