"""Choosing a language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from bot import buttons
from bot.i18n import Language
from bot.markup import escape
from bot.screens.screen import Button, Row, Screen, column, grid


def describe_language(lang: Language) -> str:
    """/language in the command menu."""
    return lang.term("command", "Choose your language")


def languages(lang: Language, names: Mapping[str, str], current: str) -> Screen:
    """Every language the bot speaks by its own name, with the one in use marked."""
    text = lang.text("🌐 Choose your language. Your quizzes change with it.")
    choices = [
        Button(f"✓ {name}" if locale == current else name, buttons.Speak(locale))
        for locale, name in names.items()
    ]
    return Screen(escape(lang.mark + text), column(choices))


def chosen(lang: Language, name: str) -> str:
    """The toast after a choice."""
    return lang.term("toast", "🌐 {language}", language=name)


def not_spoken(lang: Language) -> str:
    """The language on an old button is no longer there."""
    return lang.term("toast", "I don't speak that language any more. /language shows the others.")


def with_languages(screen: Screen, names: Mapping[str, str], quiz_id: str = "") -> Screen:
    """The screen with 🌐 and each language's own name below: for the first message ever.

    Many who read Hindi run Telegram in English, so the language is a guess until then.
    """
    choices = [
        Button(f"🌐 {name}", buttons.SpeakFirst(locale, quiz_id)) for locale, name in names.items()
    ]
    rows: tuple[Row, ...] = grid(choices, 3)
    return replace(screen, rows=(*screen.rows, *rows))
