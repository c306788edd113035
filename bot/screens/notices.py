"""Why a tap does nothing, or no longer what it did, and where to go on: short, for toasts."""

from __future__ import annotations

from bot.i18n import Language
from bot.quiz.attempt import Attempt


def changed(lang: Language, count: int) -> str:
    """So many questions were changed by their author and don't count."""
    return lang.plural(
        "{n} question has been changed by its author since you began, so it doesn't count.",
        "{n} questions have been changed by their author since you began, so they don't count.",
        count,
    )


def nothing_selected(lang: Language) -> str:
    """Done was tapped before any option."""
    return lang.term("toast", "Choose at least one option first.")


def look_again(lang: Language) -> str:
    """Done was tapped on a message that showed another selection than the newest."""
    return lang.term("toast", "Your choice had changed. Please look again, then tap Done.")


def result_is_there(lang: Language) -> str:
    """The result was shown already."""
    return lang.term("toast", "Your result is in this chat already.")


def begun_already(lang: Language) -> str:
    """Start was tapped again, or on an old message."""
    return lang.term("toast", "You have started this quiz already. Send /quiz to go on.")


def go_on_there(lang: Language, attempt: Attempt) -> str:
    """The button is of an earlier moment: where the attempt stands now."""
    number = min(len(attempt.answers) + 1, len(attempt.plan))
    return lang.term(
        "toast", "You are on question {number} now. Send /quiz to go there.", number=number
    )


def out_of_date(lang: Language) -> str:
    """The button means nothing any more."""
    return lang.term("toast", "This button is out of date. Send /quiz to go on.")


def not_yours(lang: Language) -> str:
    """The button belongs to someone else's attempt."""
    return lang.term("toast", "This button belongs to someone else. Send /quiz to start your own.")


def quiz_gone(lang: Language) -> str:
    """The quiz has been taken away."""
    return lang.term("toast", "This quiz isn't here any more. Send /quiz to see what there is.")
