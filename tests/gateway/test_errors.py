"""Each error string of Telegram's server, through PTB, which changes it."""

from __future__ import annotations

import pytest
from telegram import Bot
from telegram.error import BadRequest, NetworkError, TelegramError, TimedOut

from bot.gateway import errors
from bot.gateway.api import Api
from bot.gateway.calls import Call
from bot.gateway.errors import Trouble
from bot.gateway.transport import NotSent
from bot.sandbox.telegram import Telegram
from tests.gateway.conftest import Wire, refused
from tests.people import HeartRequest

SAID = [
    (
        400,
        "Bad Request: message is not modified: specified new message content and reply markup "
        "are exactly the same as a current content and reply markup of the message",
        Trouble.BENIGN,
    ),
    (
        400,
        "Bad Request: query is too old and response timeout expired or query ID is invalid",
        Trouble.BENIGN,
    ),
    (400, "Bad Request: message to delete not found", Trouble.BENIGN),
    (400, "Bad Request: message can't be deleted", Trouble.BENIGN),
    (400, "Bad Request: message to edit not found", Trouble.TARGET_GONE),
    (400, "Bad Request: message can't be edited", Trouble.TARGET_GONE),
    (400, "Bad Request: MESSAGE_ID_INVALID", Trouble.TARGET_GONE),
    (400, "Bad Request: message to be replied not found", Trouble.TARGET_GONE),
    (400, "Bad Request: chat not found", Trouble.GONE),
    (400, "Bad Request: PEER_ID_INVALID", Trouble.GONE),
    (403, "Forbidden: bot was blocked by the user", Trouble.GONE),
    (403, "Forbidden: user is deactivated", Trouble.GONE),
    (403, "Forbidden: bot can't initiate conversation with a user", Trouble.GONE),
    (403, "Forbidden: bot was kicked from the group chat", Trouble.GONE),
    (403, "Forbidden: bot was kicked from the supergroup chat", Trouble.GONE),
    (403, "Forbidden: bot was kicked from the channel chat", Trouble.GONE),
    (403, "Forbidden: bot is not a member of the group chat", Trouble.GONE),
    (403, "Forbidden: bot is not a member of the supergroup chat", Trouble.GONE),
    (403, "Forbidden: bot is not a member of the channel chat", Trouble.GONE),
    (403, "Forbidden: the group chat was deleted", Trouble.GONE),
    (403, "Forbidden: something nobody has seen yet", Trouble.NO_RIGHTS),
    (400, "Bad Request: group chat was upgraded to a supergroup chat", Trouble.MIGRATED),
    (400, "Bad Request: not enough rights to send text messages to the chat", Trouble.NO_RIGHTS),
    (
        400,
        "Bad Request: not enough rights to manage pinned messages in the chat",
        Trouble.NO_RIGHTS,
    ),
    (400, "Bad Request: have no rights to send a message", Trouble.NO_RIGHTS),
    (400, "Bad Request: CHAT_WRITE_FORBIDDEN", Trouble.NO_RIGHTS),
    (400, "Bad Request: TOPIC_CLOSED", Trouble.NO_RIGHTS),
    (400, "Bad Request: message thread not found", Trouble.NO_RIGHTS),
    (400, "Bad Request: BUTTON_DATA_INVALID", Trouble.BUG),
    (
        400,
        'Bad Request: can\'t parse entities: Unsupported start tag "x" at byte offset 0',
        Trouble.BUG,
    ),
    (
        400,
        "Bad Request: can't parse entities: Can't find end tag corresponding to start tag \"b\"",
        Trouble.BUG,
    ),
    (400, "Bad Request: message is too long", Trouble.BUG),
    (400, "Bad Request: message text is empty", Trouble.BUG),
    (400, "Bad Request: text must be non-empty", Trouble.BUG),
    (400, "Bad Request: reply markup is too long", Trouble.BUG),
    (400, "Bad Request: message caption is too long", Trouble.BUG),
    (400, "Bad Request: chat_id is empty", Trouble.BUG),
    (400, "Bad Request: MESSAGE_TOO_LONG", Trouble.BUG),
    (413, "Request Entity Too Large", Trouble.BUG),
    (404, "Not Found: method not found", Trouble.BUG),
    (404, "Not Found", Trouble.TOKEN),
    (401, "Unauthorized", Trouble.TOKEN),
    (401, "Unauthorized: invalid token specified", Trouble.TOKEN),
    (
        409,
        "Conflict: terminated by other getUpdates request; make sure that only one bot instance "
        "is running",
        Trouble.CONFLICT,
    ),
    (
        409,
        "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to "
        "delete the webhook first",
        Trouble.CONFLICT,
    ),
    (500, "Internal Server Error: restart", Trouble.MAYBE_SENT),
    (502, "Bad Gateway", Trouble.MAYBE_SENT),
    (504, "Gateway Timeout", Trouble.MAYBE_SENT),
]


