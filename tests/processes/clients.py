"""Clients that come back to any of several processes and note everything that they are shown."""

import asyncio
import itertools
import json
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import websockets
from websockets.typing import Origin

from games.engine.events import Deal, Discard, Draw, End, Event, Late, Miss, Out, Play, Tie
from games.engine.table import Table, apply
from games.live.fanout.frames import SPECTATOR, View, line_text
from games.records.notation import parse_line
from games.tables.plan import Plan
from tests.engine.digests import digest
from tests.live.example_client import Client
from tests.live.serving import PATIENCE_S, token, ws
from tests.services import Site

PAUSE_S = 0.3
EVENTS: dict[str, Any] = {
    kind.__name__.lower(): kind for kind in (Play, Draw, Discard, Tie, Late, Miss, Out, End)
}


class Notes:
    """Each line that a client has been shown, by its seq; never two different ones for one seq."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.lines: dict[int, dict[str, Any]] = {}
        self.times: dict[int, float] = {}
        self.byes: list[int] = []
        self.resyncs = 0

    def note(self, frame: Mapping[str, Any]) -> None:
        """Take down a frame."""
        if frame["type"] == "lines":
            for seq, line in enumerate(frame["lines"], frame["seq"]):
                assert self.lines.setdefault(seq, line) == line
                self.times.setdefault(seq, time.monotonic())
        elif frame["type"] == "bye":
            self.byes.append(frame["code"])
        self.resyncs += frame["type"] == "resync"

    @property
    def end(self) -> int:
        """The seq that comes next."""
        return max(self.lines, default=0) + 1

    def table(self, plan: Plan) -> str:
        """The digest of the table that these lines fold to."""
        return folded(plan, (self.lines[seq] for seq in sorted(self.lines)))


def folded(plan: Plan, lines: Iterable[Mapping[str, Any]]) -> str:
    """The digest of the table after these lines."""
    table = Table(plan.rules, len(plan.places))
    for line in lines:
        if "decks" in line:
            table = Table(plan.rules, len(plan.places))
            table.deal(Deal(line["round"], tuple(tuple(deck.split()) for deck in line["decks"])))
        elif "do" in line:
            apply(table, event_of(line))
    return digest(table)


def event_of(line: Mapping[str, Any]) -> Event:
    """An event as a viewer has it; the record's own reader takes no hidden cards."""
    kind = EVENTS[line["do"]]
    values = {"number": line.get("as"), **line}
    return kind(*(frozen(values.get(name)) for name in kind._fields))


def frozen(value: Any) -> Any:
    """Lists as tuples."""
    return tuple(value) if isinstance(value, list) else value


def shown_to(view: View, record: Iterable[str]) -> dict[int, dict[str, Any]]:
    """What a viewer must have been shown of a stored record, by seq."""
    lines = (parse_line(text.encode(), number) for number, text in enumerate(record, 1))
    texts = (line_text(line, view) for line in itertools.islice(lines, 1, None))
    return {seq: json.loads(text) for seq, text in enumerate(texts, 1)}


class Player(Client):
    """The example client at one seat; `sites` are where it may come back to, in turn."""

    def __init__(self, sites: Iterable[Site], seat: int, match: str = "far") -> None:
        self._sites = itertools.cycle(ws(site, f"/ws/bots/{match}/") for site in sites)
        super().__init__("", token(seat))
        self.notes = Notes(seat)
        self.acked: dict[str, int] = {}
        self.refused: list[str] = []
        self.told: dict[str, dict[str, Any]] = {}
        """The answer to each action; never two different ones."""
        self.still = False
        """Whether it asks for nothing more."""

    @property
    def url(self) -> str:
        """Where to come back to this time."""
        return next(self._sites)

    @url.setter
    def url(self, _url: str) -> None:
        pass

    async def hear(self, frame: dict[str, Any]) -> None:
        self.notes.note(frame)
        if frame["type"] in ("ack", "refused"):
            assert self.told.setdefault(frame["id"], frame) == frame
        if frame["type"] == "ack":
            assert self.acked.setdefault(frame["id"], frame["seq"]) == frame["seq"]
        elif frame["type"] == "refused":
            self.refused.append(frame["rule"])
        await super().hear(frame)

    async def step(self) -> None:
        if not self.still:
            await super().step()


class Watcher:
    """A spectator who comes back."""

    def __init__(self, sites: Iterable[Site], match: str = "far") -> None:
        self._sites = itertools.cycle(sites)
        self._path = f"/ws/watch/{match}/"
        self.notes = Notes(SPECTATOR)
        self._known: dict[str, int] = {}

    async def play(self) -> None:
        """Watch until cancelled."""
        while True:
            site = next(self._sites)
            try:
                async with websockets.connect(
                    ws(site, self._path), origin=Origin(site.url)
                ) as socket:
                    await self._watch(socket)
            except (OSError, websockets.WebSocketException):
                await asyncio.sleep(PAUSE_S)

    async def _watch(self, socket: Any) -> None:
        await socket.send(json.dumps({"type": "hello", "v": 1, **self._known}))
        async for text in socket:
            frame = json.loads(text)
            self.notes.note(frame)
            if frame["type"] == "welcome":
                self._known = {"epoch": frame["epoch"], "seq": frame["seq"]}
            elif frame["type"] == "lines":
                self._known["seq"] = end = frame["seq"] + len(frame["lines"])
                await socket.send(json.dumps({"type": "got", "seq": end}))


async def met(condition: Callable[[], Any], seconds: float = PATIENCE_S) -> Any:
    """Wait until a condition holds; what it gave. Raises TimeoutError.

    Asking takes a fifth of the time at most: pages of figures are dear.
    """
    end = time.monotonic() + seconds
    while True:
        asked = time.monotonic()
        if value := condition():
            return value
        if time.monotonic() > end:
            raise TimeoutError(f"waited {seconds} s for {condition}")
        await asyncio.sleep(max(0.01, 4 * (time.monotonic() - asked)))
