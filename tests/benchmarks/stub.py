"""A Bot API server that does as little as it can, and the people who tap: a process of its own.

It knows just the calls that the bots under test make, keeps no history, and answers each call
after the latency asked for. `POST /begin` with a `Run` as JSON makes people tap; `POST /measure`
returns what comes of it, with the processor time that this process itself took.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from typing import Any
from urllib.parse import parse_qs

from multidict import CIMultiDict

Json = dict[str, Any]

_START = ("Start", "Try again", "Continue")


@dataclass(frozen=True)
class Run:
    """`rate` 0: everyone taps again as soon as the screen is there; else so many taps a second
    over all. `people_from` is the id of the first person."""

    people: int = 500
    seconds: float = 5.0
    latency_ms: float = 50.0
    rate: float = 0.0
    people_from: int = 1_000_000
    quiz: str = "bench"
    taps_each: int = 0
    """Not 0: ends when everyone has tapped so often, whatever `seconds` says."""


@dataclass
class Outcome:
    """What came of it. Times in milliseconds, from the moment the tap could be fetched to the
    call that answers it: the API's own latency is not in them."""

    taps: int = 0
    calls: int = 0
    seconds: float = 0.0
    p50_ms: float = 0.0
    p99_ms: float = 0.0
    screen_p50_ms: float = 0.0
    screen_p99_ms: float = 0.0
    stub_cpu_s: float = 0.0
    broadcasts: int = 0
    broadcast_s: float = 0.0


class Person:
    """Taps, waits for the answer and the next screen, taps again."""

    __slots__ = ("answered", "buttons", "id", "message_id", "tapped_at", "taps", "waiting")

    def __init__(self, id: int) -> None:
        self.id = id
        self.buttons: list[Json] = []
        self.message_id = 0
        self.tapped_at = 0.0
        self.waiting = self.answered = False
        self.taps = 0

    @property
    def button(self) -> str:
        """What is tapped next: what starts a quiz, else the first button."""
        for button in self.buttons:
            if any(word in button["text"] for word in _START):
                return str(button["callback_data"])
        return str(self.buttons[0]["callback_data"])


@dataclass
class Load:
    """The people of one run."""

    run: Run
    people: dict[int, Person]
    outcome: Outcome = field(default_factory=Outcome)
    answers: list[float] = field(default_factory=list)
    screens: list[float] = field(default_factory=list)
    idle: deque[Person] = field(default_factory=deque)
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    tapped_out: asyncio.Event = field(default_factory=asyncio.Event)
    pacing: asyncio.Task[None] | None = None
    on_screen: int = 0
    measuring: bool = False
    ending: bool = False


