"""The end of an attempt: the result, and its mistakes one by one."""

from __future__ import annotations

from collections.abc import Sequence

from bot import buttons
from bot.i18n import Language, direction_mark
from bot.markup import Html, bold, escape, length, plain, render
from bot.quiz.attempt import Answer, Attempt, Best
from bot.quiz.quiz import Quiz
from bot.screens import question
from bot.screens.question import Asking, explained
from bot.screens.screen import LONGEST, Button, Row, Screen, column, grid, lines, share

MARKS_PER_LINE = 10
EXACT = 6  # decimals: sums of fractions of a point are not exact


def result(
    lang: Language,
    quiz: Quiz,
    attempt: Attempt,
    askings: Sequence[Asking],
    best: Best | None,
    bot_username: str,
) -> Screen:
    """The score and how each question went; `best` is this one included.

    `askings` are the questions that still exist.
    """
    title = question.title(quiz, lang)
    score_ = score(lang, attempt, quiz.pass_mark)
    head = lines(
        Html(escape(lang.mark + "🏁 ") + bold(escape(title))),
        Html(""),
        bold(escape(lang.mark + lang.text("Your score: {score}", score=score_))),
        *_about(lang, quiz, attempt, best),
        Html(""),
    )
    rows = _buttons(lang, quiz, attempt, buttons.link(bot_username, quiz.id))
    return Screen(_with_questions(head, attempt, askings), rows)


def score(lang: Language, attempt: Attempt, pass_mark: int | None) -> str:
    """Points of how many, with the percentage: `7/8 (88%)`.

    A percentage just below the pass mark is not rounded up to it.
    """
    if not attempt.counted:
        return points(lang, 0.0, 0)
    share_ = attempt.points / attempt.counted
    if pass_mark and not _passed(attempt, pass_mark):
        share_ = min(share_, max(0.0, pass_mark - 1) / 100 + 0.0049)
    # Translators: points of how many, and the same as a percentage: 7/8 (88%)
    return lang.text(
        "{points} ({percent})",
        points=points(lang, attempt.points, attempt.counted),
        percent=lang.percent(share_),
    )


def points(lang: Language, earned: float, of: int) -> str:
    """Points of how many: `7/8`, or `5.5/8` with partial credit."""
    earned = round(earned, 1)
    whole = int(earned) if earned == int(earned) else earned
    # Translators: also points of how many, as in 7/8
    return lang.text("{number}/{total}", number=whole, total=of)


def _passed(attempt: Attempt, pass_mark: int) -> bool:
    return round(attempt.points * 100 - pass_mark * attempt.counted, EXACT) >= 0


def _about(lang: Language, quiz: Quiz, attempt: Attempt, best: Best | None) -> list[Html]:
    said = []
    if best is not None:
        said.append(best_so_far(lang, best))
    if quiz.pass_mark is not None and attempt.counted:
        mark = lang.percent(quiz.pass_mark / 100)
        said.append(
            lang.text("Passed (pass mark {mark}) 🎉", mark=mark)
            if _passed(attempt, quiz.pass_mark)
            else lang.text("Not passed yet (pass mark {mark})", mark=mark)
        )
    if attempt.sitting is not None:
        taken = lang.duration(attempt.sitting.total_seconds())
        said.append(lang.text("Time: {duration}", duration=taken))
    return [escape(lang.mark + line) for line in said]


def best_so_far(lang: Language, best: Best) -> str:
    """The best score."""
    return lang.text("Best so far: {score}", score=points(lang, best.points, best.counted))


def _with_questions(head: Html, attempt: Attempt, askings: Sequence[Asking]) -> Html:
    """One line per question: with its words, else with its number, else ten signs to a line."""
    words = {asking.question.id: _words(asking) for asking in askings}
    signs = [sign(attempt.answers.get(id_)) for id_ in attempt.plan]
    numbered = [escape(f"{sign_} {n}.") for n, sign_ in enumerate(signs, 1)]
    told = [
        Html(f"{line} {words[id_]}") if id_ in words else line
        for id_, line in zip(attempt.plan, numbered, strict=True)
    ]
    rows = [Html("".join(row)) for row in grid(signs, MARKS_PER_LINE)]
    fitting = (text for form in (told, numbered) if length(text := lines(head, *form)) <= LONGEST)
    return next(fitting, lines(head, *rows))


def _words(asking: Asking) -> Html:
    """The question in one line."""
    return escape(" ".join(plain(asking.wording.question).split()))


def sign(answer: Answer | None) -> str:
    """How a question went, in one sign."""
    if answer is None or answer.credit is None:
        return "➖"
    if answer.credit >= 1:
        return "✅"
    return "🟡" if answer.credit > 0 else "❌"


def _buttons(lang: Language, quiz: Quiz, attempt: Attempt, link: str) -> tuple[Row, ...]:
    # Translators: what a learner sends to friends, above the link to the quiz
    words = lang.text("Take this quiz: {title}", title=question.title(quiz, lang))
    review = Button(lang.term("button", "🔍 Review mistakes"), buttons.Mistake(attempt.id, 0))
    return column(
        [
            review if attempt.mistakes(quiz) else None,
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
    mark = direction_mark(asking.wording.locale)
    place = lang.text("Mistake {number} of {count}", number=n + 1, count=count)
    text = lines(
        bold(escape(lang.mark + place)),
        Html(""),
        Html(escape(mark) + render(asking.wording.question)),
        *(_choice(asking, option, mark) for option in asking.order if _was_chosen(asking, option)),
        Html(""),
        explained(lang, asking),
    )
    return Screen(text, (*_turn(asking.attempt.id, n, count), _back(lang, asking.attempt.id)))


def _turn(attempt_id: int, n: int, count: int) -> tuple[Row, ...]:
    back = Button("◂", buttons.Mistake(attempt_id, n - 1)) if n > 0 else None
    on = Button("▸", buttons.Mistake(attempt_id, n + 1)) if n + 1 < count else None
    row = tuple(button for button in (back, on) if button is not None)
    return (row,) if row else ()


def _back(lang: Language, attempt_id: int) -> Row:
    return (Button(lang.term("button", "↩ Result"), buttons.BackToResult(attempt_id)),)


def _was_chosen(asking: Asking, option: str) -> bool:
    return asking.answer is not None and option in asking.answer.chosen


def _choice(asking: Asking, option: str, mark: str) -> Html:
    return Html(escape(mark + asking.mark(option).value) + render(asking.wording.options[option]))
