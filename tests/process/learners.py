"""People who take a whole quiz by looking at what there is to tap, and check what they see."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, TypeVar

from bot import buttons, markup
from bot.buttons import Meaning
from bot.i18n import Catalogues, Language
from bot.quiz.quiz import Question, Quiz, Wording
from bot.sandbox.people import Tap
from bot.sandbox.telegram import Telegram
from tests.people import Message, Person
from tests.process.bot_process import PATIENCE_S
from tests.seen import plain

Seen = TypeVar("Seen")


class Learner:
    """`wrong` are the questions answered wrongly, on purpose; `times` is how often each button is
    tapped at once, and `between` what happens after the first of them.

    `answered` are the options chosen: what must be in the database, and nothing else.
    """

    def __init__(
        self,
        telegram: Telegram,
        quiz: Quiz,
        catalogues: Catalogues,
        language_code: str,
        *,
        wrong: tuple[str, ...] = (),
        times: int = 1,
        between: Callable[[Learner], None] = lambda _: None,
    ) -> None:
        self.person = Person(telegram, f"Learner of {language_code}", language_code)
        self.lang: Language = catalogues.language(language_code)
        self.answered: dict[str, str] = {}
        self._telegram, self._quiz, self._wrong = telegram, quiz, wrong
        self._times, self._between = times, between
        self._catalogues = catalogues
        self._last_id = 0  # what is waited for is newer than this message

    async def takes_the_quiz(self) -> None:
        """From /start to the result."""
        await self.opens_the_card()
        await self.begins()
        await self.goes_through()

    async def opens_the_card(self) -> None:
        """Finds the quiz in the catalogue."""
        await self.person.says("/start")
        await self.taps(await self.sees(lambda: self.newest(buttons.Card)), buttons.Card)
        await self.sees(lambda: self.newest(buttons.Begin))

    async def begins(self) -> None:
        """Start on the card, or Try again on a result, to the first question."""
        begin = await self.sees(lambda: self.newest(buttons.Begin))
        self._last_id = begin["message_id"]
        await self.taps(begin, buttons.Begin)
        await self.sees(lambda: self._asked(self._quiz.questions[0]))

    async def goes_through(self) -> None:
        """From the first question to the result."""
        self.answered.clear()
        for question in self._quiz.questions:
            asked = await self.sees(partial(self._asked, question))
            explained = await self.answers(asked, question)
            self._last_id = explained["message_id"]
            await self.taps(explained, buttons.Show)
        await self.sees(self._result)

    async def speaks(self, locale: str) -> None:
        """Chooses another language while the first question is open, which is drawn again."""
        await self.person.says("/language")
        languages = await self.sees(lambda: self.newest(buttons.Speak))
        self.lang = self._catalogues.language(locale)
        self._press(languages, [buttons.pack(buttons.Speak(locale))] * self._times)
        question = self._quiz.questions[0]
        stem = _words(self.wording(question).question)
        await self.sees(
            lambda: stem in plain(str((self._asked(question) or {}).get("text"))) or None
        )

    async def is_forgotten(self) -> None:
        """Has everything erased."""
        await self.person.says("/forgetme")
        asked = await self.sees(lambda: self.newest(buttons.Forget))
        await self.taps(asked, buttons.Forget)
        chat = self.person.account.chat
        await self.sees(
            lambda: not _has(chat.posted[asked["message_id"]].message, buttons.Forget) or None
        )

    async def answers(self, asked: Message, question: Question) -> Message:
        """Taps an option; returns the explanation, with all of it checked."""
        wording = self.wording(question)
        self._check_question(asked, wording)
        option = self._choice(question)
        self.answered[question.id] = option
        # Only the first tap counts, so the others are on other options.
        start, ids = question.option_ids.index(option), question.option_ids
        options = [ids[(start + n) % len(ids)] for n in range(self._times)]
        self._press(asked, [self._key(asked, id_) for id_ in options])
        explained = await self.sees(lambda: self._explanation(asked))
        self._check_explanation(explained, question, option)
        return explained

    async def taps(self, message: Message, kind: type[Meaning]) -> None:
        """The first button of this kind, as often as this learner taps."""
        data = next(data for meaning, data in _meanings(message) if isinstance(meaning, kind))
        self._press(message, [data] * self._times)

    async def sees(self, look: Callable[[], Seen | None]) -> Seen:
        """What `look` finds, once it finds something."""
        found: Seen | None = None

        def looked() -> bool:
            nonlocal found
            found = look()
            return found is not None

        try:
            await self._telegram.until(looked, PATIENCE_S)
        except TimeoutError as error:
            raise AssertionError(f"{error}\nwhat is seen:\n{self.person}") from None
        assert found is not None
        return found

    def newest(self, kind: type[Meaning], after: int = 0) -> Message | None:
        """The newest message with a button of this kind, if it is newer than message `after`."""
        # Asked at every call of anybody: only what came last is looked at.
        chat = self.person.account.chat
        for message_id in range(chat.last_id, after, -1):
            posted = chat.find(message_id)
            if posted is not None and not posted.out and _has(posted.message, kind):
                return chat.shown(posted)
        return None

    def wording(self, question: Question) -> Wording:
        """The words this learner must see, whole."""
        return question.wordings[self.lang.locale]

    def payloads(self) -> list[str]:
        """What the buttons of the newest message send."""
        newest = self.person.received[-1:]
        return [data for message in newest for _, data in _meanings(message)]

    @property
    def ignored_taps(self) -> list[Tap]:
        """Taps that the bot never tried to answer. One that waits too long, while the bot is dead
        and a busy machine starts it again, can't be answered any more."""
        return [tap for tap in self.person.account.taps if not tap.answer and not tap.refused]

    @property
    def score(self) -> int:
        """How many answers are right."""
        key = self._quiz.by_id
        return sum(option in key[id_].answer for id_, option in self.answered.items())

    @property
    def messages(self) -> int:
        """How many there are of the bot in a quiz: the card, the questions, the explanations and
        the result."""
        return 2 + 2 * len(self._quiz.questions)

    @property
    def doubled(self) -> int:
        """How many messages more came in this quiz."""
        return len(self.person.received) - self.messages

    def _choice(self, question: Question) -> str:
        right = question.id not in self._wrong
        return next(
            option for option in question.option_ids if (option in question.answer) == right
        )

    def _press(self, message: Message, data: list[str]) -> None:
        """Taps at once, with something else between the first and the others."""
        for n, each in enumerate(data):
            self._telegram.tap_data(self.person.id, message["message_id"], each)
            if n == 0:
                self._between(self)

    def _key(self, message: Message, option: str) -> str:
        key = buttons.key(option)
        choices = (m for m, _ in _meanings(message) if isinstance(m, buttons.Choose))
        return next(buttons.pack(choice) for choice in choices if choice.option == key)

    def _asked(self, question: Question) -> Message | None:
        message = self.newest(buttons.Choose, self._last_id)
        shown = message is not None and _keys(message) == {buttons.key(question.id)}
        return message if shown else None

    def _explanation(self, asked: Message) -> Message | None:
        message = self.newest(buttons.Show, asked["message_id"])
        replied = message.get("reply_to_message", {}) if message is not None else {}
        return message if replied.get("message_id") == asked["message_id"] else None

    def _result(self) -> Message | None:
        message = self.newest(buttons.Begin, self._last_id)
        if message is None:
            return None
        of = len(self._quiz.questions)
        score = plain(self.lang.text("{number}/{total}", number=self.score, total=of))
        assert score in plain(message["text"]), f"not {score}:\n{self.person}"
        assert [sign for sign in message["text"] if sign in "✅❌"] == [
            "✅" if self.answered[q.id] in q.answer else "❌" for q in self._quiz.questions
        ]
        return message

    def _check_question(self, message: Message, wording: Wording) -> None:
        """The question, all its options and its letters are there, in one language."""
        shown = plain(_all_text(message))
        options = [_words(text) for text in wording.options.values()]
        assert _words(wording.question) in shown, shown
        assert all(option in shown for option in options), shown
        lines = plain(message["text"]).splitlines()
        if options[0] in message["text"]:
            letters = [line.split(". ")[0] for line in lines if line.partition(". ")[2] in options]
            assert letters == list(self._catalogues.letters(wording.locale, len(options))), shown
        self._check_nothing_foreign(shown, wording)

    def _check_explanation(self, message: Message, question: Question, option: str) -> None:
        """The verdict, the correct option and why, in one language."""
        wording, shown = self.wording(question), plain(message["text"])
        right = option in question.answer
        verdict = self.lang.text("✅ Correct!") if right else self.lang.text("❌ Not quite.")
        assert shown.startswith(plain(verdict)), shown
        assert all(_words(wording.options[id_]) in shown for id_ in question.answer), shown
        assert _words(wording.explanation) in shown, shown
        self._check_nothing_foreign(shown, wording)

    def _check_nothing_foreign(self, shown: str, own: Wording) -> None:
        ours = "\n".join(_strings(own))  # terms stand in every language
        others = [w for q in self._quiz.questions for w in q.wordings.values()]
        foreign = [
            text
            for wording in others
            if wording.locale != own.locale
            for text in _strings(wording)
            if text in shown and text not in ours
        ]
        assert foreign == [], shown


def _strings(wording: Wording) -> set[str]:
    texts = (wording.question, wording.explanation, *wording.options.values())
    return {_words(text) for text in texts}


def _words(text: str) -> str:
    return plain(markup.plain(text))


def _all_text(message: Message) -> str:
    rows: list[list[dict[str, Any]]] = message["reply_markup"]["inline_keyboard"]
    return "\n".join([message["text"], *(button["text"] for row in rows for button in row)])


def _meanings(message: Message) -> Iterator[tuple[Meaning | None, str]]:
    for row in message.get("reply_markup", {}).get("inline_keyboard", []):
        for button in row:
            if data := button.get("callback_data"):
                yield buttons.unpack(data), data


def _has(message: Message, kind: type[Meaning]) -> bool:
    return any(isinstance(meaning, kind) for meaning, _ in _meanings(message))


def _keys(message: Message) -> set[str]:
    return {m.question for m, _ in _meanings(message) if isinstance(m, buttons.Choose)}
