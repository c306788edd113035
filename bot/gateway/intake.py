"""What becomes of an update: received, handled in its person's lane, applied, told, done.

A handler does its work in one transaction, in which it calls `inbox.apply` with the calls it
wants made; after the commit it hands the same calls to `Intake.applied`, and the lane makes them.
If the process dies in between, the next run finds them in the inbox.
"""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from telegram import Bot, Update
from telegram.ext import CallbackContext

from bot.clock import Clock
from bot.gateway import calls as calls_
from bot.gateway import raw
from bot.gateway.backlog import Backlog
from bot.gateway.calls import Call
from bot.gateway.finished import Finished
from bot.gateway.lanes import Lanes, Work
from bot.gateway.outbox import Outbox
from bot.gateway.raw import Raw
from bot.store import inbox
from bot.store.database import Store

log = logging.getLogger(__name__)

Calls = tuple[Call, ...]

TRIES = 3
_ANSWER = "answerCallbackQuery"
_ANSWER_TIMEOUT_S = 5.0
_STORE_PAUSE = timedelta(seconds=5)


@dataclass(frozen=True, slots=True)
class Handling:
    """What the intake is given by the rest of the bot.

    `handle` dispatches an update and never raises on a handler's behalf (PTB's `process_update`,
    with `Intake.note_error` as its error handler). `apologise` says what to tell the person of an
    update that was given up.
    """

    bot: Bot
    handle: Callable[[Update], Awaitable[None]]
    apologise: Callable[[Update], Awaitable[Sequence[Call]]]


