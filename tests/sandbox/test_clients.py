"""Bots written with libraries that know nothing of the sandbox."""

from __future__ import annotations

import asyncio
import io
import json
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiogram
import pytest
from aiogram.client.session.aiohttp import AiohttpSession
from aiogram.client.telegram import TelegramAPIServer
from aiogram.filters import CommandStart
from aiogram.webhook.aiohttp_server import SimpleRequestHandler, setup_application
from aiohttp import web
from telegram import InlineKeyboardButton, InlineKeyboardMarkup, Update
from telegram.ext import Application, CallbackQueryHandler, CommandHandler, ContextTypes

from bot.sandbox.server import Server
from bot.sandbox.telegram import Telegram
from tests.people import HeartRequest, Person
from tests.sandbox.asking import PNG

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


async def _hear(telegram: Telegram) -> None:
    """The same, and in a group."""
    await _talk(telegram)
    learner = Person(telegram, "Ravi")
    team = await learner.founds("Team", "forum")
    thread = telegram.create_topic(learner.id, team.id, "Week 1")
    there = learner.at(team, thread)
    learner.settle = lambda: telegram.until(lambda: there.screen == "A or B?")
    await there.says("/start")
    learner.settle = lambda: telegram.until(lambda: there.toast is not None)
    await there.taps("A")
    assert there.toast == "You chose a."
    await telegram.until(lambda: "document" in learner.at(team).messages[-1])


async def _run(application: Application[Any, Any, Any, Any, Any, Any], telegram: Telegram) -> None:
    _with_handlers(application)
    async with application:
        assert application.updater is not None
        await application.updater.start_polling()
        await application.start()
        await _hear(telegram)
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


async def test_python_telegram_bot_behind_a_webhook(telegram: Telegram, server: Server) -> None:
    """With a web server of one's own, as PTB's examples have it; its own needs tornado."""
    builder = Application.builder().token(telegram.bot.token).base_url(f"{server.url}/bot")
    application = builder.updater(None).build()
    _with_handlers(application)

    async def receive(request: web.Request) -> web.Response:
        assert request.headers["X-Telegram-Bot-Api-Secret-Token"] == "s3cret"
        update = Update.de_json(await request.json(), application.bot)
        await application.update_queue.put(update)
        return web.Response()

    app = web.Application()
    app.router.add_post("/hook", receive)
    async with application, _served(app) as url:
        await application.start()
        await application.bot.set_webhook(f"{url}/hook", secret_token="s3cret")
        await _hear(telegram)
        assert telegram.world.webhook.error is None
        await application.stop()


@asynccontextmanager
async def _served(app: web.Application) -> AsyncIterator[str]:
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    await runner.cleanup()


def _aiogram(telegram: Telegram, server: Server) -> tuple[aiogram.Bot, aiogram.Dispatcher]:
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
    return bot, dispatcher


async def test_aiogram(telegram: Telegram, server: Server) -> None:
    bot, dispatcher = _aiogram(telegram, server)
    polling = asyncio.create_task(dispatcher.start_polling(bot, handle_signals=False))
    await _hear(telegram)
    await dispatcher.stop_polling()
    await polling


async def test_aiogram_behind_a_webhook(telegram: Telegram, server: Server) -> None:
    bot, dispatcher = _aiogram(telegram, server)
    app = web.Application()
    SimpleRequestHandler(dispatcher, bot, secret_token="s3cret").register(app, "/hook")
    setup_application(app, dispatcher, bot=bot)
    async with _served(app) as url:
        await bot.set_webhook(f"{url}/hook", secret_token="s3cret")
        await _hear(telegram)
        assert telegram.world.webhook.error is None


async def test_all_that_is_told_of_groups_can_be_read_by_python_telegram_bot(
    telegram: Telegram,
) -> None:
    kinds = ["message", "my_chat_member", "chat_member", "callback_query"]
    await telegram.call("getUpdates", {"allowed_updates": kinds})
    lead, ravi = Person(telegram, "Grace"), Person(telegram, "Ravi")
    team, old = await lead.founds("Team", "forum", ravi), await lead.founds("Old", "group")
    telegram.promote_bot(lead.id, team.id)
    telegram.restrict(lead.id, ravi.id, team.id, ["can_send_messages"])
    telegram.promote(lead.id, ravi.id, team.id, anonymous=True)
    thread = telegram.create_topic(lead.id, team.id, "Week 1")
    await ravi.at(team, thread).says("/start")
    telegram.close_topic(lead.id, team.id, thread)
    telegram.kick(lead.id, ravi.id, team.id)
    telegram.restrict_bot(lead.id, team.id, ["can_send_messages"])
    telegram.upgrade(lead.id, old.id)
    await lead.at(team).forges("x")
    telegram.remove_bot(lead.id, team.id)
    _, body = await telegram.call("getUpdates", {})
    bot = Application.builder().token(telegram.bot.token).build().bot
    read = [Update.de_json(update, bot) for update in body["result"]]
    assert len(read) >= 17
    assert all(update.effective_chat is not None for update in read)


CURL = shutil.which("curl")


@pytest.mark.skipif(CURL is None, reason="curl is not installed")
@pytest.mark.parametrize(
    "arguments",
    [
        ["-d", "chat_id={id}", "--data-urlencode", "text=नमस्ते"],
        ["-F", "chat_id={id}", "-F", "text=नमस्ते"],
        ["--json", '{{"chat_id": {id}, "text": "नमस्ते"}}'],
        ["-G", "-d", "chat_id={id}", "--data-urlencode", "text=नमस्ते"],
    ],
    ids=["form", "multipart", "json", "query"],
)
async def test_curl(
    telegram: Telegram, server: Server, learner: Person, arguments: list[str]
) -> None:
    own = [argument.format(id=learner.id) for argument in arguments]
    answer = await _curl(*own, f"{server.url}/bot{telegram.bot.token}/sendMessage")
    assert answer["result"]["text"] == learner.screen == "नमस्ते"


@pytest.mark.skipif(CURL is None, reason="curl is not installed")
async def test_curl_sends_a_photo_and_loads_it_back(
    telegram: Telegram, server: Server, learner: Person, tmp_path: Path
) -> None:
    (tmp_path / "a.png").write_bytes(PNG)
    base = f"{server.url}/bot{telegram.bot.token}"
    sent = await _curl(
        "-F", f"chat_id={learner.id}", "-F", f"photo=@{tmp_path}/a.png", f"{base}/sendPhoto"
    )
    (size,) = sent["result"]["photo"]
    assert (size["width"], size["height"]) == (16, 8)
    file = await _curl("-d", f"file_id={size['file_id']}", f"{base}/getFile")
    url = f"{server.url}/file/bot{telegram.bot.token}/{file['result']['file_path']}"
    await _curl("-o", str(tmp_path / "back.png"), url, answers=False)
    assert (tmp_path / "back.png").read_bytes() == PNG


async def _curl(*arguments: str, answers: bool = True) -> Any:
    assert CURL is not None
    process = await asyncio.create_subprocess_exec(
        CURL, "--silent", "--show-error", "--noproxy", "*", *arguments,
        stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    output, _ = await process.communicate()
    assert process.returncode == 0
    return json.loads(output) if answers else None
