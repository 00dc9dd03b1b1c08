"""Who may host a match, and what the live core needs from the log store.

The holder of a table's lease hosts it. Each new holder has a higher epoch, and every write
states its epoch, so a process that has lost the lease, even unknowingly, cannot write.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple, Protocol

from games.live.host.requests import ActionKey, HostState, Ruling, Step, StoredSeed
from games.records.log import Line
from games.tables.plan import Plan
from games.tables.state import MatchState

LEASE_MS = 5_000
"""How long a lease lasts after its last renewal."""


class LeaseLostError(RuntimeError):
    """Another process hosts the table now; nothing was written."""


class StoreUnavailableError(RuntimeError):
    """The store cannot be reached; whether the last write succeeded is unknown."""


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
    match that an earlier release began); `fair`: whether deals can be checked (such a match goes
    on as it was).
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
        """The seq that comes next; 1 before the first deal."""
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
    """Who sits where, while there may be no deal yet."""
    before: bytes = b""
    """The digest of the header, with the first lines."""


class LogStore(Protocol):
    """The log store as a host sees it. Every method may raise StoreUnavailableError."""

    async def append(self, lease: Lease, plan: Plan, seq: int, step: Step) -> None:
        """Commit the next lines and all answers; repeating it changes nothing.

        Raises LeaseLostError.
        """

    async def save_state(
        self, lease: Lease, host_state: HostState, state: MatchState, over: bool
    ) -> None:
        """Save all but the lines; `over`: it needs no host any more. Raises LeaseLostError."""

    async def rematch(self, lease: Lease, plan: Plan) -> None:
        """Open a table with this plan; repeating it changes nothing. Raises LeaseLostError."""
