"""Bots written with libraries that know nothing of the sandbox."""

from __future__ import annotations

import asyncio
import io
from typing import Any

import aiogram
from aiogram.client.session.aiohttp import AiohttpSession
from aiogram.client.telegram import TelegramAPIServer
from aiogram.filters import CommandStart
from telegram import InlineKeyboardButton, InlineKeyboardMarkup, Update
from telegram.ext import Application, CallbackQueryHandler, CommandHandler, ContextTypes

from bot.sandbox.server import Server
from bot.sandbox.telegram import Telegram
from tests.people import HeartRequest, Person

KEYS = InlineKeyboardMarkup(
    [[InlineKeyboardButton("A", callback_data="a"), InlineKeyboardButton("B", callback_data="b")]]
)
Context = ContextTypes.DEFAULT_TYPE


async def _ask(update: Update, context: Context) -> None:
    assert update.message is not None
    await update.message.reply_text("<b>A</b> or B?", parse_mode="HTML", reply_markup=KEYS)


async def _answer(update: Update, context: Context) -> None:
    query = update.callback_query
    assert query is not None
    await query.answer(f"You chose {query.data}.")
    await query.edit_message_text("Done.")
    assert update.effective_chat is not None
    await update.effective_chat.send_document(io.BytesIO(b"{}"), filename="a.json")


def _with_handlers(application: Application[Any, Any, Any, Any, Any, Any]) -> None:
    application.add_handler(CommandHandler("start", _ask))
    application.add_handler(CallbackQueryHandler(_answer))


async def _talk(telegram: Telegram) -> None:
    learner = Person(telegram, "Asha", "hi")
    learner.settle = lambda: telegram.until(lambda: learner.screen == "A or B?")
    await learner.says("/start")
    assert learner.messages[-1]["entities"] == [{"type": "bold", "offset": 0, "length": 1}]
    learner.settle = lambda: telegram.until(lambda: "document" in learner.messages[-1])
    await learner.taps("B")
    assert learner.toast == "You chose b."
    assert [m.get("text", m.get("document", {}).get("file_name")) for m in learner.received] == [
        "Done.",
        "a.json",
    ]
    assert learner.buttons == []


async def _run(application: Application[Any, Any, Any, Any, Any, Any], telegram: Telegram) -> None:
    _with_handlers(application)
    async with application:
        assert application.updater is not None
        await application.updater.start_polling()
        await application.start()
        await _talk(telegram)
        await application.updater.stop()
        await application.stop()


async def test_python_telegram_bot_with_its_default_settings(
    telegram: Telegram, server: Server
) -> None:
    builder = Application.builder().token(telegram.bot.token).base_url(f"{server.url}/bot")
    await _run(builder.build(), telegram)


async def test_python_telegram_bot_without_http(telegram: Telegram) -> None:
    builder = Application.builder().token(telegram.bot.token)
    builder = builder.request(HeartRequest(telegram)).get_updates_request(HeartRequest(telegram))
    await _run(builder.build(), telegram)


async def test_aiogram(telegram: Telegram, server: Server) -> None:
    session = AiohttpSession(api=TelegramAPIServer.from_base(server.url))
    bot = aiogram.Bot(telegram.bot.token, session=session)
    dispatcher = aiogram.Dispatcher()

    async def ask(message: aiogram.types.Message) -> None:
        keys = aiogram.types.InlineKeyboardMarkup.model_validate(KEYS.to_dict())
        await message.answer("<b>A</b> or B?", parse_mode="HTML", reply_markup=keys)

    async def answer(query: aiogram.types.CallbackQuery) -> None:
        await query.answer(f"You chose {query.data}.")
        assert isinstance(query.message, aiogram.types.Message)
        await query.message.edit_text("Done.")
        document = aiogram.types.BufferedInputFile(b"{}", "a.json")
        await query.message.answer_document(document)

    dispatcher.message.register(ask, CommandStart())
    dispatcher.callback_query.register(answer)
    polling = asyncio.create_task(dispatcher.start_polling(bot, handle_signals=False))
    await _talk(telegram)
    await dispatcher.stop_polling()
    await polling
