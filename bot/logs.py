"""Log lines, as text or JSON, with secrets masked in every one of them."""

from __future__ import annotations

import json
import logging
import sys
import threading
from collections.abc import Sequence
from datetime import UTC, datetime
from types import TracebackType
from typing import TextIO

from bot.redact import Redactor

log = logging.getLogger(__name__)

# At DEBUG these write what people said (every parameter of every call and statement) and every
# URL. Nobody needs that to find a fault here.
_TALKATIVE = {
    "telegram": logging.INFO,
    "aiosqlite": logging.WARNING,
    "aiohttp.access": logging.WARNING,
    "httpx": logging.WARNING,
    "httpcore": logging.WARNING,
}


def setup(
    level: str | int,
    style: str,
    secrets: Sequence[str],
    stream: TextIO | None = None,
) -> Redactor:
    """Everything that is logged, warned of, or not caught goes to the stream (standard error),
    and nowhere else. The redactor is for what is printed."""
    redactor = Redactor(*secrets)
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines(redactor) if style == "json" else TextLines(redactor))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    for name, least in _TALKATIVE.items():
        logging.getLogger(name).setLevel(max(least, root.level))
    logging.captureWarnings(True)
    sys.excepthook = _uncaught
    threading.excepthook = _uncaught_in_thread
    return redactor


class TextLines(logging.Formatter):
    """`2026-12-01T12:10:00.000Z INFO bot.app: text`, and tracebacks below."""

    def __init__(self, redactor: Redactor) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")
        self._redactor = redactor

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:
        """UTC, always."""
        return _time(record)

    def format(self, record: logging.LogRecord) -> str:
        """The whole entry, tracebacks of chained exceptions included, cleaned at the end."""
        return self._redactor.clean(super().format(record))


class JsonLines(logging.Formatter):
    """One object a line: time, level, logger, message, and exception if there is one."""

    def __init__(self, redactor: Redactor) -> None:
        super().__init__()
        self._redactor = redactor

    def format(self, record: logging.LogRecord) -> str:
        """The entry; its texts are cleaned before JSON could disguise a secret."""
        entry = {
            "time": _time(record),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            entry["exception"] = self.formatException(record.exc_info)
        if record.stack_info:
            entry["stack"] = record.stack_info
        cleaned = {key: self._redactor.clean(text) for key, text in entry.items()}
        return json.dumps(cleaned, ensure_ascii=False)


def _time(record: logging.LogRecord) -> str:
    moment = datetime.fromtimestamp(record.created, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _uncaught(
    kind: type[BaseException], error: BaseException, traceback: TracebackType | None
) -> None:
    if issubclass(kind, KeyboardInterrupt):
        return
    log.critical("not caught", exc_info=(kind, error, traceback))


def _uncaught_in_thread(args: threading.ExceptHookArgs) -> None:
    if args.exc_value is not None:
        log.critical("not caught in a thread", exc_info=args.exc_value)
