"""The bots under test: `python -m tests.benchmarks.bots NAME URL`.

The bare ones do what a tap of ours does to Telegram, and nothing else: no database, no order, no
duplicates recognised. They are the floor that the libraries set.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from telegram import InlineKeyboardButton, InlineKeyboardMarkup, Update
from telegram.ext import Application, CallbackQueryHandler, MessageHandler
from telegram.request import BaseRequest

from bot import shipped
from bot.app import App
from bot.clock import SystemClock
from bot.gateway.calls import Call
from bot.gateway.transport import AiohttpRequest
from bot.i18n import Catalogues
from bot.screens.measure import excesses
from bot.settings import from_environment
from bot.shelf import Shelf
from bot.store.database import Store

TOKEN = "1000000042:benchmark-opens-nothing-anywhere-AAAAAAAAAA"
BROADCAST_CHATS = 10_000

QUESTION = "<b>A quiz</b>\n1/10  ▰▱▱▱▱▱▱▱▱▱\n\nWhich command makes a new commit that undoes one?"
EXPLANATION = (
    "<b>❌ Not quite.</b>\n✅ git revert\n\n<code>git revert</code> records the opposite."
)
OPTIONS = ("git revert", "git reset", "git rm", "git restore")


def keyboard(*options: str, data: str) -> InlineKeyboardMarkup:
    """One button a row."""
    rows = [[InlineKeyboardButton(text, callback_data=data)] for text in options]
    return InlineKeyboardMarkup(rows)


async def _start(update: Update, context: Any) -> None:
    assert update.message is not None
    await context.bot.send_message(
        update.message.chat_id, "A quiz", reply_markup=keyboard("Start", data="n")
    )


async def _tap(update: Update, context: Any) -> None:
    query = update.callback_query
    assert query is not None
    chat_id, bot = query.from_user.id, context.bot
    if query.data == "n":
        await bot.answer_callback_query(query.id)
        markup = keyboard(*OPTIONS, data="o")
        await bot.send_message(chat_id, QUESTION, parse_mode="HTML", reply_markup=markup)
        return
    assert query.message is not None
    await bot.answer_callback_query(query.id, text="❌ Not quite.")
    marked = keyboard("✅ git revert", *OPTIONS[1:], data="o")
    await bot.edit_message_text(
        QUESTION, chat_id, query.message.message_id, parse_mode="HTML", reply_markup=marked
    )
    await bot.send_message(
        chat_id, EXPLANATION, parse_mode="HTML", reply_markup=keyboard("Next", data="n")
    )


async def bare_ptb(url: str, request: Callable[[], BaseRequest] | None, concurrent: int) -> None:
    """A handler on python-telegram-bot, with its own polling."""
    builder = Application.builder().token(TOKEN).base_url(f"{url}/bot")
    if request is not None:
        builder = builder.request(request()).get_updates_request(request())
    else:
        builder = builder.connection_pool_size(concurrent).pool_timeout(60)
    application: Application[Any, Any, Any, Any, Any, Any] = builder.concurrent_updates(
        concurrent
    ).build()
    application.add_handler(CallbackQueryHandler(_tap))
    application.add_handler(MessageHandler(None, _start))
    async with application:
        await application.start()
        assert application.updater is not None
        await application.updater.start_polling(timeout=30)
        await asyncio.Event().wait()


async def bare_aiogram(url: str) -> None:
    """A handler on aiogram, with its own polling."""
    from aiogram import Bot, Dispatcher
    from aiogram.client.session.aiohttp import AiohttpSession
    from aiogram.client.telegram import TelegramAPIServer
    from aiogram.types import CallbackQuery, Message
    from aiogram.types import InlineKeyboardButton as AiogramButton
    from aiogram.types import InlineKeyboardMarkup as AiogramMarkup

    def markup(*options: str, data: str) -> AiogramMarkup:
        rows = [[AiogramButton(text=text, callback_data=data)] for text in options]
        return AiogramMarkup(inline_keyboard=rows)

    bot = Bot(TOKEN, AiohttpSession(api=TelegramAPIServer.from_base(url)))
    dispatcher = Dispatcher()

    async def start(message: Message) -> None:
        await bot.send_message(message.chat.id, "A quiz", reply_markup=markup("Start", data="n"))

    async def tap(query: CallbackQuery) -> None:
        chat_id = query.from_user.id
        if query.data == "n":
            await bot.answer_callback_query(query.id)
            options = markup(*OPTIONS, data="o")
            await bot.send_message(chat_id, QUESTION, parse_mode="HTML", reply_markup=options)
            return
        assert query.message is not None
        await bot.answer_callback_query(query.id, text="❌ Not quite.")
        marked = markup("✅ git revert", *OPTIONS[1:], data="o")
        await bot.edit_message_text(
            text=QUESTION,
            chat_id=chat_id,
            message_id=query.message.message_id,
            parse_mode="HTML",
            reply_markup=marked,
        )
        await bot.send_message(
            chat_id, EXPLANATION, parse_mode="HTML", reply_markup=markup("Next", data="n")
        )

    dispatcher.message.register(start)
    dispatcher.callback_query.register(tap)
    await dispatcher.start_polling(bot, handle_signals=False, polling_timeout=30)


async def ours() -> None:
    """The bot as it is, from its environment. SIGUSR1 posts to 10 000 chats at once: a stand-in
    for a daily question that is due for all of them in the same minute."""
    settings = from_environment(os.environ)
    catalogues = Catalogues.load(shipped.locales(), settings.locale)
    shelf = Shelf(settings.quiz_dir or shipped.quizzes(), excesses(catalogues))
    async with Store.open(Path(settings.data_dir) / "quizbot.sqlite3") as store:
        dice = random.Random(1)
        app = App(settings, store, catalogues, shelf.quizzes, SystemClock(), dice)

        def broadcast() -> None:
            for chat_id in range(1, BROADCAST_CHATS + 1):
                params = {"chat_id": chat_id, "text": QUESTION, "parse_mode": "HTML"}
                app.gateway.outbox.post((Call("sendMessage", params),), broadcast=True)

        asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, broadcast)
        await app.run(lambda _: None)


BOTS: dict[str, Callable[[str], Awaitable[None]]] = {
    "ours": lambda _: ours(),
    "ptb": lambda url: bare_ptb(url, None, 16),
    "ptb-aiohttp": lambda url: bare_ptb(url, AiohttpRequest, 256),
    "aiogram": bare_aiogram,
}

if __name__ == "__main__":
    name, url = sys.argv[1:]
    asyncio.run(BOTS[name](url))  # type: ignore[arg-type]  # an awaitable will do
