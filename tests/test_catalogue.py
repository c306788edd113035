"""Finding a quiz: /start, deep links, the catalogue, /quiz."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from bot.sandbox.clock import SandboxClock
from bot.sandbox.telegram import Telegram
from tests.conftest import Running
from tests.people import Person
from tests.quizzes import CAPITALS
from tests.seen import plain, seen


async def test_the_first_messages_carry_the_languages_until_a_quiz_is_begun(
    learner: Person,
) -> None:
    await learner.says("hello")
    await learner.says("/start")
    assert [label for label in learner.buttons if "🌐" in label] == [
        "🌐 English",
        "🌐 हिन्दी",
        "🌐 Tiếng Việt",
    ]
    await learner.follows("no-such-quiz")
    assert "🌐 हिन्दी" in learner.buttons
    await learner.follows("capitals")
    await learner.taps("Start")
    await learner.says("/start")
    assert not any("🌐" in label for label in learner.buttons)


async def test_a_language_chosen_on_the_first_message_redraws_it(learner: Person) -> None:
    await learner.says("/start")
    count = len(learner.messages)
    await learner.taps("🌐 हिन्दी")
    assert len(learner.messages) == count
    assert "नमस्ते" in learner.screen
    assert "राजधानियाँ" in learner.buttons
    await learner.taps("🌐 English")
    assert "Welcome" in learner.screen


async def test_a_language_chosen_on_the_card_redraws_the_question_too(learner: Person) -> None:
    await learner.follows("shards")
    await learner.taps("Start")
    await learner.taps("🌐 हिन्दी")
    assert "चेकपॉइंट" in learner.screen


async def test_ten_quizzes_under_way_are_offered_and_more(learner: Person, bot: Running) -> None:
    many = {f"z{n:02}": replace(CAPITALS, id=f"z{n:02}", titles={"en": f"Quiz {n:02}"})
            for n in range(12)}  # fmt: skip
    bot.app.place(many)
    for quiz_id in many:
        await learner.follows(quiz_id)
        await learner.taps("Start")
    await learner.says("/quiz")
    assert len(learner.buttons) == 11
    assert plain(learner.buttons[0]) == "▶ 0/3 · Quiz 11"


async def test_a_description_may_use_markup(learner: Person, bot: Running) -> None:
    bot.app.place({"z": replace(CAPITALS, id="z", descriptions={"en": "All about **tensors**."})})
    await learner.follows("z")
    assert "All about tensors." in seen(learner)


async def test_a_deep_link_opens_the_card_with_the_languages(learner: Person) -> None:
    await learner.follows("capitals")
    assert seen(learner) == ["Capitals", "Three countries.", "", "3 questions"]
    assert learner.buttons[:2] == ["Start", "◂ All quizzes"]
    await learner.taps("🌐 हिन्दी")
    assert seen(learner)[0] == "राजधानियाँ"


async def test_a_deep_link_to_nothing_says_so_and_shows_what_there_is(learner: Person) -> None:
    await learner.follows("no-such-quiz")
    assert "isn't here" in learner.screen
    assert "Capitals" in learner.buttons
    await learner.follows("x_12")
    assert "Welcome" in learner.screen


async def test_the_card_tells_the_best_score_and_when(learner: Person, telegram: Telegram) -> None:
    await learner.follows("several")
    await learner.taps("Start")
    for label in ("☐ 2", "☐ 3", "Done"):
        await learner.taps(label)
    await learner.follows("several")
    day = telegram.clock.now()
    assert seen(learner)[-2:] == [
        "Best so far: 1/1",
        f"Last finished: {day:%B} {day.day}, {day.year}",
    ]


async def test_the_way_into_a_card_and_back_is_one_message(learner: Person) -> None:
    await learner.says("/start")
    count = len(learner.messages)
    await learner.taps("Capitals")
    await learner.taps("◂ All quizzes")
    assert "Pick a quiz" in learner.screen
    assert len(learner.messages) == count


async def test_a_button_on_a_deleted_message_is_answered_by_a_new_one(learner: Person) -> None:
    await learner.says("/start")
    message = learner.received[-1]
    await learner.deletes(message)
    data = message["reply_markup"]["inline_keyboard"][0][0]["callback_data"]
    await learner.forges(data, on=message)
    assert "3 questions" in learner.screen or "question" in learner.screen


async def test_many_quizzes_come_in_pages(learner: Person, bot: Running) -> None:
    many = {f"z{n:02}": replace(CAPITALS, id=f"z{n:02}", titles={"en": f"Quiz {n:02}"})
            for n in range(23)}  # fmt: skip
    bot.app.place(many)
    await learner.says("/quiz")
    assert learner.buttons == [f"Quiz {n:02}" for n in range(10)] + ["▸"]
    await learner.taps("▸")
    await learner.taps("▸")
    assert learner.buttons == ["Quiz 20", "Quiz 21", "Quiz 22", "◂"]


async def test_no_quizzes_at_all(learner: Person, bot: Running) -> None:
    bot.app.place({})
    await learner.says("/start")
    assert "no quizzes here yet" in learner.screen


async def test_wide_titles_stand_in_the_message_in_full(learner: Person, bot: Running) -> None:
    wide = "A title that no phone shows in full on one of its buttons"
    bot.app.place({"wide": replace(CAPITALS, id="wide", titles={"en": wide})})
    await learner.says("/quiz")
    assert seen(learner)[-1] == f"• {wide}"


async def test_quiz_without_anything_under_way_shows_the_catalogue(learner: Person) -> None:
    await learner.says("/quiz")
    assert set(learner.buttons) == {"Capitals", "Shards & <pieces>", "Several"}


async def test_the_result_is_shared_by_a_deep_link(learner: Person) -> None:
    await learner.follows("several")
    await learner.taps("Start")
    for label in ("☐ 2", "Done", "Your result ▸"):
        await learner.taps(label)
    keyboard = learner.received[-1]["reply_markup"]["inline_keyboard"]
    url = next(row[0]["url"] for row in keyboard if "url" in row[0])
    assert url.startswith(
        "https://t.me/share/url?url=https%3A%2F%2Ft.me%2Fquizbot_demo_bot%3Fstart%3Dseveral&text="
    )


async def test_going_on_after_a_month_on_another_day(learner: Person, clock: SandboxClock) -> None:
    await learner.follows("capitals")
    await learner.taps("Start")
    await learner.taps("Paris")
    clock.forward(timedelta(days=31))
    await learner.says("/quiz")
    await learner.taps(next(label for label in learner.buttons if "Capitals" in label))
    assert "Capital of Japan?" in learner.screen


async def test_other_words_get_an_answer(learner: Person) -> None:
    for words in ("hello", "/nonsense", "/quizzes", "/start@other_bot", "😀"):
        await learner.says(words)
        assert "Send /quiz" in plain(learner.screen), words


async def test_the_command_menu_is_set_per_language_and_only_when_it_changed(
    learner: Person, bot: Running, telegram: Telegram
) -> None:
    set_ = [c for c in telegram.log if c.method.startswith("set")]
    assert {c.params.get("language_code") for c in set_} == {None, "en", "hi", "vi"}
    status, answer = await telegram.call(
        "getMyCommands", {"language_code": "hi", "scope": {"type": "all_private_chats"}}
    )
    assert status == 200
    names = [command["command"] for command in answer["result"]]
    assert names == ["start", "quiz", "language", "help", "privacy", "mydata", "forgetme"]
