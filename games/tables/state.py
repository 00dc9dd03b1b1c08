"""What viewers get of a table besides its lines (`state` in docs/reference/protocol.md)."""

from typing import Final, TypedDict

SEATING: Final = "seating"
COUNTDOWN: Final = "countdown"
ROUND: Final = "round"
PAUSE: Final = "pause"
SCOREBOARD: Final = "scoreboard"
FINISHED: Final = "finished"
ABANDONED: Final = "abandoned"
OVER: Final = (FINISHED, ABANDONED)


class SeatState(TypedDict):
    """One seat. `bot`: whether a bot is playing it now. `votes`: `abandon` and `rematch`.
    `away_ms`: for an absent player, the time until a bot takes over. `salted`: whether its salt for
    the next deal has arrived.
    """

    name: str | None
    kind: str | None
    here: bool
    ready: bool
    bot: bool
    away_ms: int | None
    votes: list[str]
    lag_ms: int | None
    says: str | None
    salted: bool


class RevealedSeed(TypedDict):
    """A seed that was committed to and thrown away, in hexadecimal."""

    commit: str
    seed: str


class MatchState(TypedDict):
    """A whole table. `wait_ms`: until the phase ends by itself, 0 if it does not. `watching`: the
    number of spectators. `watchers`: their names, if they show them. `next`: the rematch's id.
    `commit`: the commitment of the next deal's seed, once it has been drawn. `revealed`: the last
    seed that was thrown away.
    """

    phase: str
    round: int
    wait_ms: int
    seats: list[SeatState]
    totals: list[int]
    watching: int
    watchers: list[str]
    next: str | None
    commit: str | None
    revealed: RevealedSeed | None
