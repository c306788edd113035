"""Taking a quiz: start, tap, explanation, next, result, mistakes."""

from __future__ import annotations

from bot import buttons
from bot.quiz import attempt as core
from bot.quiz.attempt import Answer, Attempt, Outcome, Tapped
from bot.quiz.quiz import Question, Quiz
from bot.screens import catalogue as catalogue_screens
from bot.screens import question as screens
from bot.screens import result as result_screens
from bot.screens.question import Asking
from bot.screens.screen import Screen
from bot.store import attempts
from bot.turn import Feature, Turn


async def begin(turn: Turn, button: buttons.Begin) -> None:
    """A new attempt and its first question, unless one was begun since the button was made."""
    quiz = turn.world.quizzes.get(button.quiz_id)
    newest = await attempts.newest_id(turn.tx, turn.person.id, button.quiz_id)
    if quiz is None:
        turn.toast(screens.quiz_gone(turn.lang))
    elif newest != button.after:
        turn.toast(catalogue_screens.begun_already(turn.lang))
    else:
        plan = [question.id for question in quiz.questions]
        seed = turn.world.dice.getrandbits(32)
        attempt = await attempts.begin(turn.tx, turn.person.id, quiz.id, seed, plan, turn.now)
        await _advance(turn, quiz, attempt)


async def show(turn: Turn, button: buttons.Show) -> None:
    """The open question, the next one or the result, unless it was shown since."""
    found = await _find(turn, button.attempt_id)
    if found is None:
        return
    attempt, quiz = found
    if attempt.closed_at is not None or attempt.shown != button.shown:
        _go_on_there(turn, attempt)
        return
    await _advance(turn, quiz, attempt)


async def choose(turn: Turn, button: buttons.Choose) -> None:
    """A tap on an option."""
    found = await _find_question(turn, button.attempt_id, button.question)
    if found is None:
        return
    attempt, quiz, question_id = found
    question = quiz.by_id.get(question_id)
    ids = question.option_ids if question is not None else ()
    option = next((id_ for id_ in ids if buttons.key(id_) == button.option), "")
    tapped = core.choose(attempt, quiz, question_id, option, turn.now)
    await _tapped(turn, quiz, question_id, tapped)


async def submit(turn: Turn, button: buttons.Done) -> None:
    """A tap on Done."""
    found = await _find_question(turn, button.attempt_id, button.question)
    if found is None:
        return
    attempt, quiz, question_id = found
    await _tapped(turn, quiz, question_id, core.submit(attempt, quiz, question_id, turn.now))


async def _tapped(turn: Turn, quiz: Quiz, question_id: str, tapped: Tapped) -> None:
    attempt = tapped.attempt
    match tapped.outcome:
        case Outcome.COUNTED:
            await attempts.save(turn.tx, attempt, *_new(tapped))
            _show_verdict(turn, quiz, attempt, quiz.by_id[question_id])
        case Outcome.GIVEN_BEFORE:
            _show_again(turn, quiz, attempt, question_id)
        case Outcome.SELECTED:
            await attempts.save(turn.tx, attempt)
            turn.redraw(screens.question(turn.lang, _asking(turn, quiz, attempt, question_id)))
        case Outcome.NOTHING_SELECTED:
            turn.toast(screens.nothing_selected(turn.lang))
        case Outcome.CHANGED:
            await attempts.save(turn.tx, attempt, *_new(tapped))
            turn.send(screens.changed(turn.lang, attempt), reply_to=turn.message_id)
        case Outcome.OUT_OF_DATE:
            _go_on_there(turn, attempt)


def _new(tapped: Tapped) -> tuple[Answer, ...]:
    return () if tapped.new is None else (tapped.new,)


def _show_verdict(turn: Turn, quiz: Quiz, attempt: Attempt, question: Question) -> None:
    asking = Asking.of(turn.speech, quiz, attempt, question)
    turn.toast(screens.verdict(turn.lang, asking.answer))
    turn.redraw(screens.question(turn.lang, asking))
    turn.send(screens.explanation(turn.lang, asking), reply_to=turn.message_id)


def _show_again(turn: Turn, quiz: Quiz, attempt: Attempt, question_id: str) -> None:
    """The verdict given the first time; the message is drawn again in case its edit was lost."""
    answer, question = attempt.answers[question_id], quiz.by_id.get(question_id)
    turn.toast(screens.verdict(turn.lang, answer))
    if question is not None and question.fingerprint == answer.fingerprint:
        turn.redraw(screens.question(turn.lang, Asking.of(turn.speech, quiz, attempt, question)))


