"""What viewers are told of a table besides its lines (`state` in docs/protocol.md)."""

from __future__ import annotations

from typing import Final, TypedDict

SEATING: Final = "seating"
COUNTDOWN: Final = "countdown"
ROUND: Final = "round"
PAUSE: Final = "pause"
SCOREBOARD: Final = "scoreboard"
FINISHED: Final = "finished"
ABANDONED: Final = "abandoned"
PHASES: Final = (SEATING, COUNTDOWN, ROUND, PAUSE, SCOREBOARD, FINISHED, ABANDONED)
OVER: Final = (FINISHED, ABANDONED)


class SeatState(TypedDict):
    """One seat. `bot`: a bot plays it at this moment; `votes`: of `abandon` and `rematch`;
    `away_ms`: of a player who is not here, until a bot plays on."""

    name: str | None
    kind: str | None
    here: bool
    ready: bool
    bot: bool
    away_ms: int | None
    votes: list[str]
    lag_ms: int | None
    says: str | None


class MatchState(TypedDict):
    """A whole table. `wait_ms`: until the phase ends by itself, 0 where it does not;
    `watching`: how many spectators; `watchers`: their names, as far as shown; `next`: the
    rematch's id."""

    phase: str
    round: int
    wait_ms: int
    seats: list[SeatState]
    totals: list[int]
    watching: int
    watchers: list[str]
    next: str | None
