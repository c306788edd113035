"""The end of an attempt: the result, and its mistakes one by one."""

from __future__ import annotations

from collections.abc import Sequence

from bot import buttons
from bot.i18n import Language, direction_mark
from bot.markup import Html, bold, escape, length, plain, render
from bot.quiz.attempt import Answer, Attempt
from bot.quiz.quiz import Quiz
from bot.screens import question
from bot.screens.question import Asking, explained
from bot.screens.screen import Button, Row, Screen, column, grid, lines, share

LONGEST = 4096  # https://core.telegram.org/bots/api#sendmessage, text
MARKS_PER_LINE = 10


def result(
    lang: Language,
    quiz: Quiz,
    attempt: Attempt,
    askings: Sequence[Asking],
    best: tuple[float, int],
    bot_username: str,
    notice: str | None = None,
) -> Screen:
    """The score and how each question went; `best` is points of how many, this one included.

    `notice`, if any, stands above it.
    """
    title = question.title(quiz, lang)
    head = lines(
        *((escape(lang.mark + notice), Html("")) if notice else ()),
        Html(escape(lang.mark + "🏁 ") + bold(escape(title))),
        Html(""),
        bold(escape(lang.mark + lang.text("Your score: {score}", score=score(lang, attempt)))),
        *_about(lang, quiz, attempt, best),
        Html(""),
    )
    rows = _buttons(lang, attempt, title, buttons.link(bot_username, quiz.id))
    return Screen(_with_questions(head, askings), rows)


def score(lang: Language, attempt: Attempt) -> str:
    """Points of how many, with the percentage: `7/8 (88%)`."""
    if not attempt.counted:
        return points(lang, 0.0, 0)
    # Translators: points of how many, and the same as a percentage: 7/8 (88%)
    return lang.text(
        "{points} ({percent})",
        points=points(lang, attempt.points, attempt.counted),
        percent=lang.percent(attempt.points / attempt.counted),
    )


def points(lang: Language, earned: float, of: int) -> str:
    """Points of how many: `7/8`, or `5.5/8` with partial credit."""
    whole = int(earned) if earned == int(earned) else round(earned, 1)
    # Translators: also points of how many, as in 7/8
    return lang.text("{number}/{total}", number=whole, total=of)


def _about(lang: Language, quiz: Quiz, attempt: Attempt, best: tuple[float, int]) -> list[Html]:
    said = [lang.text("Best so far: {score}", score=points(lang, *best))]
    if quiz.pass_mark is not None and attempt.counted:
        passed = attempt.points / attempt.counted * 100 >= quiz.pass_mark
        mark = lang.percent(quiz.pass_mark / 100)
        said.append(
            lang.text("Passed (pass mark {mark}) 🎉", mark=mark)
            if passed
            else lang.text("Not passed yet (pass mark {mark})", mark=mark)
        )
    if attempt.sitting is not None:
        taken = lang.duration(attempt.sitting.total_seconds())
        said.append(lang.text("Time: {duration}", duration=taken))
    return [escape(lang.mark + line) for line in said]


def _with_questions(head: Html, askings: Sequence[Asking]) -> Html:
    """One line per question, or rows of marks where those would not fit into a message."""
    full = lines(head, *(_line(asking) for asking in askings))
    if length(full) <= LONGEST:
        return full
    marks = [sign(asking.answer) for asking in askings]
    return lines(head, *(Html("".join(row)) for row in grid(marks, MARKS_PER_LINE)))


def _line(asking: Asking) -> Html:
    stem = " ".join(plain(asking.wording.question).split())
    mark = direction_mark(asking.wording.locale)
    return escape(f"{mark}{sign(asking.answer)} {asking.number}. {stem}")


def sign(answer: Answer | None) -> str:
    """How a question went, in one sign."""
    if answer is None or answer.credit is None:
        return "➖"
    if answer.credit >= 1:
        return "✅"
    return "🟡" if answer.credit > 0 else "❌"


def _buttons(lang: Language, attempt: Attempt, title: str, link: str) -> tuple[Row, ...]:
    # Translators: what a learner sends to friends, above the link to the quiz
    words = lang.text("Take this quiz: {title}", title=title)
    review = Button(lang.term("button", "🔍 Review mistakes"), buttons.Mistake(attempt.id, 0))
    return column(
        [
            review if attempt.mistakes else None,
            Button(
                lang.term("button", "🔁 Try again"), buttons.Begin(attempt.quiz_id, attempt.id)
            ),
            Button(lang.term("button", "📤 Share"), url=share(link, words)),
            Button(lang.term("button", "📚 More quizzes"), buttons.MoreQuizzes()),
        ]
    )


def mistake(lang: Language, askings: Sequence[Asking], n: int) -> Screen:
    """The n-th mistake (0 is the first): the question, what was chosen and why it is wrong."""
    asking, count = askings[n], len(askings)
    id_ = asking.attempt.id
    mark = direction_mark(asking.wording.locale)
    text = lines(
        bold(
            escape(lang.mark + lang.text("Mistake {number} of {count}", number=n + 1, count=count))
        ),
        Html(""),
        Html(escape(mark) + render(asking.wording.question)),
        *(_choice(asking, option, mark) for option in asking.order if _worth(asking, option)),
        Html(""),
        explained(lang, asking),
    )
    back = n > 0 and Button("◂", buttons.Mistake(id_, n - 1))
    on = n + 1 < count and Button("▸", buttons.Mistake(id_, n + 1))
    result_ = Button(lang.term("button", "↩ Result"), buttons.Result(id_))
    turn = tuple(button for button in (back, on) if button)
    return Screen(text, (*((turn,) if turn else ()), (result_,)))


def _worth(asking: Asking, option: str) -> bool:
    return asking.answer is not None and option in asking.answer.chosen


def _choice(asking: Asking, option: str, mark: str) -> Html:
    return Html(
        escape(mark + (asking.mark(option) or "")) + render(asking.wording.options[option])
    )