class Stub:
    """The server's state."""

    def __init__(self) -> None:
        self.updates: deque[Json] = deque()
        self.update_id = self.message_id = 1
        self.poll: Callable[[bytes], None] | None = None
        self.polls = 0
        self.load: Load | None = None
        self.latency_s = 0.0
        self.known: dict[int, Person] = {}
        self.broadcasts: list[float] = []

    def call(
        self, method: str, params: Mapping[str, Any], answer: Callable[[bytes], None]
    ) -> None:
        """One call; `answer` is given the body, at once or later."""
        if method == "getUpdates":
            self._poll(params, answer)
            return
        result = self._result(method, params)
        body = json.dumps({"ok": True, "result": result}, ensure_ascii=False).encode()
        if self.latency_s and method != "getMe":
            asyncio.get_running_loop().call_later(self.latency_s, answer, body)
        else:
            answer(body)

    def _result(self, method: str, params: Mapping[str, Any]) -> Any:
        if self.load is not None and self.load.measuring:
            self.load.outcome.calls += 1
        match method:
            case "getMe":
                return {"id": 42, "is_bot": True, "first_name": "b", "username": "bench_bot"}
            case "answerCallbackQuery":
                self._answered(self.known[int(params["callback_query_id"].partition("-")[0])])
                return True
            case "sendMessage":
                return self._sent(params)
            case "editMessageText":
                return _message(int(params["chat_id"]), int(params["message_id"]), "edited")
        return True if not method.startswith("get") else {}

    def _sent(self, params: Mapping[str, Any]) -> Json:
        self.message_id += 1
        chat_id = int(params["chat_id"])
        person = self.known.get(chat_id)
        markup = params.get("reply_markup")
        if person is None or (self.load is not None and chat_id not in self.load.people):
            self.broadcasts.append(time.perf_counter())
        elif markup:
            rows = (json.loads(markup) if isinstance(markup, str) else markup)["inline_keyboard"]
            person.buttons = [b for row in rows for b in row if "callback_data" in b]
            person.message_id = self.message_id
            self._shown(person)
        return _message(chat_id, self.message_id, params["text"])

    def _poll(self, params: Mapping[str, Any], answer: Callable[[bytes], None]) -> None:
        self.polls += 1
        offset = int(params.get("offset", 0) or 0)
        while self.updates and self.updates[0]["update_id"] < offset:
            self.updates.popleft()
        if self.updates:
            answer(self._batch())
            return
        self.poll = answer
        timeout = float(params.get("timeout", 0) or 0)
        asyncio.get_running_loop().call_later(timeout, self._empty, answer)

    def _empty(self, answer: Callable[[bytes], None]) -> None:
        if self.poll is answer:
            self.poll = None
            answer(b'{"ok":true,"result":[]}')

    def _batch(self) -> bytes:
        batch = [update for update, _ in zip(self.updates, range(100), strict=False)]
        return json.dumps({"ok": True, "result": batch}).encode()

    def push(self, kind: str, body: Json) -> None:
        """An update for the bot. What comes in the same moment is fetched together."""
        self.update_id += 1
        self.updates.append({"update_id": self.update_id, kind: body})
        if self.poll is not None:
            answer, self.poll = self.poll, None
            asyncio.get_running_loop().call_soon(lambda: answer(self._batch()))

    def begin(self, person: Person, quiz: str) -> None:
        """Opens the quiz by its link."""
        text = f"/start {quiz}"
        person.waiting = person.answered = True
        person.tapped_at = time.perf_counter()
        entities = [{"type": "bot_command", "offset": 0, "length": 6}]
        self.push("message", {**_message(person.id, 1, text, bot=False), "entities": entities})

    def tap(self, person: Person) -> None:
        """Taps the newest screen."""
        person.waiting, person.answered = True, False
        person.taps += 1
        person.tapped_at = time.perf_counter()
        body = {
            "id": f"{person.id}-{self.update_id + 1}",
            "from": _user(person.id),
            "message": _message(person.id, person.message_id, "What is it?"),
            "chat_instance": "1",
            "data": person.button,
        }
        self.push("callback_query", body)

    def _answered(self, person: Person) -> None:
        load = self.load
        if load is not None and load.measuring and not person.answered:
            load.outcome.taps += 1
            load.answers.append(time.perf_counter() - person.tapped_at)
        person.answered = True
        self._next(person)

    def _shown(self, person: Person) -> None:
        load = self.load
        if load is not None and load.measuring and person.waiting:
            load.screens.append(time.perf_counter() - person.tapped_at)
        person.waiting = False
        if load is not None and person.taps == 0:
            load.on_screen += 1
            if load.on_screen == load.run.people:
                load.begun.set()
        self._next(person)

    def _next(self, person: Person) -> None:
        load = self.load
        if load is None or person.waiting or not person.answered or load.ending:
            return
        if load.run.rate or (load.run.taps_each and person.taps >= load.run.taps_each):
            load.idle.append(person)
            if not load.run.rate and len(load.idle) == load.run.people:
                load.tapped_out.set()
        elif self.latency_s:
            asyncio.get_running_loop().call_later(self.latency_s, self.tap, person)
        else:
            self.tap(person)

    async def begin_all(self, run: Run) -> None:
        """Everyone opens the quiz. Returns when all have its card and have tapped for a while."""
        self.latency_s = run.latency_ms / 1000
        ids = range(run.people_from, run.people_from + run.people)
        self.known |= {id_: Person(id_) for id_ in ids if id_ not in self.known}
        people = {id_: self.known[id_] for id_ in ids}
        load = self.load = Load(run, people)
        load.pacing = asyncio.create_task(self._pace(load))
        for person in people.values():
            person.taps = 0
            self.begin(person, run.quiz)
        await load.begun.wait()
        await asyncio.sleep(0 if run.taps_each else run.seconds / 5)

    async def measure(self) -> Outcome:
        """What comes of the taps from now on, for as long as the run says."""
        load = self.load
        assert load is not None
        self.broadcasts.clear()
        load.measuring, began, cpu = True, time.perf_counter(), time.process_time()
        with suppress(TimeoutError):
            async with asyncio.timeout(load.run.seconds):
                await load.tapped_out.wait()
        load.measuring = False
        outcome = load.outcome
        outcome.seconds = time.perf_counter() - began
        outcome.stub_cpu_s = time.process_time() - cpu
        load.ending = True
        if load.pacing is not None:
            load.pacing.cancel()
        _fill(outcome, load, self.broadcasts)
        return outcome

    async def settle(self) -> None:
        """Returns when all calls of the last run should have been made."""
        await asyncio.sleep(3 * self.latency_s + 0.3)

    async def _pace(self, load: Load) -> None:
        run, made, began = load.run, 0, time.perf_counter()
        while run.rate:
            await asyncio.sleep(0.002)
            due = int((time.perf_counter() - began) * run.rate)
            while made < due and load.idle:
                made += 1
                self.tap(load.idle.popleft())
            made = max(made, due - 5)


