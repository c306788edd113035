"""One choice of language for the interface and the quizzes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from bot.i18n import Catalogues
from bot.sandbox.errors import Drop
from bot.sandbox.telegram import Telegram
from tests.conftest import Running
from tests.people import Person
from tests.quizzes import SHARDS
from tests.seen import plain, seen

Join = Callable[[str, str | None], Person]


async def open_shards(person: Person) -> None:
    """To the first question of the quiz that exists in Hindi."""
    await person.follows("shards")
    await person.taps(person.buttons[0])


@pytest.mark.parametrize(
    ("code", "greeting"),
    [("hi", "नमस्ते"), ("vi", "Chào"), ("en", "Welcome"), ("en-AU", "Welcome"), ("hi-IN", "नमस्ते"),
     ("de", "Welcome"), (None, "Welcome"), ("xx-raw", "Welcome"), ("", "Welcome")],
)  # fmt: skip
async def test_the_interface_speaks_what_telegram_says(
    join: Join, code: str | None, greeting: str
) -> None:
    person = join("Someone", code)
    await person.says("/start")
    assert greeting in person.screen


async def test_a_question_is_wholly_in_the_learners_language(join: Join) -> None:
    asha = join("Asha", "hi")
    await open_shards(asha)
    wording = SHARDS.questions[0].wordings["hi"]
    assert wording.question in asha.screen
    assert all(option in asha.screen for option in wording.options.values())
    await asha.taps("A")
    assert wording.explanation in asha.screen
    assert wording.options["size"] in asha.screen


async def test_a_question_that_lacks_the_language_falls_back_as_a_whole(join: Join) -> None:
    asha = join("Asha", "hi")
    await open_shards(asha)
    await asha.taps("A")
    await asha.taps("▸")
    assert "Is 1 < 0 & 2 > 3?" in asha.screen
    assert set(asha.buttons) == {"Yes", "No"}
    await asha.taps("No")
    assert seen(asha)[-3:] == ["✅ No", "", "1 > 0."]
    assert seen(asha)[0].startswith("✅ ")
    assert "Correct" not in asha.screen


async def test_the_stored_choice_beats_telegrams(learner: Person) -> None:
    await learner.says("/language")
    assert learner.buttons == ["✓ English", "हिन्दी", "Tiếng Việt"]
    await learner.taps("Tiếng Việt")
    assert "Tiếng Việt" in str(learner.toast)
    assert "✓ Tiếng Việt" in learner.buttons
    await learner.says("/start")
    assert "Chào" in learner.screen


async def test_the_open_question_is_drawn_again_in_place(learner: Person) -> None:
    await open_shards(learner)
    count = len(learner.messages)
    await learner.says("/language")
    await learner.taps("हिन्दी")
    question = learner.received[-2]
    assert SHARDS.questions[0].wordings["hi"].question in question["text"]
    assert len(learner.messages) == count + 2
    await learner.taps("A", on=question)
    assert SHARDS.questions[0].wordings["hi"].explanation in learner.screen


async def test_a_question_of_unknown_whereabouts_is_sent_anew(
    learner: Person, telegram: Telegram
) -> None:
    await learner.follows("shards")
    telegram.after = LosingAnswers()
    await learner.taps("Start")
    telegram.after = None
    await learner.says("/language")
    await learner.taps("हिन्दी")
    assert SHARDS.questions[0].wordings["hi"].question in learner.screen


class LosingAnswers:
    """A hook that loses Telegram's answer to every send."""

    async def __call__(self, method: str, params: object) -> None:
        if method == "sendMessage":
            raise Drop


async def test_an_answered_question_keeps_its_language_until_it_is_touched(
    learner: Person,
) -> None:
    await open_shards(learner)
    await learner.taps("A")
    await learner.says("/language")
    await learner.taps("हिन्दी")
    assert "Why are checkpoints split?" in learner.received[-3]["text"]


async def test_the_same_order_in_every_language(learner: Person) -> None:
    await open_shards(learner)
    english = [line[3:] for line in seen(learner)[-2:]]
    await learner.says("/language")
    await learner.taps("हिन्दी")
    hindi = [line[3:] for line in plain(learner.received[-2]["text"]).splitlines()[-2:]]
    words = SHARDS.questions[0].wordings
    assert [_option(words["en"].options, text) for text in english] == [
        _option(words["hi"].options, text) for text in hindi
    ]


def _option(options: Mapping[str, str], text: str) -> str:
    return next(id_ for id_, option in options.items() if option == text)


async def test_a_language_that_is_gone_says_so(learner: Person) -> None:
    await learner.says("/language")
    await learner.forges("l:tlh")
    assert "/language" in str(learner.toast)


async def test_the_command_menu_follows_the_language(
    bot: Running, telegram: Telegram, catalogues: Catalogues
) -> None:
    await bot.person().says("/start")
    _, answer = await telegram.call(
        "getMyCommands", {"language_code": "vi", "scope": {"type": "all_private_chats"}}
    )
    described = {c["command"]: c["description"] for c in answer["result"]}
    assert described["quiz"] == catalogues.language("vi").term(
        "command", "Go on where you stopped, or pick a quiz"
    )
