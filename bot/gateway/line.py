"""The line to Telegram: what to do when it is down, and what to say about it."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Any, TypeVar

from telegram.error import TelegramError
from telegram.ext import Application

from bot.clock import Clock
from bot.gateway import errors
from bot.gateway.errors import Trouble

log = logging.getLogger(__name__)

T = TypeVar("T")

_PAUSES_S = (1.0, 2.0, 4.0, 8.0, 15.0, 30.0)
_CONFLICT_PATIENCE = timedelta(minutes=1)


class TokenRefused(Exception):
    """Telegram does not accept the token. The text is one sentence for the operator."""


class OtherPoller(Exception):
    """Somebody else receives this bot's updates. The text is one sentence for the operator."""


class Line:
    """Asks until there is an answer. Says once that Telegram can't be reached, and once that it
    can again."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._down = False
        self._conflict_since: datetime | None = None
        self._last_conflict: datetime | None = None

    async def until_answered(self, ask: Callable[[], Awaitable[T]]) -> T:
        """The answer, however long it takes. Raises TokenRefused, and OtherPoller when the
        conflict lasts for a minute."""
        tries = 0
        while True:
            try:
                answer = await ask()
            except TelegramError as error:
                tries += 1
                pause_s = self._after(error, tries)
                await self._clock.wait_until(self._clock.now() + timedelta(seconds=pause_s))
            else:
                self._restored()
                return answer

    def _after(self, error: TelegramError, tries: int) -> float:
        """The pause in seconds before the next try."""
        match errors.classify(error):
            case Trouble.TOKEN:
                # PTB's error has the token in its text.
                raise TokenRefused(
                    "Telegram refuses the bot token: check QUIZBOT_TOKEN against @BotFather, "
                    "and QUIZBOT_API_URL if it is set."
                ) from None
            case Trouble.CONFLICT:
                self._note_conflict()
            case Trouble.FLOOD:
                return errors.retry_after_s(error)
            case Trouble.NOT_SENT | Trouble.MAYBE_SENT:
                self._lost(logging.WARNING, error)
            case _:
                self._lost(logging.ERROR, error)
        return _PAUSES_S[min(tries, len(_PAUSES_S)) - 1]

    def _note_conflict(self) -> None:
        """Single polls may succeed while two processes take turns: that is still the same
        conflict."""
        now = self._clock.now()
        recent = self._last_conflict and now - self._last_conflict < _CONFLICT_PATIENCE
        if self._conflict_since is None or not recent:
            self._conflict_since = now
            log.warning(
                "Another process receives this bot's updates, with the same token, or a webhook "
                "is set: stop it. Trying for a minute."
            )
        self._last_conflict = now
        if now - self._conflict_since >= _CONFLICT_PATIENCE:
            raise OtherPoller(
                "Another process has been receiving this bot's updates for a minute: "
                "stop it, or give this one a token of its own."
            )

    def _lost(self, level: int, error: TelegramError) -> None:
        if not self._down:
            self._down = True
            said = errors.brief(error)
            log.log(level, "Telegram can't be reached (%s). Trying until it can.", said)

    def _restored(self) -> None:
        if self._down:
            self._down = False
            log.info("Telegram can be reached again.")


async def connect(application: Application[Any, Any, Any, Any, Any, Any], line: Line) -> None:
    """Initializes the application, for which Telegram must be reached: waits until it can be.
    Raises TokenRefused."""
    await line.until_answered(application.initialize)
