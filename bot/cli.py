"""The commands. Exit codes: 0 well; 1 problems found, or the token refused; 2 wrong settings or
usage; 70 a bug (EX_SOFTWARE of sysexits.h)."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import random
import signal
import sys
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from bot import authoring, logs, shipped
from bot import settings as settings_
from bot.app import serve
from bot.authoring import AuthoringError
from bot.clock import Clock, SystemClock
from bot.demo import demo
from bot.gateway.line import OtherPoller, TokenRefused
from bot.i18n import CatalogueError, Catalogues
from bot.library.formats import FORMATS
from bot.screens.measure import excesses
from bot.settings import Settings, SettingsError
from bot.shelf import Shelf
from bot.store import folder as data_folder
from bot.store.folder import StoreError
from bot.web import CannotListen

log = logging.getLogger(__name__)

_TROUBLES = (
    StoreError,
    CatalogueError,
    AuthoringError,
    TokenRefused,
    OtherPoller,
    CannotListen,
)
EX_WELL, EX_PROBLEMS, EX_USAGE, EX_BUG = 0, 1, 2, 70


def main(argv: Sequence[str] | None = None, clock: Clock | None = None) -> None:
    """Runs a command and exits with its code. `clock` is the machine's unless another is given."""
    args = _parser().parse_args(argv)
    args.clock = clock or SystemClock()
    try:
        code: int = args.command(args)
    except SettingsError as error:
        code = _complain(error, EX_USAGE)
    except _TROUBLES as error:
        code = _complain(error, EX_PROBLEMS)
    except Exception:
        # Through the log: it masks the token, in chained tracebacks too.
        log.critical("this is a bug in quizbot; please report it", exc_info=True)
        code = EX_BUG
    sys.exit(code)


def _complain(error: Exception, code: int) -> int:
    print(f"quizbot: {error}", file=sys.stderr)
    return code


def _run(args: argparse.Namespace) -> int:
    settings = settings_.from_environment(os.environ)
    token = settings.require_token()
    secrets = [token] if settings.webhook is None else [token, settings.webhook.secret]
    logs.setup(settings.log_level, settings.log_format, secrets)
    for warning in settings.warnings():
        log.warning("%s", warning)
    if settings.data_dir == Settings().data_dir:
        data_folder.make(settings.data_dir)
    catalogues = Catalogues.load(shipped.locales(), settings.locale)
    shelf = Shelf(_quiz_dir(settings), excesses(catalogues))
    _until_stopped(
        serve(
            settings,
            catalogues,
            shelf,
            args.clock,
            random.Random(),
            connected=lambda username: log.info("serving https://t.me/%s", username),
        )
    )
    return EX_WELL


def _demo(args: argparse.Namespace) -> int:
    settings = settings_.from_environment(os.environ)
    logs.setup(settings.log_level, settings.log_format, [])
    catalogues = Catalogues.load(shipped.locales(), settings.locale)
    folder = args.quizzes or _quiz_dir(settings)
    shelf = Shelf(_existing(folder, "--quizzes"), excesses(catalogues))
    _until_stopped(demo(settings, catalogues, shelf, args.port, _say_address))
    return EX_WELL


def _say_address(address: str) -> None:
    print(f"quizbot is at {address}  (Ctrl-C ends it)", flush=True)


def _quiz_dir(settings: Settings) -> Path:
    if settings.quiz_dir is None:
        return shipped.quizzes()
    return _existing(settings.quiz_dir, "QUIZBOT_QUIZ_DIR")


def _existing(folder: Path, name: str) -> Path:
    if not folder.is_dir():
        raise SettingsError(f"{name}: there is no folder {folder}; name the one with the quizzes.")
    return folder


def _until_stopped(work: Coroutine[Any, Any, None]) -> None:
    """Runs until it ends by itself or by SIGINT or SIGTERM, which are quiet ends."""

    async def stoppable() -> None:
        task = asyncio.create_task(work)
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, task.cancel)
        with suppress(asyncio.CancelledError):
            await task

    asyncio.run(stoppable())


def _check(args: argparse.Namespace) -> int:
    settings = settings_.from_environment(os.environ)
    catalogues = Catalogues.load(shipped.locales(), settings.locale)
    paths = args.paths or [_quiz_dir(settings)]
    well = authoring.check(paths, excesses(catalogues), args.format, strict=args.strict)
    return EX_WELL if well else EX_PROBLEMS


def _import(args: argparse.Namespace) -> int:
    wanted = authoring.Import(
        args.file, args.form, args.locale, args.key, args.into, args.translates
    )
    return EX_WELL if authoring.import_(wanted) else EX_PROBLEMS


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="quizbot", description="A Telegram bot that teaches with quizzes."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    run = commands.add_parser("run", help="serve Telegram (settings: QUIZBOT_… variables)")
    run.set_defaults(command=_run)
    _demo_parser(commands.add_parser("demo", help="try it here: no token, no network"))
    _check_parser(commands.add_parser("check", help="check quiz files"))
    _import_parser(commands.add_parser("import", help="make a quiz file from another format"))
    return parser


def _demo_parser(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", type=int, default=8080, help="taken: the next free one (8080)")
    parser.add_argument("--quizzes", type=Path, metavar="DIR", help="quiz files, reloaded on save")
    parser.set_defaults(command=_demo)


def _check_parser(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="*", type=Path, metavar="PATH", help="files or folders")
    parser.add_argument("--strict", action="store_true", help="warnings count as errors")
    parser.add_argument("--format", choices=tuple(authoring.FORMATS), default="text")
    parser.set_defaults(command=_check)


def _import_parser(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument(
        "--from", dest="form", choices=tuple(FORMATS), help="found out if not given"
    )
    parser.add_argument("--locale", default="en", metavar="xx", help="the file's language (en)")
    parser.add_argument("--key", metavar="dbca…", help="a letter for each question's answer")
    parser.add_argument("--into", type=Path, metavar="DIR", help="write DIR/<id>.yaml")
    parser.add_argument(
        "--translates", type=Path, metavar="QUIZ_DIR", help="write it as that quiz's translation"
    )
    parser.set_defaults(command=_import)
