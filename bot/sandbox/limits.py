"""Telegram's limits, in one place.

Texts are counted in Unicode code points after entity parsing, callback data in UTF-8 bytes.
"""

from __future__ import annotations

from datetime import timedelta

TEXT = 4096
CAPTION = 1024
RAW_TEXT_BYTES = 32768
CALLBACK_DATA_BYTES = 64
TOAST = 200
COPY_TEXT = 256
BUTTONS_PER_ROW = 8
BUTTONS = 100
# The server drops, without a word, what exceeds these before Telegram's core sees the keyboard.
BUTTONS_KEPT_PER_ROW = 12
BUTTONS_KEPT = 300
COMMANDS = 100
COMMAND = 32
COMMAND_DESCRIPTION = 256
NAME = 64
DESCRIPTION = 512
SHORT_DESCRIPTION = 120
UPLOAD_BYTES = 50 * 1024 * 1024
DOWNLOAD_BYTES = 20 * 1024 * 1024
START_PAYLOAD = 64

POLL_TIMEOUT_S = 50
UPDATES = 100
# An undelivered tap is worth nothing soon; other updates wait a day.
CALLBACK_KEPT = timedelta(seconds=150)
UPDATE_KEPT = timedelta(hours=24)
# How long a tap can be answered. Telegram documents no number; the spinner ends then.
ANSWER_WINDOW = timedelta(seconds=15)
DELETE_WINDOW = timedelta(hours=48)
PHOTO_BYTES = 10 * 1024 * 1024
DELETED_AT_ONCE = 100
# A bot that is no administrator may answer a tap or an ephemeral message this long by another.
EPHEMERAL_WINDOW = timedelta(seconds=15)
SECRET = 256
CONNECTIONS = 100
DEFAULT_CONNECTIONS = 40
WEBHOOK_PORTS = (80, 88, 443, 8443)
WEBHOOK_TIMEOUT_S = 60.0
WEBHOOK_LONGEST_DELAY_S = 60
WEBHOOK_LONGEST_RETRY_AFTER_S = 3600
WEBHOOK_GONE_AFTER = timedelta(hours=23)
