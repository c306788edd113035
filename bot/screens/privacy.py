"""What is kept of a person, handing it out and erasing it; and what the bot does."""

from __future__ import annotations

from bot import buttons
from bot.i18n import Language
from bot.markup import Html, bold, escape
from bot.screens.screen import Button, Screen, column, lines


def describe_help(lang: Language) -> str:
    """/help in the command menu."""
    return lang.term("command", "What I can do")


def describe_privacy(lang: Language) -> str:
    """/privacy in the command menu."""
    return lang.term("command", "What I keep about you, and for how long")


def describe_mydata(lang: Language) -> str:
    """/mydata in the command menu."""
    return lang.term("command", "Get all that is stored about you")


def describe_forgetme(lang: Language) -> str:
    """/forgetme in the command menu."""
    return lang.term("command", "Erase all that is stored about you")


def help_(lang: Language, commands: list[tuple[str, str]]) -> Screen:
    """What the bot does, and each command with its description."""
    about = lang.text(
        "I ask multiple-choice questions in your language and explain each answer "
        "the moment you tap it. Your first tap counts; you can stop at any time and go on later."
    )
    listed = [escape(f"{lang.mark}/{name} – {text}") for name, text in commands]
    return Screen(lines(escape(lang.mark + about), Html(""), *listed))


def privacy(lang: Language) -> Screen:
    """What is kept, for how long, and how to erase it."""
    points = (
        lang.text("Your Telegram id, your language and your answers: until you erase them."),
        # Translators: the numbers are those that Telegram gives to messages and taps
        lang.text(
            "The messages and taps you send me: until they are handled, at most 7 days "
            "if something went wrong. After that only their numbers, for 25 hours."
        ),
        lang.text("No name, no phone number, no contacts, nothing from other chats."),
        lang.text("/mydata sends you everything as a file; /forgetme erases it."),
    )
    head = bold(escape(lang.mark + lang.text("What I keep about you")))
    return Screen(lines(head, *(escape(f"{lang.mark}• {point}") for point in points)))


def mydata(lang: Language) -> str:
    """The caption of the file with everything stored."""
    return lang.mark + lang.text("This is everything I have stored about you.")


def ask_to_forget(lang: Language, minute: int) -> Screen:
    """The confirmation before everything is erased."""
    text = lang.text(
        "Erase all your answers, scores and settings? This can't be undone. "
        "The messages in this chat stay until you delete them yourself."
    )
    return Screen(
        escape(lang.mark + text),
        column(
            [
                Button(
                    lang.term("button", "Erase everything"), buttons.Forget(minute), style="danger"
                ),
                Button(lang.term("button", "Keep everything"), buttons.Keep()),
            ]
        ),
    )


def forgotten(lang: Language) -> Screen:
    """Everything is erased."""
    text = lang.text("Done: everything about you is erased. Send /start to begin anew.")
    return Screen(escape(lang.mark + text))


def kept(lang: Language) -> Screen:
    """Nothing was erased."""
    return Screen(escape(lang.mark + lang.text("Nothing was erased.")))


def asked_too_long_ago(lang: Language) -> str:
    """An old confirmation can't erase anything."""
    return lang.term("toast", "That was too long ago. Send /forgetme again.")
