"""The gateway as a whole, for the app: the parts put together, started and stopped."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from telegram import Update
from telegram.ext import Application

from bot.clock import Clock
from bot.gateway.api import Api
from bot.gateway.calls import Call
from bot.gateway.finished import Finished, Kept
from bot.gateway.intake import Handling, Intake
from bot.gateway.line import Line, connect
from bot.gateway.outbox import Outbox
from bot.gateway.polling import Polling
from bot.gateway.rates import Rates
from bot.gateway.webhook import Target, Webhook
from bot.store import inbox
from bot.store.database import Store

log = logging.getLogger(__name__)

_SWEEP_EVERY = timedelta(hours=1)


class Gateway:
    """Its parts are public: `intake.applied` for handlers, `outbox.post` for whoever has something
    to say unasked, `webhook.take` for the server that Telegram brings updates to."""

    def __init__(
        self,
        application: Application[Any, Any, Any, Any, Any, Any],
        store: Store,
        clock: Clock,
        *,
        apologise: Callable[[Update], Awaitable[Sequence[Call]]],
        kept: Kept,
        allowed_updates: Sequence[str],
        rates: Rates | None = None,
        webhook: Target | None = None,
    ) -> None:
        self._application, self._store, self._clock = application, store, clock
        self.api = Api(application.bot)
        finished = Finished(store, kept)
        self.outbox = Outbox(self.api, clock, finished.note, rates)
        handling = Handling(application.bot, application.process_update, apologise)
        self.intake = Intake(store, clock, self.outbox, finished, handling)
        application.add_error_handler(self.intake.note_error)
        self._line = Line(clock)
        self.webhook: Webhook | None = None
        line, receive, backlog = self._line, self.intake.receive, self.intake.backlog
        if webhook is None:
            self._delivery: Polling | Webhook = Polling(
                self.api, line, clock, receive, allowed_updates, room=backlog.room
            )
        else:
            self._delivery = self.webhook = Webhook(
                *(self.api, line, clock, receive, lambda: backlog.full, webhook, allowed_updates)
            )

    @property
    def answered_at(self) -> datetime | None:
        """When Telegram last answered a poll or brought an update. With polling it should be no
        older than the longest poll, unless more is under way than should be (`backlog.full`)."""
        return self._delivery.answered_at

    async def connect(self) -> None:
        """Initializes the application as soon as Telegram can be reached. Raises TokenRefused."""
        await connect(self._application, self._line)

    async def run(self) -> None:
        """Takes up what is unfinished, then gets updates until cancelled. Raises TokenRefused or
        OtherPoller. Call `stop` afterwards."""
        await self.intake.resume()
        sweeping = asyncio.create_task(self._sweep(), name="sweep the inbox")
        try:
            await self._delivery.run()
        finally:
            sweeping.cancel()
            with suppress(asyncio.CancelledError):
                await sweeping

    async def idle(self) -> None:
        """Returns when nothing is under way."""
        await self.intake.idle()

    async def stop(self, deadline_s: float = 7.0) -> None:
        """Finishes what is under way, but not beyond the deadline; the rest is taken up by the
        next run."""
        try:
            async with asyncio.timeout(deadline_s):
                await self.intake.idle()
        except TimeoutError:
            log.warning("not finished in %.0f s; the next start takes up the rest", deadline_s)
        finally:
            await self.intake.stop()

    async def _sweep(self) -> None:
        while True:
            try:
                async with self._store.transaction() as tx:
                    await inbox.sweep(tx, self._clock.now())
            except Exception:
                log.exception("the inbox could not be swept; trying again in an hour")
            await self._clock.wait_until(self._clock.now() + _SWEEP_EVERY)
