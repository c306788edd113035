"""The parts put together: the only module that knows all others."""

from __future__ import annotations

import asyncio
import logging
import random
import signal
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Any
from zoneinfo import ZoneInfo

from telegram.ext import Application
from telegram.request import BaseRequest

from bot import web
from bot.clock import Clock
from bot.dispatch import UPDATES, Dispatch, PtbApplication
from bot.gateway.calls import Call
from bot.gateway.gateway import Gateway
from bot.gateway.profile import Profile, publish
from bot.gateway.rates import Rates
from bot.gateway.transport import AiohttpRequest
from bot.gateway.webhook import Target
from bot.handlers import catalogue, language, play, privacy
from bot.i18n import Catalogues, match
from bot.quiz.quiz import Quiz
from bot.screens import talk
from bot.settings import Settings
from bot.shelf import Shelf
from bot.store import attempts, lock
from bot.store.database import Store, Transaction
from bot.turn import Feature, Keep, Step, World

log = logging.getLogger(__name__)

FEATURES: tuple[Feature, ...] = (
    catalogue.FEATURE,
    play.FEATURE,
    language.FEATURE,
    privacy.FEATURE,
)


class App:
    """The bot on one database. `request` makes its HTTP requests; tests plug in their own."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        catalogues: Catalogues,
        quizzes: Mapping[str, Quiz],
        clock: Clock,
        dice: random.Random,
        request: Callable[[], BaseRequest] = AiohttpRequest,
    ) -> None:
        self._settings, self._store, hook = settings, store, settings.webhook
        commands = tuple(command for feature in FEATURES for command in feature.commands)
        zone = ZoneInfo(settings.timezone)
        self.world = World(
            catalogues, quizzes, clock, dice, settings.locale, zone, commands=commands
        )
        self._application = _application(settings, request)
        dispatch = Dispatch(self.world, store, FEATURES, self._applied)
        dispatch.register(self._application)
        self.gateway = Gateway(
            self._application,
            store,
            clock,
            apologise=dispatch.apologise,
            kept=self._kept,
            allowed_updates=UPDATES,
            rates=Rates(
                settings.rate_total,
                settings.rate_chat,
                settings.rate_group,
                settings.paid_broadcast,
            ),
            webhook=Target(hook.url, hook.secret) if hook is not None else None,
        )

    async def run(self, connected: Callable[[str], None]) -> None:
        """Serves Telegram until cancelled, then finishes what is under way.

        `connected` is told the bot's username. Raises TokenRefused, OtherPoller or CannotListen.
        """
        try:
            await self.gateway.connect()
            self.world.username = self._application.bot.username
            connected(self.world.username)
            async with self._web(), _beside(publish(self.gateway.api, profiles(self.world))):
                await self.gateway.run()
        finally:
            await self.gateway.stop()
            await self._application.shutdown()
            # Not done by that where Telegram was never reached, and the sessions stay open.
            await self._application.bot.shutdown()

    @asynccontextmanager
    async def _web(self) -> AsyncIterator[None]:
        """What Telegram brings updates to, if it is to bring them."""
        if self.gateway.webhook is None or self._settings.webhook is None:
            yield
            return
        hooks = {self._settings.webhook.path: self.gateway.webhook.take}
        async with web.serving(self._settings.listen, hooks):
            yield

    def place(self, quizzes: Mapping[str, Quiz]) -> None:
        """The quizzes served from now on."""
        self.world.quizzes = quizzes

    def _applied(self, update_id: int, calls: Sequence[Call]) -> None:
        self.gateway.intake.applied(update_id, calls)

    async def _kept(self, tx: Transaction, call: Call, message_id: int) -> None:
        """Remembers the message that a question, a result or an explanation became."""
        keep = Keep.unpack(call.keep or "")
        remember = attempts.sent if keep.step is Step.SHOWN else attempts.explained
        await remember(tx, keep.attempt_id, keep.shown, message_id)


async def serve(
    settings: Settings,
    catalogues: Catalogues,
    shelf: Shelf,
    clock: Clock,
    dice: random.Random,
    *,
    connected: Callable[[str], None],
    watch: bool = False,
) -> None:
    """The bot on its data folder until cancelled. SIGHUP, and with `watch` any change of the
    quiz files, makes it read them again.

    Raises StoreError, TokenRefused, OtherPoller or CannotListen.
    """
    async with AsyncExitStack() as stack:
        stack.enter_context(lock.hold(settings.data_dir))
        database = Store.open(settings.data_dir / "quizbot.sqlite3")
        store = await stack.enter_async_context(database)
        app = App(settings, store, catalogues, shelf.quizzes, clock, dice)
        shelf.placed = app.place
        asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, shelf.reload)
        if watch:
            await stack.enter_async_context(_beside(shelf.watch(clock)))
        await app.run(connected)


def profiles(world: World) -> list[Profile]:
    """One for each language that Telegram can tell apart, and first the one for all others.

    Languages that share a two-letter code, as zh_Hans and zh_Hant do, share the likelier's.
    """
    available = world.catalogues.locales
    codes = {code for code in (locale.split("_")[0] for locale in available) if len(code) == 2}
    likeliest = {code: match(code, available) or available[0] for code in sorted(codes)}
    return [
        _profile(world, "", world.catalogues.default.locale),
        *(_profile(world, code, locale) for code, locale in likeliest.items()),
    ]


def _profile(world: World, code: str, locale: str) -> Profile:
    lang = world.catalogues.language(locale)
    commands = tuple((command.name, command.describe(lang)) for command in world.commands)
    return Profile(code, commands, talk.description(lang), talk.short_description(lang))


def _application(settings: Settings, request: Callable[[], BaseRequest]) -> PtbApplication:
    return (
        Application.builder()
        .token(settings.require_token())
        .base_url(f"{settings.api_url}/bot")
        .base_file_url(f"{settings.api_url}/file/bot")
        .request(request())
        .get_updates_request(request())
        .updater(None)
        .job_queue(None)
        .build()
    )


@asynccontextmanager
async def _beside(work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Runs the work beside the block, and ends it with the block."""
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