class Intake:
    """`cap` is how many updates are handled at once, and `most` how many may be under way before
    no more should come: handled, or waiting for that, or with calls that aren't all made."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        outbox: Outbox,
        finished: Finished,
        handling: Handling,
        cap: int = 256,
        most: int = 2000,
    ) -> None:
        self._store, self._clock, self._outbox, self._handling = store, clock, outbox, handling
        self._lanes = Lanes(clock, cap)
        self._finished = finished
        self.backlog = Backlog(most)
        self._applied: dict[int, Calls] = {}
        self._errors: dict[int, Exception] = {}

    async def receive(self, updates: Sequence[object]) -> None:
        """Takes raw updates in; when it returns they are safe. Duplicates are dropped."""
        known = [update for update in map(raw.read, updates) if update is not None]
        if len(known) < len(updates):
            log.warning("%d updates without a usable id ignored", len(updates) - len(known))
        arrivals = [inbox.Arrival(u.id, u.person_id, json.dumps(u.fields)) for u in known]
        async with self._store.transaction() as tx:
            new = await inbox.receive(tx, arrivals, self._clock.now())
        for update in known:
            if update.id in new:
                new.remove(update.id)
                self._put(update, partial(self._step, update))

    async def resume(self) -> None:
        """Takes up what a previous run left unfinished, in order of arrival."""
        async with self._store.read() as reader:
            rows = await inbox.unfinished(reader)
        for row in rows:
            update = raw.read(json.loads(row.payload))
            if update is None:
                raise RuntimeError(f"inbox: the payload of update {row.update_id} is damaged")
            if row.calls is None:
                self._put(update, partial(self._step, update))
            else:
                self._put(update, partial(self._tell, update.id, calls_.load(row.calls)))
        if rows:
            log.info("%d unfinished updates taken up again", len(rows))

    def applied(self, update_id: int, calls: Sequence[Call]) -> None:
        """For handlers, after the commit of the transaction in which they called `inbox.apply`."""
        self._applied[update_id] = tuple(calls)

    async def note_error(
        self, update: object, context: CallbackContext[Any, Any, Any, Any]
    ) -> None:
        """PTB's error handler: it only takes down what happened, the lane decides."""
        error = context.error
        if isinstance(update, Update) and isinstance(error, Exception):
            self._errors[update.update_id] = error
        else:
            log.error("an error outside of any update", exc_info=error)

    def __len__(self) -> int:
        """Not 0 while anything is under way."""
        return len(self._lanes) + len(self._outbox) + len(self._finished)

    async def idle(self) -> None:
        """Returns when nothing is under way: no update, no call, no mark."""
        while len(self):
            await self._lanes.idle()
            await self._outbox.idle()
            await self._finished.idle()

    async def stop(self) -> None:
        """Ends everything where it is; what is unfinished stays in the inbox."""
        await self._lanes.stop()
        await self._outbox.stop()
        await self._finished.idle()

    def _put(self, update: Raw, work: Work) -> None:
        self.backlog.enter()
        self._lanes.put(update.lane, partial(self._guarded, update, work))

    async def _guarded(self, update: Raw, work: Work) -> datetime | None:
        """The work; again in a while if the database was in trouble: that is no failed try."""
        try:
            return await work()
        except sqlite3.Error as error:
            log.error("update %d: the database is in trouble (%s); again soon", update.id, error)
            return self._clock.now() + _STORE_PAUSE
        except Exception:
            self.backlog.leave()
            raise

    async def _step(self, update: Raw) -> datetime | None:
        """One try at the update; returns when the next is due, if it must be."""
        try:
            parsed = Update.de_json(dict(update.fields), self._handling.bot)
        except Exception as problem:  # PTB raises anything on what it does not know
            log.warning("update %d can't be parsed and is set aside: %r", update.id, problem)
            await self._set_aside(update)
            await self._tell(None, update.empty_answer)
            return None
        error = await self._handle(parsed)
        calls = self._applied.pop(update.id, None)
        if error is not None:
            return await self._failed(update, parsed, error)
        # No handler wanted it: at least no spinner stays.
        await self._tell(update.id, update.empty_answer if calls is None else calls)
        return None

    async def _handle(self, update: Update) -> Exception | None:
        try:
            await self._handling.handle(update)
        except Exception as error:
            return error
        return self._errors.pop(update.update_id, None)

    async def _failed(self, update: Raw, parsed: Update, error: Exception) -> datetime | None:
        async with self._store.transaction() as tx:
            tries = await inbox.failed(tx, update.id)
            stored = await inbox.applied_calls(tx, update.id) if tries is None else None
            if tries == TRIES:
                await inbox.set_aside(tx, update.id, self._clock.now())
        self._log_failure(update, tries, error)
        if tries is None:
            # It failed after its transaction was committed: what it did counts.
            await self._tell(update.id, calls_.load(stored) if stored else ())
        elif tries < TRIES:
            return self._clock.now() + timedelta(seconds=tries)
        else:
            await self._tell(None, await self._apology(update, parsed))
        return None

    def _log_failure(self, update: Raw, tries: int | None, error: Exception) -> None:
        """The traceback once; the kind of update, never its contents."""
        kind = next((field for field in update.fields if field != "update_id"), "nothing")
        log.error(
            "update %d (%s) failed, try %s of %d%s",
            *(update.id, kind, tries or "after commit", TRIES),
            "; set aside" if tries == TRIES else "",
            exc_info=error if tries in (1, None) else None,
        )

    async def _apology(self, update: Raw, parsed: Update) -> Sequence[Call]:
        try:
            return await self._handling.apologise(parsed)
        except Exception:
            log.exception("update %d: nor could its person be told", update.id)
            return update.empty_answer

    async def _set_aside(self, update: Raw) -> None:
        async with self._store.transaction() as tx:
            await inbox.set_aside(tx, update.id, self._clock.now())

    async def _tell(self, update_id: int | None, calls: Sequence[Call]) -> None:
        """Makes the calls: the answer to a tap at once, all others in their chats' turns. The
        update, if one is given, is done after that."""
        answers = [call for call in calls if call.method == _ANSWER]
        rest = [call for call in calls if call.method != _ANSWER]
        late = [c for c in answers if not await self._outbox.make_at_once(c, _ANSWER_TIMEOUT_S)]
        self._outbox.post(rest + late, partial(self._told, update_id))

    def _told(self, update_id: int | None) -> None:
        self.backlog.leave()
        if update_id is not None:
            self._finished.add(update_id)
