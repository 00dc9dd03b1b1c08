"""A store in memory for several hubs, and clients that note what they receive."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from typing import Any

from games.live.fanout.doorbell import Doorbell
from games.live.host.leases import StoreUnavailableError
from games.people.visitor import Visitor
from replays.reviews.frames import Who
from replays.reviews.gathering import Admission, Attendance, Entrant, OpenedReview, ReviewFollower
from replays.reviews.hub import SPACING_MS, ReviewHub
from replays.reviews.room import LeaderPlace, Move, ReviewPosition, State
from replays.reviews.state_json import from_json, to_json
from replays.reviews.store_protocol import Attended, ReviewNews, ShownNote
from tests.clocks import ManualClock

NAMES = {1: Who("Ada", 1), 2: Who("Bo"), 3: Who("Cy", 3), 4: Who("Di")}
PK = 7
SUBJECTS = frozenset(("match:1",))
ANSWERS = "answers:1"


def moved(event: int, id: str = "", **fields: Any) -> Move:  # noqa: A002 - the field's name
    """A leader's move to an event of the first round."""
    return Move(LeaderPlace(ReviewPosition(1, event), id=id or f"m{event}", **fields))


class Shared:
    """One review as a database keeps it; several `Desk`s reach it."""

    def __init__(self) -> None:
        self.version = 0
        self.state: Mapping[str, Any] = {}
        self.here: dict[str, Attendance] = {}
        self.notes: dict[str, ShownNote] = {}
        self.rights: Admission | None = Admission(True)

    def read(self) -> State:
        """What is committed."""
        return from_json(self.version, json.loads(json.dumps(self.state)))


class Desk:
    """A process's way to the shared review; it fails while `away`, after or before its work."""

    def __init__(self, shared: Shared, process: str) -> None:
        self.shared = shared
        self.process = process
        self.away = False
        self.loses_answers = False
        self.commits = 0
        self.tries = 0

    def _reach(self) -> None:
        if self.away:
            raise StoreUnavailableError("away")

    async def save(self, review: int, base: int, state: State) -> bool:
        assert review == PK
        self._reach()
        await asyncio.sleep(0)
        self.tries += 1
        if self.shared.version != base:
            return False
        self.shared.version, self.shared.state = state.version, to_json(state)
        self.commits += 1
        if self.loses_answers:
            self.loses_answers = False
            raise StoreUnavailableError("no answer")
        return True

    async def news(self, known: Mapping[int, int]) -> list[ReviewNews]:
        self._reach()
        if known.get(PK, 1 << 30) >= self.shared.version:
            return []
        return [ReviewNews(PK, self.shared.read(), NAMES)]

    async def attend(self, here: Mapping[int, Attendance]) -> Attended:
        self._reach()
        self.shared.here[self.process] = here.get(PK, Attendance())
        elsewhere = Attendance()
        for process, there in self.shared.here.items():
            if process != self.process:
                elsewhere = elsewhere.joined(there)
        return Attended({PK: elsewhere}, {PK: NAMES})

    async def admissions(self, key: str, visitors: Sequence[Visitor]) -> list[Admission | None]:
        self._reach()
        return [self.shared.rights for _ in visitors]

    async def note(self, review: int, key: str) -> ShownNote | None:
        self._reach()
        return self.shared.notes.get(key)

    async def end_forgotten(self) -> None:
        self._reach()


class Client:
    """A member's connection, and every frame that it was sent."""

    def __init__(self, hub: ReviewHub, shared: Shared, number: int) -> None:
        self.frames: list[dict[str, Any]] = []
        self.codes: list[int] = []
        self.number = number
        self.reads = True
        opened = OpenedReview(PK, "room", shared.read(), NAMES, SUBJECTS, ANSWERS)
        self.hub = hub
        self.member: ReviewFollower = hub.follow(opened, Entrant(number), self._send)

    async def _send(self, message: dict[str, Any]) -> None:
        if message["type"] == "websocket.close":
            self.codes.append(message["code"])
            return
        frame = json.loads(message["text"])
        self.frames.append(frame)
        if frame["type"] == "review" and self.reads:
            self.member_got(frame["seq"])

    def member_got(self, seq: int) -> None:
        """Acknowledge."""
        if hasattr(self, "member"):
            self.member.got(seq)

    def ask(self, wanted: Any) -> bool:
        return self.hub.ask(self.member, wanted)

    def leave(self) -> None:
        self.hub.unfollow(self.member)

    def told(self, part: str) -> Any:
        """The latest of a part."""
        parts = [frame[part] for frame in self.frames if part in frame]
        return parts[-1] if parts else None

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [frame for frame in self.frames if frame["type"] == kind]


def hub_of(shared: Shared, clock: ManualClock, process: str = "a") -> tuple[ReviewHub, Desk]:
    """A process's hub, driven by hand."""
    desk = Desk(shared, process)
    return ReviewHub(desk, clock, clock.now, Doorbell()), desk


class World:
    """Two processes over one store, and one clock."""

    def __init__(self) -> None:
        self.clock = ManualClock()
        self.shared = Shared()
        self.hubs: list[ReviewHub] = []
        self.desks: list[Desk] = []
        for name in "ab":
            hub, desk = hub_of(self.shared, self.clock, name)
            self.hubs.append(hub)
            self.desks.append(desk)

    def come(self, number: int, process: int = 0) -> Client:
        return Client(self.hubs[process], self.shared, number)

    async def settle(self) -> None:
        """Let everything run until nothing is left to do; time passes where somebody waits."""
        for _ in range(12):
            await rest()
            self.clock.advance(SPACING_MS)
        for hub in self.hubs:
            await hub.look()
        await rest()

    async def seconds(self, count: int) -> None:
        """Let seconds pass, as each process's ticks do."""
        for _ in range(count):
            self.clock.advance(1_000)
            for hub in self.hubs:
                await hub.attend()
            await rest()
        await self.settle()


async def rest() -> None:
    """Let every task run as far as it can."""
    for _ in range(10):
        await asyncio.sleep(0)