def _fill(outcome: Outcome, load: Load, broadcasts: list[float]) -> None:
    outcome.p50_ms, outcome.p99_ms = _percentiles(load.answers)
    outcome.screen_p50_ms, outcome.screen_p99_ms = _percentiles(load.screens)
    outcome.broadcasts = len(broadcasts)
    if len(broadcasts) > 1:
        outcome.broadcast_s = broadcasts[-1] - broadcasts[0]


def _percentiles(times: list[float]) -> tuple[float, float]:
    if not times:
        return 0.0, 0.0
    times = sorted(times)
    return times[len(times) // 2] * 1000, times[int(len(times) * 0.99)] * 1000


def _user(id_: int) -> Json:
    return {"id": id_, "is_bot": False, "first_name": "P", "language_code": "en"}


def _message(chat_id: int, message_id: int, text: str, *, bot: bool = True) -> Json:
    by = {"id": 42, "is_bot": True, "first_name": "b"} if bot else _user(chat_id)
    chat = {"id": chat_id, "type": "private", "first_name": "P"}
    return {
        "message_id": message_id,
        "date": 1_800_000_000,
        "chat": chat,
        "from": by,
        "text": text,
    }


class Connection(asyncio.Protocol):
    """HTTP/1.1, as far as the clients here speak it: bodies with a length, one request at once."""

    def __init__(self, stub: Stub) -> None:
        self._stub = stub
        self._data = b""
        self._transport: Any = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._data += data
        while (end := self._data.find(b"\r\n\r\n")) >= 0:
            head, _, rest = self._data[:end].partition(b"\r\n")
            lines = (line.partition(": ") for line in rest.decode("latin-1").split("\r\n"))
            headers = CIMultiDict[str]((name, value) for name, _, value in lines)
            length = int(headers.get("Content-Length", 0))
            if len(self._data) < end + 4 + length:
                return
            body = self._data[end + 4 : end + 4 + length]
            self._data = self._data[end + 4 + length :]
            self._request(head.split(b" ")[1].decode(), body, headers.get("Content-Type", ""))

    def _request(self, path: str, body: bytes, kind: str) -> None:
        if path in _STEPS:
            task = asyncio.create_task(self._step(path, body))
            _running.add(task)
            task.add_done_callback(_running.discard)
        elif path == "/polls":
            self._answer(json.dumps(self._stub.polls).encode())
        else:
            self._stub.call(path.rpartition("/")[2], _params(body, kind), self._answer)

    async def _step(self, path: str, body: bytes) -> None:
        outcome: Json = {}
        if path == "/begin":
            await self._stub.begin_all(Run(**json.loads(body)))
        elif path == "/measure":
            outcome = asdict(await self._stub.measure())
        else:
            await self._stub.settle()
        self._answer(json.dumps(outcome).encode())

    def _answer(self, body: bytes) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(
                b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
                % len(body)
                + body
            )


_STEPS = ("/begin", "/measure", "/settle")
_running: set[asyncio.Task[None]] = set()


def _params(body: bytes, kind: str) -> Mapping[str, Any]:
    if kind.startswith("application/json"):
        params: Json = json.loads(body or b"{}")
        return params
    if kind.startswith("multipart/"):
        boundary = kind.partition("boundary=")[2].strip('"').encode()
        parts = (part.partition(b"\r\n\r\n") for part in body.split(b"--" + boundary)[1:-1])
        return {
            head.partition(b'name="')[2].partition(b'"')[0].decode(): content[:-2].decode()
            for head, _, content in parts
        }
    return {name: values[0] for name, values in parse_qs(body.decode()).items()}


async def main() -> None:
    """Serves on a free port, which is the one line it prints, until its input ends."""
    loop = asyncio.get_running_loop()
    stub = Stub()
    server = await loop.create_server(lambda: Connection(stub), "127.0.0.1", 0)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    await loop.run_in_executor(None, sys.stdin.read)
    server.close()


if __name__ == "__main__":
    asyncio.run(main())
