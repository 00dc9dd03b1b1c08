"""What the player of a ghost race gets besides the lines: a table's `state` and the race's."""

from typing import Any, Final, TypedDict

from games.tables.state import MatchState, SeatState

GHOST: Final = "ghost"
"""The kind of a seat that repeats the record. Once a bot has taken over, it is `bot`."""


class TakenSeat(TypedDict):
    """A seat that a bot has taken over: when, in ms of the round, and by which rule."""

    seat: int
    t: int
    rule: str


class MovementTimes(TypedDict):
    """A movement of the seat: when it happened, and when the player did it, in ms of the round."""

    do: str
    card: str
    happened: int | None
    instead: int | None


class RacedStack(TypedDict):
    """A stack that another seat took in the record and the player took now, or came late for.

    `other`: its taker, in the record or before the player. `ms`: how much sooner the player was
    than that, or how much later if they did not win it.
    """

    won: bool
    other: int
    ms: int
    cards: int


class GhostRaceOutcome(TypedDict):
    """The outcome of a race. `why`: why the round ended, `left` or `time`. `acted`: whether the
    player did anything. `key`: the variation that it is kept as. `lines`: that variation and its
    continuations as a record has them, if it could not be kept. `trouble`: why not. `score` and
    `original`: the seat's points of the round when the race ended, the player's and the recorded
    ones.
    """

    why: str
    t: int
    acted: bool
    times: list[MovementTimes]
    stacks: list[RacedStack]
    score: int
    original: int
    key: str | None
    lines: list[dict[str, Any]]
    trouble: str


class GhostRaceInfo(TypedDict):
    """`slow`: how many times slower than the record the clock runs."""

    slow: int
    since: int
    taken: list[TakenSeat]
    outcome: GhostRaceOutcome | None


class GhostRaceState(MatchState):
    """A table's state, and the race's."""

    race: GhostRaceInfo


def seat_state(name: str, kind: str, *, ready: bool) -> SeatState:
    """One seat of a race: no one is ever away."""
    return {
        "name": name,
        "kind": kind,
        "here": True,
        "ready": ready,
        "bot": kind == "bot",
        "away_ms": None,
        "votes": [],
        "lag_ms": None,
        "says": None,
        "salted": False,
    }
