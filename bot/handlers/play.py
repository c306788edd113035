"""Taking a quiz: start, tap, explanation, next, result, mistakes."""

from __future__ import annotations

from dataclasses import replace

from bot import buttons
from bot.quiz import attempt as core
from bot.quiz.attempt import Answer, Attempt, Outcome, Tapped
from bot.quiz.quiz import Question, Quiz
from bot.screens import notices
from bot.screens import question as screens
from bot.screens import result as result_screens
from bot.screens.question import Asking
from bot.screens.screen import Screen
from bot.store import attempts
from bot.turn import Feature, Keep, Step, Turn


async def begin(turn: Turn, button: buttons.Begin) -> None:
    """A new attempt and its first question, unless one was begun since the button was made."""
    quiz = turn.world.quizzes.get(button.quiz_id)
    standing = await attempts.standing(turn.tx, turn.person.id, button.quiz_id)
    if quiz is None:
        turn.toast(notices.quiz_gone(turn.lang))
    elif standing.newest_id != button.after:
        again = standing.open is not None
        turn.toast((notices.begun_already if again else notices.out_of_date)(turn.lang))
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
    if attempt.closed_at is None and attempt.shown == button.shown:
        await _advance(turn, quiz, attempt)
    elif attempt.lost(quiz, button.shown, turn.now):
        again = replace(attempt, shown_at=turn.now)
        await attempts.save(turn.tx, again)
        await _show(turn, quiz, again)
    else:
        _go_on_there(turn, attempt)


async def choose(turn: Turn, button: buttons.Choose) -> None:
    """A tap on an option that is the answer."""
    found = await _find_question(turn, button.attempt_id, button.question)
    if found is not None:
        attempt, quiz, question_id = found
        option = _option(quiz, question_id, button.option)
        tapped = core.choose(attempt, quiz, question_id, option, turn.now)
        await _tapped(turn, quiz, question_id, tapped)


async def select(turn: Turn, button: buttons.Select) -> None:
    """A tap on an option where several may be chosen."""
    found = await _find_question(turn, button.attempt_id, button.question)
    if found is not None:
        attempt, quiz, question_id = found
        option, chosen = _option(quiz, question_id, button.option), bool(button.chosen)
        tapped = core.select(attempt, quiz, question_id, option, chosen, turn.now)
        await _tapped(turn, quiz, question_id, tapped)


async def submit(turn: Turn, button: buttons.Done) -> None:
    """A tap on Done; it counts only for the selection that the tapped message shows."""
    found = await _find_question(turn, button.attempt_id, button.question)
    if found is None:
        return
    attempt, quiz, question_id = found
    question, asked = attempt.waiting(quiz), attempt.asked
    same = asked is not None and buttons.key_of_set(asked.selected) == button.selected
    if question is not None and question.id == question_id and not same:
        turn.toast(notices.look_again(turn.lang))
        turn.redraw(screens.question(turn.lang, _asking(turn, quiz, attempt, question)))
    else:
        tapped = core.submit(attempt, quiz, question_id, turn.now)
        await _tapped(turn, quiz, question_id, tapped)


def _option(quiz: Quiz, question_id: str, key: str) -> str:
    """The option that the key stands for; empty if there is none."""
    question = quiz.by_id.get(question_id)
    ids = question.option_ids if question is not None else ()
    return next((id_ for id_ in ids if buttons.key(id_) == key), "")


async def _tapped(turn: Turn, quiz: Quiz, question_id: str, tapped: Tapped) -> None:
    attempt = tapped.attempt
    match tapped.outcome:
        case Outcome.COUNTED:
            await attempts.save(turn.tx, attempt, *_new(tapped))
            _show_verdict(turn, quiz, attempt, quiz.by_id[question_id])
        case Outcome.GIVEN_BEFORE:
            await _show_again(turn, quiz, attempt, question_id)
        case Outcome.SELECTED:
            here = replace(attempt, message_id=turn.message_id or attempt.message_id)
            await attempts.save(turn.tx, here)
            asking = _asking(turn, quiz, attempt, quiz.by_id[question_id])
            turn.redraw(screens.question(turn.lang, asking))
        case Outcome.NOTHING_SELECTED:
            turn.toast(notices.nothing_selected(turn.lang))
        case Outcome.CHANGED:
            await attempts.save(turn.tx, attempt, *_new(tapped))
            turn.send(screens.changed(turn.lang, attempt), reply_to=turn.message_id)
        case Outcome.OUT_OF_DATE:
            _go_on_there(turn, attempt)


