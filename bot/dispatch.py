"""From PTB's handlers to turns: which feature an update is for, and the transaction around it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any

from telegram import CallbackQuery, Update
from telegram.constants import ChatType
from telegram.ext import (
    Application,
    CallbackContext,
    CallbackQueryHandler,
    CommandHandler,
    MessageHandler,
    filters,
)

from bot import buttons
from bot.gateway import calls as calls_
from bot.gateway.calls import Call
from bot.screens import notices, talk
from bot.store import inbox, people
from bot.store.database import Store
from bot.turn import Feature, Turn, World

Act = Callable[[Turn], Awaitable[None]]
PtbApplication = Application[Any, Any, Any, Any, Any, Any]
PtbContext = CallbackContext[Any, Any, Any, Any]

UPDATES = ("message", "callback_query")

# Edited messages never run a command a second time; service messages are nobody's words.
_WORDS = filters.ChatType.PRIVATE & filters.UpdateType.MESSAGE & ~filters.StatusUpdate.ALL


class Dispatch:
    """Turns updates into turns. `applied` is told the calls after the commit."""

    def __init__(
        self,
        world: World,
        store: Store,
        features: Sequence[Feature],
        applied: Callable[[int, Sequence[Call]], None],
    ) -> None:
        self._world, self._store, self._applied = world, store, applied
        self._meanings = {kind: run for f in features for kind, run in f.buttons.items()}
        self._links = {kind: run for f in features for kind, run in f.links.items()}

    def register(self, application: PtbApplication) -> None:
        """PTB hands each update to the first handler that wants it."""
        for command in self._world.commands:
            run = partial(self._start if command.name == "start" else self._command, command.run)
            application.add_handler(CommandHandler(command.name, run, filters=_WORDS))
        application.add_handler(CallbackQueryHandler(self._callback))
        application.add_handler(MessageHandler(_WORDS, self._words))

    async def apologise(self, update: Update) -> Sequence[Call]:
        """What to tell the person of an update that was given up."""
        user, query = update.effective_user, update.callback_query
        if user is None:
            return ()
        async with self._store.read() as reader:
            wanted = await people.wanted(reader, user.id) or user.language_code
        lang = self._world.speech(wanted).lang
        if query is not None:
            params = {"callback_query_id": query.id, "text": talk.tap_went_wrong(lang)}
            return (Call("answerCallbackQuery", params),)
        return (Call("sendMessage", {"chat_id": user.id, **talk.went_wrong(lang).params()}),)

    async def _command(self, run: Act, update: Update, _: PtbContext) -> None:
        await self._turn(update, run)

    async def _start(self, run: Act, update: Update, context: PtbContext) -> None:
        """/start, or the deep link that it carries: https://core.telegram.org/bots/features."""
        link = buttons.unpack_link(context.args[0]) if context.args else None
        if link is None:
            await self._turn(update, run)
        else:
            follow = self._links[type(link)]
            await self._turn(update, lambda turn: follow(turn, link))

    async def _callback(self, update: Update, _: PtbContext) -> None:
        query = update.callback_query
        meaning = buttons.unpack(query.data or "") if query is not None else None
        if meaning is None:
            await self._turn(update, _out_of_date)
        else:
            run = self._meanings[type(meaning)]
            await self._turn(update, lambda turn: run(turn, meaning))

    async def _words(self, update: Update, _: PtbContext) -> None:
        await self._turn(update, _not_understood)

    async def _turn(self, update: Update, act: Act) -> None:
        """One update, in one transaction with the mark that it is applied and what to show."""
        user, chat, query = update.effective_user, update.effective_chat, update.callback_query
        if user is None or (chat is not None and chat.type != ChatType.PRIVATE):
            return
        async with self._store.transaction() as tx:
            now = self._world.clock.now()
            person = await people.meet(tx, user.id, user.language_code, now)
            turn = Turn(self._world, tx, person, now, self._world.speech(person.wanted))
            _tapped(turn, query)
            await act(turn)
            calls = turn.calls()
            if not await inbox.apply(tx, update.update_id, calls_.dump(calls)):
                raise RuntimeError(f"update {update.update_id} is not waiting to be applied")
        self._applied(update.update_id, calls)


def _tapped(turn: Turn, query: CallbackQuery | None) -> None:
    if query is not None:
        turn.callback_id = query.id
        turn.message_id = query.message.message_id if query.message is not None else None


async def _out_of_date(turn: Turn) -> None:
    turn.toast(notices.out_of_date(turn.lang))


async def _not_understood(turn: Turn) -> None:
    turn.send(talk.not_understood(turn.lang))
