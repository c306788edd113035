"""Taking a quiz, as a learner lives it."""

from __future__ import annotations

from collections.abc import Callable

from tests.people import Person

Join = Callable[[str, str | None], Person]


async def test_a_whole_quiz(learner: Person) -> None:
    await learner.says("/start")
    await learner.taps("Capitals")
    assert "3 questions" in learner.screen
    await learner.taps("Start")
    assert "Capital of France?" in learner.screen
    await learner.taps("Paris")
    assert learner.toast == "✅ Correct!"
    assert "✅ Correct!" in learner.screen
    assert "Paris is the capital." in learner.screen
    await learner.taps("Next ▸")
    await learner.taps("Osaka")
    assert learner.toast == "❌ Not quite."
    assert "✅ Tokyo" in learner.screen
    await learner.taps("Next ▸")
    await learner.taps("Nairobi")
    await learner.taps("Your result ▸")
    assert "2/3" in learner.screen
    print(learner.screen)
    print(learner)
