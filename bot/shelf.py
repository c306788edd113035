"""The quizzes being served: read at the start, and again when their files change."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from datetime import timedelta
from pathlib import Path

from bot.clock import Clock
from bot.library import load as library
from bot.library.load import Measure
from bot.library.problems import Severity
from bot.quiz.quiz import Quiz

log = logging.getLogger(__name__)

LOOK_EVERY = timedelta(seconds=0.5)


class Shelf:
    """`placed` is told the quizzes whenever they were read."""

    def __init__(self, folder: Path, measure: Measure) -> None:
        self._folder, self._measure = folder, measure
        self._library = library.load(folder, measure)
        self.placed: Callable[[Mapping[str, Quiz]], None] = lambda _: None
        self._report()

    @property
    def quizzes(self) -> Mapping[str, Quiz]:
        """Those without errors, or in their last version without."""
        return self._library.quizzes

    def reload(self) -> None:
        """Reads the files again. A quiz with errors keeps its last good version."""
        self._library = library.reload(self._folder, self._library, self._measure)
        self._report()
        self.placed(self._library.quizzes)

    async def watch(self, clock: Clock) -> None:
        """Reads the files again whenever one is saved, until cancelled."""
        seen = library.stamp(self._folder)
        while True:
            await clock.wait_until(clock.now() + LOOK_EVERY)
            if (now := library.stamp(self._folder)) != seen:
                seen = now
                self.reload()

    def _report(self) -> None:
        for problem in self._library.problems:
            level = logging.ERROR if problem.severity is Severity.ERROR else logging.WARNING
            log.log(level, "%s", problem)
        log.info("quizzes served: %s", ", ".join(self._library.quizzes) or "none")
