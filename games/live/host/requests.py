"""What a live match receives and returns: plain values.

A `ConnectionId` is one connection in some process: its answers go there. A line's `seq` is its
position in the log, where the header is 0.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, NotRequired, TypedDict

from games.engine.actions import Action
from games.engine.dealing import commitment
from games.records.log import Header, Line
from games.tables.plan import Plan


class ConnectionId(NamedTuple):
    """A connection: its process, and its number there."""

    process: str
    number: int


class ActionRequest(NamedTuple):
    """A seat's requested action. `id` is the client's own. A retry has the same one.

    `floor`: the seq below which this client has certainly been shown everything.
    """

    connection: ConnectionId
    id: str
    round: int
    action: Action
    floor: int = 0

    @property
    def seat(self) -> int:
        return self.action.seat


class PresenceReport(NamedTuple):
    """The people connected to one process.

    `lags`: the seats of its players, each with its lag in ms, None if unknown. `names`: of the
    spectators who show theirs. `number` increases, since a report sent through the store may arrive
    after a later one sent directly.
    """

    process: str
    lags: Mapping[int, int | None]
    watching: int
    names: Sequence[str] = ()
    number: int = 0


class PlayerState(TypedDict):
    """One seat's data for the next host."""

    ready: bool
    left: bool
    votes: list[str]
    person: NotRequired[str]  # an earlier release saved none of these
    idle: NotRequired[bool]
    quiet_ms: NotRequired[int]


class SavedSalts(TypedDict):
    """Each seat's salt for the deal from the seed with that commitment, in hexadecimal."""

    commit: str
    salts: list[str]


class HostState(TypedDict):
    """The data for the next host besides the lines. `lags`: for each round, each seat's in ms."""

    players: list[PlayerState]
    lags: list[list[int | None]]
    next: str | None
    stand_ins: NotRequired[list[int] | None]
    """The seats of people for whom a bot finished the match. None: it is not over."""
    salts: NotRequired[SavedSalts | None]
    """For the next deal, if there is a commitment. An earlier release saved none."""


class ActionKey(NamedTuple):
    """The client action that a line answers."""

    seat: int
    id: str


class LogEntry(NamedTuple):
    """A line to be committed, and the client actions that it answers."""

    line: Line
    actions: tuple[ActionKey, ...] = ()


class Refused(NamedTuple):
    """Why an action was rejected: the rule's name, an explanation, ms left to wait (0: none).

    `t`: when it arrived, on the round's clock.
    """

    rule: str
    message: str
    wait_ms: int = 0
    t: int | None = None


Ruling = int | Refused
"""The outcome of an action: the seq of the line that it became, or why it was refused."""


class Answer(NamedTuple):
    """The outcome of an action, and who asked."""

    connections: tuple[ConnectionId, ...]
    id: str
    result: Ruling


class Seed(bytes):
    """The source of the next deal, 32 bytes. Its repr hides it, against accidents."""

    def __repr__(self) -> str:
        return "<seed>"

    __str__ = __repr__

    @property
    def commit(self) -> str:
        """Its public commitment, before the deal."""
        return commitment(self)


class NextSeed(NamedTuple):
    """The seed of a round that is not dealt yet. None: the last one is thrown away."""

    round: int
    seed: Seed | None


class StoredSeed(NamedTuple):
    """The stored seed of a round that is not dealt yet. None: it was thrown away.

    `plan`: the seats when it was drawn. `revealed`: the last seed that was thrown away.
    """

    round: int
    seed: Seed | None
    plan: Plan | None
    revealed: Seed | None = None


class Step(NamedTuple):
    """The changes to commit in one transaction, and the answers to send afterwards."""

    entries: tuple[LogEntry, ...] = ()
    results: tuple[tuple[ActionKey, Ruling], ...] = ()
    sealed: NextSeed | None = None
    """A seed to store before its commitment is shown, or to forget before it is shown."""
    header: Header | None = None
    """The log's first line, with the first entries."""

    def __bool__(self) -> bool:
        return bool(self.entries or self.results or self.sealed)

    @property
    def written(self) -> bool:
        return bool(self.entries or self.refusals or self.sealed)

    @property
    def refusals(self) -> tuple[tuple[ActionKey, Refused], ...]:
        """The results that are no lines. The others are in the entries."""
        return tuple((key, ruling) for key, ruling in self.results if isinstance(ruling, Refused))
