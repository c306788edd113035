"""A turn: one update of one person, handled in one transaction.

A handler reads, asks the pure core, saves through `turn.tx` and says what is to be shown. Nothing
is sent from within: the calls are committed together with what they show and made afterwards, so
a crash can neither show what isn't stored nor store what is never shown.
"""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, tzinfo
from enum import Enum
from typing import Any

from bot.buttons import Link, Meaning
from bot.clock import Clock
from bot.gateway.calls import Call, Upload
from bot.i18n import Catalogues, Language, own_name
from bot.quiz.quiz import Quiz
from bot.screens.question import Speech
from bot.screens.screen import Screen
from bot.store.database import Transaction
from bot.store.people import Person


@dataclass
class World:
    """What every turn needs. `quizzes` is replaced when the files are read again."""

    catalogues: Catalogues
    quizzes: Mapping[str, Quiz]
    clock: Clock
    dice: random.Random
    locale: str
    time_zone: tzinfo
    username: str = ""
    commands: tuple[Command, ...] = ()

    def languages(self) -> dict[str, str]:
        """Every language the interface or a quiz exists in, with its own name."""
        quizzes = {locale for quiz in self.quizzes.values() for locale in quiz.locales}
        further = sorted(quizzes - set(self.catalogues.locales))
        return {locale: own_name(locale) for locale in (*self.catalogues.locales, *further)}

    def speech(self, wanted: str | None) -> Speech:
        """How to speak to someone who wants this language."""
        wanted = wanted or self.locale
        return Speech(self.catalogues, wanted, self.catalogues.language(wanted))


class Step(Enum):
    """What of an attempt a message shows."""

    SHOWN = "shown"
    """A question, or the result."""
    EXPLAINED = "explained"
    """The explanation of a question."""


@dataclass(frozen=True, slots=True)
class Keep:
    """What the id of a message that is sent is to be remembered for."""

    step: Step
    attempt_id: int
    shown: int

    def pack(self) -> str:
        """As text, for a call."""
        return f"{self.step.value}:{self.attempt_id}:{self.shown}"

    @classmethod
    def unpack(cls, text: str) -> Keep:
        """What `pack` made a text of."""
        step, attempt_id, shown = text.split(":")
        return cls(Step(step), int(attempt_id), int(shown))


@dataclass
class Turn:
    """One update of one person in a private chat. `message_id` is that of the message tapped."""

    world: World
    tx: Transaction
    person: Person
    now: datetime
    speech: Speech
    callback_id: str | None = None
    message_id: int | None = None
    _answer: dict[str, Any] = field(default_factory=dict)
    _calls: list[Call] = field(default_factory=list)

    @property
    def lang(self) -> Language:
        """The interface's language."""
        return self.speech.lang

    def date_of(self, moment: datetime) -> date:
        """The date of a moment where the person is."""
        return moment.astimezone(self.world.time_zone).date()

    def toast(self, text: str) -> None:
        """What the tap is answered with; a tap is answered once, so the last one counts."""
        self._answer = {"text": text}

    def send(
        self, screen: Screen, *, reply_to: int | None = None, keep: Keep | None = None
    ) -> None:
        """A new message, as a reply where the message replied to still exists."""
        params = {"chat_id": self.person.id, **screen.params()}
        if reply_to is not None:
            params["reply_parameters"] = {
                "message_id": reply_to,
                "allow_sending_without_reply": True,
            }
        kept = keep.pack() if keep is not None else None
        self._calls.append(Call("sendMessage", params, keep=kept))

    def edit(self, screen: Screen, message_id: int | None = None) -> None:
        """A message of the bot's changed: the one tapped, or another; sent anew if it can't be."""
        at = message_id or self.message_id
        anew = Call("sendMessage", {"chat_id": self.person.id, **screen.params()})
        if at is None:
            self._calls.append(anew)
            return
        params = {"chat_id": self.person.id, "message_id": at, **screen.params()}
        self._calls.append(Call("editMessageText", params, instead=anew))

    def redraw(self, screen: Screen, message_id: int | None = None) -> None:
        """Like `edit`, but of no use any more once the message is gone."""
        at = message_id or self.message_id
        if at is not None:
            params = {"chat_id": self.person.id, "message_id": at, **screen.params()}
            self._calls.append(Call("editMessageText", params))

    def send_file(self, name: str, text: str, caption: str) -> None:
        """A text file."""
        params = {"chat_id": self.person.id, "caption": caption}
        self._calls.append(Call("sendDocument", params, upload=Upload("document", name, text)))

    def calls(self) -> tuple[Call, ...]:
        """All that is to be made: the answer to the tap first, exactly once."""
        if self.callback_id is None:
            return tuple(self._calls)
        params = {"callback_query_id": self.callback_id, **self._answer}
        return (Call("answerCallbackQuery", params), *self._calls)


@dataclass(frozen=True, slots=True)
class Command:
    """A command, and its line in the command menu."""

    name: str
    run: Callable[[Turn], Awaitable[None]]
    describe: Callable[[Language], str]


@dataclass(frozen=True, slots=True)
class Feature:
    """What one module of handlers does: commands, and what buttons and deep links mean."""

    commands: tuple[Command, ...] = ()
    buttons: Mapping[type[Meaning], Callable[[Turn, Any], Awaitable[None]]] = field(
        default_factory=dict
    )
    links: Mapping[type[Link], Callable[[Turn, Any], Awaitable[None]]] = field(
        default_factory=dict
    )
