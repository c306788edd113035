"""Taking a quiz, as a learner lives it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from bot import buttons
from bot.quiz.quiz import Quiz
from bot.sandbox.clock import SandboxClock
from bot.sandbox.errors import Drop
from bot.sandbox.telegram import Telegram
from tests.conftest import Running
from tests.people import Message, Person
from tests.quizzes import CAPITALS, SEVERAL, SHARDS, capital
from tests.seen import plain, seen

Join = Callable[[str, str | None], Person]


async def begin(person: Person, quiz: str = "capitals") -> None:
    """Opens a quiz by its deep link and starts it."""
    await person.follows(quiz)
    await person.taps("Start")


async def test_a_whole_quiz(learner: Person) -> None:
    await learner.says("/start")
    assert "Welcome" in learner.screen
    await learner.taps("Capitals")
    assert seen(learner) == ["Capitals", "Three countries.", "", "3 questions"]
    await learner.taps("Start")
    assert seen(learner) == ["Capitals", "1/3  ▰▱▱", "", "Capital of France?"]
    await learner.taps("Paris")
    assert learner.toast == "✅ Correct!"
    assert seen(learner) == ["✅ Correct!", "✅ Paris", "", "Paris is the capital."]
    await learner.taps("Next ▸")
    await learner.taps("Osaka")
    assert learner.toast == "❌ Not quite."
    assert seen(learner) == ["❌ Not quite.", "✅ Tokyo", "", "Tokyo is the capital."]
    await learner.taps("Next ▸")
    await learner.taps("Nairobi")
    await learner.taps("Your result ▸")
    assert seen(learner) == [
        "🏁 Capitals",
        "",
        "Your score: 2/3 (67%)",
        "Best so far: 2/3",
        "Passed (pass mark 60%) 🎉",
        "Time: 0 sec",
        "",
        "✅ 1. Capital of France?",
        "❌ 2. Capital of Japan?",
        "✅ 3. Capital of Kenya?",
    ]


async def test_the_explanation_is_a_reply_to_the_question(learner: Person) -> None:
    await begin(learner)
    question = learner.received[-1]
    await learner.taps("Paris")
    assert learner.received[-1]["reply_to_message"]["message_id"] == question["message_id"]


async def test_the_explanation_arrives_although_the_question_was_deleted(learner: Person) -> None:
    await begin(learner)
    question = learner.received[-1]
    await learner.deletes(question)
    data = question["reply_markup"]["inline_keyboard"][0][0]["callback_data"]
    await learner.forges(data, on=question)
    assert "is the capital" in learner.screen
    assert "reply_to_message" not in learner.received[-1]


async def test_after_the_tap_the_options_show_the_key_and_the_choice(learner: Person) -> None:
    await begin(learner)
    await learner.taps("Lyon")
    question = learner.received[-2]
    buttons_ = [row[0] for row in question["reply_markup"]["inline_keyboard"]]
    styles = {button["text"]: button.get("style") for button in buttons_}
    assert styles == {"✅ Paris": "success", "❌ Lyon": "danger", "Nice": None}


async def test_a_second_tap_shows_the_first_verdict_and_sends_nothing_new(
    learner: Person,
) -> None:
    await begin(learner)
    await learner.taps("Paris")
    count = len(learner.messages)
    await learner.taps("Lyon")
    assert learner.toast == "✅ Correct!"
    assert len(learner.messages) == count


async def test_the_next_tap_heals_a_screen_whose_edit_was_lost(
    learner: Person, telegram: Telegram
) -> None:
    await begin(learner)
    question = learner.received[-1]
    await learner.taps("Paris")
    healed = learner.received[-2]
    # As if the edit had never happened: the message is put back as it was.
    keyboard = question["reply_markup"]
    params = {"chat_id": learner.id, "message_id": question["message_id"], "text": "lost",
              "reply_markup": keyboard}  # fmt: skip
    await telegram.call("editMessageText", params)
    await learner.taps("Lyon", on=question)
    assert learner.received[-2] == healed | {"edit_date": learner.received[-2]["edit_date"]}


@pytest.mark.parametrize("label", ["Start", "Next ▸", "🔁 Try again", "Your result ▸"])
async def test_five_taps_at_once_do_what_one_does(bot: Running, label: str) -> None:
    learner = bot.person()
    await begin(learner) if label != "Start" else await learner.follows("capitals")
    for option in () if label == "Start" else ("Paris", "Tokyo", "Nairobi"):
        await learner.taps(option)
        if label == "Next ▸" and option == "Paris":
            break
        if option != "Nairobi":
            await learner.taps("Next ▸")
    if label == "🔁 Try again":
        await learner.taps("Your result ▸")
    count = len(learner.messages)
    message, row, column = learner._find(label, None)
    for _ in range(5):
        bot.telegram.tap(learner.id, message["message_id"], row, column)
    await bot.settled()
    assert len(learner.messages) == count + 1
    assert all(tap is not None for tap in learner.answers_to_taps)


async def test_start_over_and_try_again_make_new_attempts(learner: Person) -> None:
    await begin(learner)
    await learner.taps("Paris")
    await learner.follows("capitals")
    assert [plain(label) for label in learner.buttons][:2] == ["Continue (1/3)", "Start over"]
    await learner.taps("Start over")
    assert "1/3" in learner.screen
    for option in ("Paris", "Tokyo", "Nairobi"):
        await learner.taps(option)
        await learner.taps("▸")
    assert "3/3" in learner.screen
    await learner.taps("🔁 Try again")
    assert "1/3" in learner.screen


async def test_a_button_of_an_attempt_started_over_says_where_to_go_on(learner: Person) -> None:
    await begin(learner)
    old = learner.received[-1]
    await learner.follows("capitals")
    await learner.taps("Start over")
    await learner.taps("Paris", on=old)
    assert learner.toast == "This button is out of date. Send /quiz to go on."


async def test_next_on_an_old_explanation_says_where_the_attempt_stands(learner: Person) -> None:
    await begin(learner)
    await learner.taps("Paris")
    old = learner.received[-1]
    await learner.taps("Next ▸")
    await learner.taps("Tokyo")
    await learner.taps("Next ▸", on=old)
    assert plain(str(learner.toast)) == "You are on question 3 now. Send /quiz to go there."


async def test_quiz_goes_on_exactly_where_the_learner_stopped(learner: Person) -> None:
    await begin(learner)
    await learner.taps("Paris")
    await begin(learner, "shards")
    await learner.says("/quiz")
    assert [plain(label) for label in learner.buttons] == [
        "▶ 0/2 · Shards & <pieces>",
        "▶ 1/3 · Capitals",
        "📚 More quizzes",
    ]
    await learner.taps("Capitals")
    assert seen(learner) == ["Capitals", "2/3  ▰▰▱", "", "Capital of Japan?"]


async def test_either_copy_of_a_question_can_be_answered_once(learner: Person) -> None:
    await begin(learner)
    first = learner.received[-1]
    await learner.says("/quiz")
    await learner.taps("Capitals")
    await learner.taps("Paris")
    await learner.taps("Lyon", on=first)
    assert learner.toast == "✅ Correct!"
    assert "✅ Paris" in [row[0]["text"] for row in
                         _message(learner, first)["reply_markup"]["inline_keyboard"]]  # fmt: skip


def _message(person: Person, message: Message) -> Message:
    return next(m for m in person.messages if m["message_id"] == message["message_id"])


async def test_long_options_stand_in_the_message_and_letters_on_the_buttons(
    learner: Person,
) -> None:
    await begin(learner, "shards")
    assert learner.buttons == ["A", "B"]
    options = {line[:2]: line[3:] for line in learner.screen.splitlines()[-2:]}
    assert set(options.values()) == set(SHARDS.questions[0].wordings["en"].options.values())
    right = next(letter for letter, text in options.items() if "too big" in text)[0]
    await learner.taps(right)
    assert f"✅ {right}. Because one file can be too big" in learner.screen
    assert f"✅ {right}. Because" in learner.received[-2]["text"]
    letters = learner.received[-2]["reply_markup"]["inline_keyboard"][0]
    assert f"✅ {right}" in [button["text"] for button in letters]


async def test_the_explanation_carries_markup_and_the_link(learner: Person) -> None:
    await begin(learner, "shards")
    await learner.taps("A")
    entities = {
        (e["type"], learner.screen[e["offset"] : e["offset"] + e["length"]], e.get("url"))
        for e in learner.received[-1]["entities"]
    }
    assert ("code", "too big", None) in entities
    assert "https://example.org/shards?a=1&b=2" in {url for _, _, url in entities}


async def test_hostile_characters_in_a_quiz_arrive_as_typed(learner: Person) -> None:
    await begin(learner, "shards")
    assert learner.screen.startswith("Shards & <pieces>")
    await learner.taps("A")
    await learner.taps("Next ▸")
    assert "Is 1 < 0 & 2 > 3?" in learner.screen


async def test_several_correct_options_are_toggled_and_done(learner: Person) -> None:
    await begin(learner, "several")
    assert "Choose all that apply" in learner.screen
    await learner.taps("Done")
    assert learner.toast == "Choose at least one option first."
    await learner.taps("☐ 2")
    await learner.taps("☐ 4")
    await learner.taps("☑ 4")
    assert {"☑ 2", "☐ 3", "☐ 4"} < set(learner.buttons)
    await learner.taps("Done")
    assert plain(str(learner.toast)) == "🟡 Partly right: 50%"
    await learner.taps("Your result ▸")
    assert "Your score: 0.5/1 (50%)" in seen(learner)


async def test_the_mistakes_are_reviewed_in_place(learner: Person) -> None:
    await begin(learner)
    for option in ("Lyon", "Tokyo", "Mombasa"):
        await learner.taps(option)
        await learner.taps("▸")
    count, result = len(learner.messages), learner.screen
    await learner.taps("🔍 Review mistakes")
    assert seen(learner)[:4] == ["Mistake 1 of 2", "", "Capital of France?", "❌ Lyon"]
    assert seen(learner)[-1] == "Paris is the capital."
    await learner.taps("▸")
    assert seen(learner)[3] == "❌ Mombasa"
    await learner.taps("↩ Result")
    assert learner.screen == result
    assert len(learner.messages) == count


async def test_no_mistakes_no_review(learner: Person) -> None:
    await begin(learner)
    for option in ("Paris", "Tokyo", "Nairobi"):
        await learner.taps(option)
        await learner.taps("▸")
    assert learner.buttons == ["🔁 Try again", "📤 Share", "📚 More quizzes"]


async def test_the_best_score_stays_the_best(learner: Person) -> None:
    await begin(learner)
    for options in (("Paris", "Tokyo", "Nairobi"), ("Lyon", "Osaka", "Mombasa")):
        for option in options:
            await learner.taps(option)
            await learner.taps("▸")
        if options[0] == "Paris":
            await learner.taps("🔁 Try again")
    assert "Your score: 0/3 (0%)" in seen(learner)
    assert "Best so far: 3/3" in seen(learner)
    assert "Not passed yet (pass mark 60%)" in seen(learner)
    await learner.says("/start")
    assert "✅ 3/3 · Capitals" in [plain(label) for label in learner.buttons]


async def test_time_is_told_only_for_one_sitting(learner: Person, clock: SandboxClock) -> None:
    await begin(learner, "several")
    clock.forward(timedelta(minutes=61))
    await learner.taps("☐ 2")
    await learner.taps("Done")
    await learner.taps("Your result ▸")
    assert not any(line.startswith("Time") for line in seen(learner))


async def test_someone_elses_button(bot: Running, join: Join) -> None:
    asha, minh = join("Asha", "en"), join("Minh", "en")
    await begin(asha)
    data = asha.received[-1]["reply_markup"]["inline_keyboard"][0][0]["callback_data"]
    await minh.says("/start")
    count = len(minh.messages)
    await minh.forges(data)
    assert minh.toast == "This button belongs to someone else. Send /quiz to start your own."
    assert len(minh.messages) == count
    await asha.taps("Paris")
    assert asha.toast == "✅ Correct!"


@pytest.mark.parametrize(
    "data", ["", "x", "t:1:a:b", "t:zz:aaaaaaaa:aaaaaaaa", "right_answer:1", "d:1:😀"]
)
async def test_forged_data_changes_nothing_and_is_answered(learner: Person, data: str) -> None:
    await begin(learner)
    count = len(learner.messages)
    await learner.forges(data or " ")
    assert learner.toast == "This button is out of date. Send /quiz to go on."
    assert len(learner.messages) == count


async def test_a_forged_option_or_question_of_ones_own_attempt(learner: Person) -> None:
    await begin(learner)
    for question, option in (("france", "tokyo"), ("japan", "tokyo"), ("nowhere", "paris")):
        choose = buttons.Choose(1, buttons.key(question), buttons.key(option))
        await learner.forges(buttons.pack(choose))
        assert "out of date" in str(learner.toast) or "/quiz to go there" in str(learner.toast)
    await learner.taps("Paris")
    assert learner.toast == "✅ Correct!"


async def test_a_question_that_changed_while_open_is_told_and_does_not_count(
    learner: Person, bot: Running
) -> None:
    await begin(learner)
    changed = capital("france", "France", "Lyon", "Paris", "Nice")
    bot.app.place({"capitals": replace(CAPITALS, questions=(changed, *CAPITALS.questions[1:]))})
    await learner.taps("Paris")
    assert "so it doesn't count" in learner.screen
    for option in ("Tokyo", "Nairobi"):
        await learner.taps("Next ▸")
        await learner.taps(option)
    await learner.taps("Your result ▸")
    assert "Your score: 2/2 (100%)" in seen(learner)
    assert "➖ 1. Capital of France?" in seen(learner)


async def test_questions_that_went_are_told_and_the_attempt_goes_on(
    learner: Person, bot: Running
) -> None:
    await begin(learner)
    await learner.taps("Paris")
    bot.app.place({"capitals": replace(CAPITALS, questions=CAPITALS.questions[:1])})
    await learner.taps("Next ▸")
    assert "2 questions have been changed" in plain(learner.received[-2]["text"])
    assert "Your score: 1/1 (100%)" in seen(learner)
    assert seen(learner)[-3:] == ["✅ 1. Capital of France?", "➖ 2.", "➖ 3."]


async def test_edited_texts_show_at_once_and_break_nothing(learner: Person, bot: Running) -> None:
    await begin(learner)
    france = CAPITALS.questions[0]
    words = replace(france.wordings["en"], explanation="Since 987.")
    reworded = replace(france, wordings={"en": words})
    bot.app.place({"capitals": replace(CAPITALS, questions=(reworded, *CAPITALS.questions[1:]))})
    await learner.taps("Paris")
    assert learner.toast == "✅ Correct!"
    assert "Since 987." in learner.screen


async def test_a_quiz_that_was_taken_away(learner: Person, bot: Running) -> None:
    await begin(learner)
    bot.app.place({"several": SEVERAL})
    await learner.taps("Paris")
    assert learner.toast == "This quiz isn't here any more. Send /quiz to see what there is."
    await learner.says("/quiz")
    assert learner.buttons == ["Several"]


async def test_a_tap_on_a_message_from_last_month_counts(
    learner: Person, clock: SandboxClock
) -> None:
    await begin(learner)
    clock.forward(timedelta(days=31))
    await learner.taps("Paris")
    assert learner.toast == "✅ Correct!"
    assert "Paris is the capital." in learner.screen


async def test_many_people_at_once_each_get_their_own(bot: Running) -> None:
    people = [bot.person(f"P{n}") for n in range(20)]
    await asyncio.gather(*(person.follows("capitals") for person in people))
    await asyncio.gather(*(person.taps("Start") for person in people))
    await asyncio.gather(*(p.taps("Paris" if n % 2 else "Lyon") for n, p in enumerate(people)))
    assert [p.toast for p in people] == ["❌ Not quite.", "✅ Correct!"] * 10


async def test_a_result_with_long_questions_numbers_them(learner: Person, bot: Running) -> None:
    questions = tuple(
        capital(f"q{n}", f"a land called {'x' * 400}{n}", "A", "B") for n in range(12)
    )
    bot.app.place({"long": Quiz("long", "en", {"en": "Long"}, {}, questions)})
    await begin(learner, "long")
    for _ in questions:
        await learner.taps("A")
        await learner.taps("▸")
    assert seen(learner)[-12:] == [f"✅ {n}." for n in range(1, 13)]


async def test_several_a_button_does_what_it_shows_on_every_copy(learner: Person) -> None:
    await begin(learner, "several")
    first = learner.received[-1]
    await learner.taps("☐ 2")
    await learner.says("/quiz")
    await learner.taps("Several")
    await learner.taps("☐ 4")
    await learner.taps("☐ 4", on=first)
    assert "☑ 4" in learner.buttons
    data = _data(learner, "☐ 3")
    for _ in range(3):
        await learner.forges(data)
    assert "☑ 3" in learner.buttons


async def test_several_done_counts_only_for_the_selection_it_shows(learner: Person) -> None:
    await begin(learner, "several")
    await learner.taps("☐ 2")
    first = learner.received[-1]
    await learner.says("/quiz")
    await learner.taps("Several")
    await learner.taps("☐ 4")
    await learner.taps("Done", on=first)
    assert "look again" in str(learner.toast)
    assert "☑ 4" in [row[0]["text"] for row in _keyboard(_message(learner, first))]
    await learner.taps("☑ 4")
    await learner.taps("☐ 3")
    await learner.taps("Done")
    assert learner.toast == "✅ Correct!"
    assert {"☑ ✅ 2", "☑ ✅ 3", "4"} == {row[0]["text"] for row in _keyboard(learner.received[-2])}


def _keyboard(message: Message) -> list[list[dict[str, str]]]:
    keyboard: list[list[dict[str, str]]] = message["reply_markup"]["inline_keyboard"]
    return keyboard


def _data(person: Person, label: str) -> str:
    rows = _keyboard(person.received[-1])
    return next(row[0]["callback_data"] for row in rows if row[0]["text"] == label)


class Losing:
    """A hook that loses the n-th send from now on before it reaches Telegram."""

    def __init__(self, n: int = 1) -> None:
        self.left = n

    async def __call__(self, method: str, params: object) -> None:
        if method == "sendMessage":
            self.left -= 1
            if self.left == 0:
                raise Drop


async def test_an_explanation_that_was_lost_comes_at_a_later_tap_once(
    learner: Person, telegram: Telegram, clock: SandboxClock
) -> None:
    await begin(learner)
    telegram.before = Losing()
    await learner.taps("Paris")
    assert "is the capital" not in learner.screen
    await learner.taps("Paris")
    assert "is the capital" not in learner.screen
    clock.forward(timedelta(seconds=31))
    await learner.taps("Paris")
    assert "Paris is the capital." in learner.screen
    count = len(learner.messages)
    clock.forward(timedelta(seconds=31))
    await learner.taps("Paris")
    assert len(learner.messages) == count
    await learner.taps("Next ▸")
    assert "Capital of Japan?" in learner.screen


@pytest.mark.parametrize("label", ["Next ▸", "Your result ▸"])
async def test_a_question_or_result_that_was_lost_comes_at_a_later_tap_once(
    learner: Person, telegram: Telegram, clock: SandboxClock, label: str
) -> None:
    await begin(learner, "capitals" if label == "Next ▸" else "several")
    for tap in ("Paris",) if label == "Next ▸" else ("☐ 2", "Done"):
        await learner.taps(tap)
    telegram.before = Losing()
    await learner.taps(label)
    count = len(learner.messages)
    await learner.taps(label)
    assert len(learner.messages) == count
    clock.forward(timedelta(seconds=31))
    await learner.taps(label)
    assert len(learner.messages) == count + 1
    assert "Capital of Japan?" in learner.screen or "Your score" in learner.screen
    clock.forward(timedelta(seconds=31))
    await learner.taps(label)
    assert len(learner.messages) == count + 1


async def test_a_mistake_whose_key_changed_since_is_not_reviewed(
    learner: Person, bot: Running
) -> None:
    await begin(learner)
    for option in ("Lyon", "Tokyo", "Mombasa"):
        await learner.taps(option)
        await learner.taps("▸")
    changed = capital("france", "France", "Lyon", "Paris", "Nice")
    bot.app.place({"capitals": replace(CAPITALS, questions=(changed, *CAPITALS.questions[1:]))})
    await learner.taps("🔍 Review mistakes")
    assert seen(learner)[:3] == ["Mistake 1 of 1", "", "Capital of Kenya?"]


async def test_try_again_on_an_older_result_says_that_it_is_out_of_date(learner: Person) -> None:
    await begin(learner, "several")
    for _ in range(2):
        for label in ("☐ 2", "Done", "Your result ▸"):
            await learner.taps(label)
        if _ == 0:
            first = learner.received[-1]
            await learner.taps("🔁 Try again")
    await learner.taps("🔁 Try again", on=first)
    assert learner.toast == "This button is out of date. Send /quiz to go on."