def _go_on_there(turn: Turn, attempt: Attempt) -> None:
    if attempt.open:
        turn.toast(screens.go_on_there(turn.lang, attempt))
    else:
        turn.toast(screens.out_of_date(turn.lang))


async def _advance(turn: Turn, quiz: Quiz, attempt: Attempt) -> None:
    """Shows the question that is due, or the result."""
    step = core.advance(attempt, quiz, turn.now)
    await attempts.save(turn.tx, step.attempt, *step.dropped)
    dropped = len(step.dropped)
    notice = screens.changed_notice(turn.lang, dropped) if dropped else None
    if step.question is None:
        turn.send(await _result(turn, quiz, step.attempt, notice))
    else:
        asking = Asking.of(turn.speech, quiz, step.attempt, step.question)
        keep = f"question:{step.attempt.id}:{step.attempt.shown}"
        turn.send(screens.question(turn.lang, asking, notice), keep=keep)


async def _result(turn: Turn, quiz: Quiz, attempt: Attempt, notice: str | None = None) -> Screen:
    standing = await attempts.standing(turn.tx, turn.person.id, quiz.id)
    best = standing.best
    return result_screens.result(
        turn.lang,
        quiz,
        attempt,
        _askings(turn, quiz, attempt, attempt.plan),
        (best.points, best.counted) if best is not None else (0.0, 0),
        turn.world.username,
        notice,
    )


async def result(turn: Turn, button: buttons.Result) -> None:
    """Back from the mistakes to the result, in the same message."""
    found = await _find(turn, button.attempt_id)
    if found is None:
        return
    attempt, quiz = found
    if attempt.finished_at is None:
        _go_on_there(turn, attempt)
    else:
        turn.edit(await _result(turn, quiz, attempt))


async def mistake(turn: Turn, button: buttons.Mistake) -> None:
    """One mistake of a finished attempt, in place of the result."""
    found = await _find(turn, button.attempt_id)
    if found is None:
        return
    attempt, quiz = found
    askings = _askings(turn, quiz, attempt, attempt.mistakes)
    if attempt.finished_at is None or button.n >= len(askings):
        _go_on_there(turn, attempt)
    else:
        turn.edit(result_screens.mistake(turn.lang, askings, button.n))


def _askings(
    turn: Turn, quiz: Quiz, attempt: Attempt, ids: list[str] | tuple[str, ...]
) -> list[Asking]:
    """The questions that still exist, as this attempt asked them."""
    there = [quiz.by_id[id_] for id_ in ids if id_ in quiz.by_id]
    return [Asking.of(turn.speech, quiz, attempt, question) for question in there]


def _asking(turn: Turn, quiz: Quiz, attempt: Attempt, question_id: str) -> Asking:
    return Asking.of(turn.speech, quiz, attempt, quiz.by_id[question_id])


async def _find(turn: Turn, attempt_id: int) -> tuple[Attempt, Quiz] | None:
    """The person's own attempt and its quiz; else the reason is said."""
    attempt = await attempts.load(turn.tx, attempt_id)
    if attempt is None:
        turn.toast(screens.out_of_date(turn.lang))
        return None
    if attempt.person_id != turn.person.id:
        turn.toast(screens.not_yours(turn.lang))
        return None
    quiz = turn.world.quizzes.get(attempt.quiz_id)
    if quiz is None:
        turn.toast(screens.quiz_gone(turn.lang))
        return None
    return attempt, quiz


async def _find_question(
    turn: Turn, attempt_id: int, question_key: str
) -> tuple[Attempt, Quiz, str] | None:
    """The same with the question that the key stands for; else the reason is said."""
    found = await _find(turn, attempt_id)
    if found is None:
        return None
    attempt, quiz = found
    question_id = next((id_ for id_ in attempt.plan if buttons.key(id_) == question_key), None)
    if question_id is None:
        turn.toast(screens.out_of_date(turn.lang))
        return None
    return attempt, quiz, question_id


FEATURE = Feature(
    buttons={
        buttons.Begin: begin,
        buttons.Show: show,
        buttons.Choose: choose,
        buttons.Done: submit,
        buttons.Mistake: mistake,
        buttons.Result: result,
    }
)
