"""The chats of one process: the listeners, and their lines.

The rules of this file: a line is checked and stored (`ChatStore.add`) before anyone sees it. Then
every process fetches it, when the doorbell rings or within `POLL_MS`, and sends it to its own
listeners, several lines per frame. Players take no part in their match's chat. Writing has its own
queue, so a match never waits for its chat. Lines about a part that is closed to a listener are sent
once it is open.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final, NamedTuple, Protocol

from games.chat.values import BACKLOG, REFUSALS, PostedLine
from games.live.fanout import frames
from games.live.fanout.connection import Connection
from games.live.fanout.doorbell import Doorbell
from games.live.host.clock import Clock, pause
from games.live.host.leases import StoreUnavailableError
from games.people.visitor import Visitor

POLL_MS: Final = 1_000
GATHER_MS: Final = 200
"""The minimum time between two chat frames."""
WAITING: Final = 200
_AT_ONCE: Final = 64


class ChatStore(Protocol):
    """Where chat lines are stored. Every method may raise StoreUnavailableError."""

    async def chat_news(self, known: Mapping[str, int]) -> list[PostedLine]:
        """Lines of these rooms after the known ones, and earlier ones removed since."""

    async def chat_add(self, room: str, writer: Visitor, text: str) -> str:
        """Store a line. Returns an error code if it is refused."""

    async def chat_report(self, room: str, reporter: Visitor, n: int) -> None:
        """Report a line to the moderators."""


VisitorLookup = Callable[[], Awaitable[Visitor]]
"""Looks up the writer. May raise StoreUnavailableError."""


class Heard(NamedTuple):
    """How far a listener has been sent the lines, but those about the parts `withheld` from it."""

    n: int
    withheld: frozenset[int] = frozenset()


class ChatRoom:
    """The chat of one room: its last lines, and how far each listener has been sent them."""

    def __init__(self) -> None:
        self.last = 0
        self.lines: deque[PostedLine] = deque(maxlen=BACKLOG)
        self.gone: set[int] = set()
        self.listeners: dict[Connection, Heard] = {}

    def learn(self, written: PostedLine) -> int | None:
        """Add a line. Returns its number if it was known and has now been removed."""
        if written.n > self.last:
            self.last = written.n
            if written.text:
                self.lines.append(written)
            return None
        kept = [line for line in self.lines if line.n != written.n]
        if len(kept) == len(self.lines):
            return None
        self.lines = deque(kept, maxlen=BACKLOG)
        return written.n

    def after(self, heard: Heard) -> list[PostedLine]:
        n, withheld = heard
        return [line for line in self.lines if line.n > n and line.about not in withheld]


class Chats:
    """All chats with listeners in this process."""

    def __init__(self, store: ChatStore, clock: Clock, doorbell: Doorbell) -> None:
        self._store = store
        self._clock = clock
        self._bell = doorbell
        self._rooms: dict[str, ChatRoom] = {}
        self._rung = asyncio.Event()
        self._queue: asyncio.Queue[tuple[Connection, VisitorLookup, str | int]] = asyncio.Queue(
            WAITING
        )

    def join(self, listener: Connection) -> None:
        room = self._rooms.setdefault(listener.room, ChatRoom())
        room.listeners[listener] = Heard(0)
        self._rung.set()

    def leave(self, listener: Connection) -> None:
        room = self._rooms.get(listener.room)
        if room is not None:
            room.listeners.pop(listener, None)
            if not room.listeners:
                del self._rooms[listener.room]

    def listens(self, listener: Connection) -> bool:
        room = self._rooms.get(listener.room)
        return room is not None and listener in room.listeners

    def rung(self, room: str) -> None:
        """Handle a ring from another process: a room's chat has news."""
        if room in self._rooms:
            self._rung.set()

    def submit(self, listener: Connection, known: VisitorLookup, what: str | int) -> bool:
        """Queue a line to store, or the number of a line to report. False if the queue is full."""
        if self._queue.full():
            return False
        self._queue.put_nowait((listener, known, what))
        return True

    # Services

    async def write(self) -> None:
        """Store what is written, in order, until cancelled."""
        while True:
            listener, known, what = await self._queue.get()
            try:
                answer = await self._write(listener.room, await known(), what)
            except StoreUnavailableError:
                answer = frames.error("unavailable", "chat is unavailable right now")
            if answer and not listener.gone:
                listener.say(answer)
                listener.pump(self._clock.now())

    async def _write(self, room: str, writer: Visitor, what: str | int) -> str:
        """The frame to answer with, if any."""
        if not writer.shown:
            return refusal("nameless")
        if isinstance(what, int):
            await self._store.chat_report(room, writer, what)
            return frames.reported(what)
        code = await self._store.chat_add(room, writer, what)
        if code:
            return refusal(code)
        self._rung.set()
        self._bell.ring(room, -1)
        return ""

    async def tell(self) -> None:
        """Send listeners what is new, until cancelled."""
        while True:
            self._rung.clear()
            await self.look()
            await pause(self._clock, GATHER_MS)
            await self._clock.wait(self._rung, self._clock.now() + POLL_MS - GATHER_MS)

    async def look(self) -> None:
        if not self._rooms:
            return
        known = {key: room.last for key, room in self._rooms.items()}
        gone: dict[str, list[int]] = {}
        for written in await self._store.chat_news(known):
            room = self._rooms.get(written.room)
            number = None if room is None else room.learn(written)
            if number is not None:
                gone.setdefault(written.room, []).append(number)
        for key, room in list(self._rooms.items()):
            await self._tell(room, gone.get(key, []))

    async def _tell(self, room: ChatRoom, gone: Sequence[int]) -> None:
        texts: dict[Heard, str] = {}
        for count, (listener, before) in enumerate(list(room.listeners.items())):
            heard = _now_heard(listener, before, room.last)
            if heard.n >= room.last and not gone:
                continue
            if count % _AT_ONCE == _AT_ONCE - 1:
                await asyncio.sleep(0)
            if heard not in texts:
                texts[heard] = _news(room.after(heard), gone)
            if listener in room.listeners:
                if not listener.deaf:
                    room.listeners[listener] = heard._replace(n=room.last)
                if texts[heard]:
                    listener.say(texts[heard])
                    listener.pump(self._clock.now())


def _now_heard(listener: Connection, heard: Heard, last: int) -> Heard:
    """The lines that count as heard: all if deaf, none once other parts are withheld."""
    if listener.deaf:
        return Heard(last)
    withheld = listener.withheld
    return heard if withheld == heard.withheld else Heard(0, withheld)


def _news(lines: Sequence[PostedLine], gone: Sequence[int]) -> str:
    return frames.chats(lines, gone) if lines or gone else ""


def refusal(code: str) -> str:
    return frames.error(code, REFUSALS[code])