async def provoke(api: Api, method: str = "sendMessage") -> TelegramError:
    with pytest.raises(TelegramError) as caught:
        await api.make(Call(method, {"chat_id": 1, "text": "hello"}))
    return caught.value


@pytest.mark.parametrize(("status", "said", "trouble"), SAID)
async def test_each_error_of_telegrams_means_one_thing(
    api: Api, wire: Wire, status: int, said: str, trouble: Trouble
) -> None:
    wire.plan("sendMessage", refused(said, status))
    assert errors.classify(await provoke(api)) is trouble


@pytest.mark.parametrize(
    ("status", "said", "trouble"),
    [
        (401, "Unauthorized", Trouble.TOKEN),
        (404, "Not Found", Trouble.TOKEN),
        (404, "Not Found: method not found", Trouble.BUG),
    ],
)
async def test_a_refused_token_is_told_from_an_unknown_method_by_a_bot_that_knows_itself(
    telegram: Telegram, wire: Wire, status: int, said: str, trouble: Trouble
) -> None:
    bot = Bot(telegram.bot.token, request=HeartRequest(telegram))
    await bot.initialize()
    wire.plan("sendMessage", refused(said, status))
    assert errors.classify(await provoke(Api(bot))) is trouble
    await bot.shutdown()


async def test_a_refused_token_is_seen_at_the_first_contact(ptb_bot: Bot, wire: Wire) -> None:
    wire.plan("getMe", refused("Unauthorized", 401))
    with pytest.raises(TelegramError) as caught:
        await ptb_bot.initialize()
    assert errors.classify(caught.value) is Trouble.TOKEN
    await ptb_bot.shutdown()


async def test_a_flood_says_how_long(api: Api, wire: Wire) -> None:
    wire.plan("sendMessage", refused("Too Many Requests: retry after 17", 429, retry_after=17))
    error = await provoke(api)
    assert errors.classify(error) is Trouble.FLOOD
    assert errors.retry_after_s(error) == 17.0


async def test_a_migrated_group_says_where_to(api: Api, wire: Wire) -> None:
    said = "Bad Request: group chat was upgraded to a supergroup chat"
    wire.plan("sendMessage", refused(said, migrate_to_chat_id=-1001234567890123))
    error = await provoke(api)
    assert errors.classify(error) is Trouble.MIGRATED
    assert errors.new_chat_id(error) == -1001234567890123


@pytest.mark.parametrize(
    ("error", "trouble"),
    [
        (NotSent("can't connect"), Trouble.NOT_SENT),
        (TimedOut(), Trouble.MAYBE_SENT),
        (NetworkError("the connection was lost"), Trouble.MAYBE_SENT),
        (BadRequest("who knows"), Trouble.BUG),
        (TelegramError("Invalid server response"), Trouble.BUG),
        (ValueError("not Telegram's at all"), Trouble.BUG),
    ],
)
def test_errors_without_a_text_of_telegrams_are_told_by_their_kind(
    error: Exception, trouble: Trouble
) -> None:
    assert errors.classify(error) is trouble
