"""What reaches a live match, and what it gives back: plain values.

An `ConnectionId` is one connection somewhere: its answers go back there. A line's `seq` is its
place in the log, the header being 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, TypedDict

from games.engine.actions import Action
from games.records.log import Line


class ConnectionId(NamedTuple):
    """A connection: the process that holds it, and its number there."""

    process: str
    number: int


class Hello(NamedTuple):
    """The first frame: what the client has already, and which view it asks for."""

    version: int
    epoch: int | None = None
    seq: int | None = None
    open: bool = False
    key: str = ""
    named: bool = False
    """Whether others may see the name of who watches."""
    chat: bool = False
    """Whether the spectator wants the chat."""


class ActionRequest(NamedTuple):
    """An action asked for. `id` is the client's own; a retry brings the same one.

    `floor`: the seq below which this client has certainly been shown everything.
    """

    connection: ConnectionId
    seat: int
    id: str
    round: int
    action: Action
    floor: int = 0


class Ready(NamedTuple):
    """The player is ready for the next round, or not any more."""

    ready: bool


class Vote(NamedTuple):
    """The player wants, or no longer wants, the match abandoned or played again."""

    subject: str
    yes: bool


class Leave(NamedTuple):
    """The player leaves the seat to a bot."""


class Say(NamedTuple):
    """The player says one of `PHRASES`."""

    phrase: str


Command = Ready | Vote | Leave | Say
PHRASES: Final = ("good-luck", "well-played", "ouch", "one-moment", "again")


class PresenceReport(NamedTuple):
    """Who is connected to one process.

    `lags`: the players' seats, each with its lag in ms, None while unknown; `names`: of those
    spectators who let theirs be shown; `number` rises, since a request may come after what was
    told later and at once.
    """

    process: str
    lags: Mapping[int, int | None]
    watching: int
    names: Sequence[str] = ()
    number: int = 0


class PlayerState(TypedDict):
    """What outlives the host of one seat."""

    ready: bool
    left: bool
    votes: list[str]


class HostState(TypedDict):
    """What outlives the host besides the lines; `lags`: of each round, each seat's in ms."""

    players: list[PlayerState]
    lags: list[list[int | None]]
    next: str | None


class ActionKey(NamedTuple):
    """Which client action a line answers."""

    seat: int
    id: str


class Entry(NamedTuple):
    """A line to be committed, and the client actions that it answers."""

    line: Line
    actions: tuple[ActionKey, ...] = ()


class Refused(NamedTuple):
    """Why an action came to nothing: the rule's name, words, and ms still to wait (0: none)."""

    rule: str
    message: str
    wait_ms: int = 0


class Answer(NamedTuple):
    """What became of an action: the line that answers it, or a refusal; and who wants to know."""

    connections: tuple[ConnectionId, ...]
    id: str
    result: int | Refused


class Step(NamedTuple):
    """What has to be committed, in one transaction, and what may be answered once it is."""

    entries: tuple[Entry, ...] = ()
    results: tuple[tuple[ActionKey, int | Refused], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.entries or self.results)
