"""Everything else the bot says: to words it doesn't know, and when something went wrong."""

from __future__ import annotations

from bot.i18n import Language
from bot.markup import escape
from bot.screens.screen import Screen


def not_understood(lang: Language) -> Screen:
    """A message that is neither a command nor an answer to anything."""
    text = lang.text("I understand buttons and commands. Send /quiz to go on, /help for help.")
    return Screen(escape(lang.mark + text))


def went_wrong(lang: Language) -> Screen:
    """A message could not be handled, after several tries."""
    text = lang.text("Something went wrong on my side. Nothing is lost: send /quiz to go on.")
    return Screen(escape(lang.mark + text))


def tap_went_wrong(lang: Language) -> str:
    """A tap could not be handled, after several tries."""
    return lang.term("toast", "Something went wrong on my side. Please try again in a moment.")


def description(lang: Language) -> str:
    """What people see before they tap Start, at most 512 characters."""
    # Translators: Start is the button that Telegram itself shows below this text
    return lang.term(
        "description",
        "I teach with quizzes, in your language: one question at a time, "
        "and the explanation as soon as you answer. Tap Start.",
    )


def short_description(lang: Language) -> str:
    """The line on the bot's profile, at most 120 characters."""
    return lang.term("short description", "Quizzes in your language, every answer explained.")
