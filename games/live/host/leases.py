"""Leases to host a match, and the log store of the live core.

The lease of a table goes to one process, which hosts it. Each new host has a higher epoch, and
every write states its epoch, so a process that has lost the lease, even unknowingly, cannot write.
"""

from collections.abc import Sequence
from enum import Enum
from random import Random
from typing import NamedTuple, Protocol

from games.live.host.presence import TablePresence
from games.live.host.requests import ActionKey, HostState, Ruling, SavedSalts, Step, StoredSeed
from games.records.log import Line
from games.tables.plan import Plan
from games.tables.state import MatchState

LEASE_MS = 5_000
"""How long a lease lasts after its last renewal."""


class LeaseLostError(RuntimeError):
    """Another process hosts the table now. Nothing was written."""


class StoreUnavailableError(RuntimeError):
    """The store cannot be reached. Whether the last write succeeded is unknown."""


class Reach(Enum):
    """How far this process reaches its database."""

    WHOLE = "it can be written to"
    READING = "it can only be read"
    NONE = "it is away"


class Lease(NamedTuple):
    """The right to host a table: its number in the store, its match, and the epoch."""

    table: int
    match: str
    epoch: int


class LogTail(NamedTuple):
    """The end of a stored match. `seq` belongs to the first of `lines`, a deal.

    `before`: the log's digest before that line, empty where it is not known (no header yet, or a
    match that an earlier release began). `fair`: whether deals can be checked (such a match goes on
    as it was).
    """

    match: str
    epoch: int
    plan: Plan
    seq: int
    lines: Sequence[Line]
    totals: tuple[int, ...]
    answered: Sequence[tuple[ActionKey, Ruling]]
    host_state: HostState | None
    state: MatchState | None
    over: bool
    before: bytes = b""
    sealed: StoredSeed | None = None
    fair: bool = True

    @property
    def end(self) -> int:
        """The seq that comes next. 1 before the first deal."""
        return self.seq + len(self.lines)


class LogUpdate(NamedTuple):
    """What is new in a match that another process hosts."""

    match: str
    epoch: int
    seq: int
    lines: Sequence[Line]
    state: MatchState | None
    version: int
    over: bool
    plan: Plan | None = None
    """The seats, while there may be no deal yet."""
    before: bytes = b""
    """The digest of the header, with the first lines."""


class LogStore(Protocol):
    """The log store as a host sees it. Every method may raise StoreUnavailableError."""

    async def append(self, lease: Lease, plan: Plan, seq: int, step: Step) -> None:
        """Commit the next lines and all answers. Repeating it changes nothing.

        Raises LeaseLostError.
        """

    async def save_state(
        self, lease: Lease, host_state: HostState, state: MatchState, over: bool
    ) -> None:
        """Save all but the lines. `over`: it needs no host any more. Raises LeaseLostError."""

    async def rematch(self, lease: Lease, plan: Plan) -> None:
        """Open a table with this plan. Repeating it changes nothing. Raises LeaseLostError."""


class HostExtras:
    """Data that the lines lack: lags and stand-ins of the rounds played, and the rematch.

    It is saved with each shown state. A player who leaves after the end has played to the end.
    """

    def __init__(self, presence: TablePresence) -> None:
        self.next: str | None = None
        """The id of the rematch."""
        self._presence = presence
        self._lags: list[list[int | None]] = []
        self._stand_ins: list[int] | None = None
        self._rematch: Plan | None = None

    def round_over(self) -> None:
        self._lags.append([player.lag for player in self._presence.all])

    def over(self, decided: bool, now: int) -> None:
        """Note, once, for whom a bot finished the match."""
        if self._stand_ins is None:
            self._stand_ins = self._presence.stand_ins(now) if decided else []

    def rematch(self, plan: Plan, randomness: Random) -> Plan:
        """The plan of the next match, without those who have left. Always the same one."""
        if self._rematch is None:
            for seat, player in enumerate(self._presence.all):
                plan = plan.stand_up(seat) if player.left else plan
            self._rematch = plan.turned(f"{randomness.getrandbits(64):016x}")
        return self._rematch

    def saved(self, salts: SavedSalts | None, now: int) -> HostState:
        """Data for the next host, besides the lines."""
        return {
            "players": self._presence.saved(now),
            "lags": self._lags,
            "next": self.next,
            "stand_ins": self._stand_ins,
            "salts": salts,
        }

    def restore(self, saved: HostState, dealt: bool) -> None:
        """Go on with another host's saved state. `dealt`: whether there is a round already."""
        self._presence.restore(saved["players"], dealt)
        self._lags = saved["lags"]
        self._stand_ins = saved.get("stand_ins")
        self.next = saved["next"]