def _new(tapped: Tapped) -> tuple[Answer, ...]:
    return () if tapped.new is None else (tapped.new,)


def _show_verdict(turn: Turn, quiz: Quiz, attempt: Attempt, question: Question) -> None:
    asking = _asking(turn, quiz, attempt, question)
    turn.toast(screens.verdict(turn.lang, asking.answer))
    turn.redraw(screens.question(turn.lang, asking))
    _explain(turn, asking)


def _explain(turn: Turn, asking: Asking) -> None:
    keep = Keep(Step.EXPLAINED, asking.attempt.id, asking.attempt.shown)
    turn.send(screens.explanation(turn.lang, asking), reply_to=turn.message_id, keep=keep)


async def _show_again(turn: Turn, quiz: Quiz, attempt: Attempt, question_id: str) -> None:
    """The verdict given the first time. An edit or an explanation that was lost is made up for."""
    answer, question = attempt.answers[question_id], quiz.by_id.get(question_id)
    turn.toast(screens.verdict(turn.lang, answer))
    if question is not None and question.fingerprint == answer.fingerprint:
        asking = _asking(turn, quiz, attempt, question)
        turn.redraw(screens.question(turn.lang, asking))
        if attempt.unexplained(question_id, turn.now):
            await attempts.save(turn.tx, replace(attempt, explained_id=core.SENT_AGAIN))
            _explain(turn, asking)


def _go_on_there(turn: Turn, attempt: Attempt) -> None:
    """Why the button does nothing any more, and where to go on."""
    if attempt.open:
        turn.toast(notices.go_on_there(turn.lang, attempt))
    elif attempt.finished_at is not None and attempt.closed_at is None:
        turn.toast(notices.result_is_there(turn.lang))
    else:
        turn.toast(notices.out_of_date(turn.lang))


async def _advance(turn: Turn, quiz: Quiz, attempt: Attempt) -> None:
    """On to the question that is due, or the result."""
    step = core.advance(attempt, quiz, turn.now)
    await attempts.save(turn.tx, step.attempt, *step.dropped)
    if step.dropped:
        turn.send(screens.dropped(turn.lang, len(step.dropped)))
    await _show(turn, quiz, step.attempt)


async def _show(turn: Turn, quiz: Quiz, attempt: Attempt) -> None:
    """The question on the screen, or the result if there is none."""
    question = attempt.waiting(quiz)
    if question is None:
        screen = await _result(turn, quiz, attempt)
    else:
        screen = screens.question(turn.lang, _asking(turn, quiz, attempt, question))
    turn.send(screen, keep=Keep(Step.SHOWN, attempt.id, attempt.shown))


async def _result(turn: Turn, quiz: Quiz, attempt: Attempt) -> Screen:
    standing = await attempts.standing(turn.tx, turn.person.id, quiz.id)
    there = [quiz.by_id[id_] for id_ in attempt.plan if id_ in quiz.by_id]
    askings = [_asking(turn, quiz, attempt, question) for question in there]
    return result_screens.result(
        turn.lang, quiz, attempt, askings, standing.best, turn.world.username
    )


async def result(turn: Turn, button: buttons.BackToResult) -> None:
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
    askings = [_asking(turn, quiz, attempt, question) for question in attempt.mistakes(quiz)]
    if attempt.finished_at is None or button.n >= len(askings):
        _go_on_there(turn, attempt)
    else:
        turn.edit(result_screens.mistake(turn.lang, askings, button.n))


def _asking(turn: Turn, quiz: Quiz, attempt: Attempt, question: Question) -> Asking:
    return Asking.of(turn.speech, quiz, attempt, question)


async def _find(turn: Turn, attempt_id: int) -> tuple[Attempt, Quiz] | None:
    """The person's own attempt and its quiz; else the reason is said."""
    attempt = await attempts.load(turn.tx, attempt_id)
    if attempt is None:
        turn.toast(notices.out_of_date(turn.lang))
        return None
    if attempt.person_id != turn.person.id:
        turn.toast(notices.not_yours(turn.lang))
        return None
    quiz = turn.world.quizzes.get(attempt.quiz_id)
    if quiz is None:
        turn.toast(notices.quiz_gone(turn.lang))
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
        turn.toast(notices.out_of_date(turn.lang))
        return None
    return attempt, quiz, question_id


FEATURE = Feature(
    buttons={
        buttons.Begin: begin,
        buttons.Show: show,
        buttons.Choose: choose,
        buttons.Select: select,
        buttons.Done: submit,
        buttons.Mistake: mistake,
        buttons.BackToResult: result,
    }
)
