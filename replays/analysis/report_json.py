"""The parts of the reports, as JSON values. The API's description is made from these.

Times are ms in the round. `seq` is that of a line. `delta` is an estimated change of a win
probability.
"""

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from replays.analysis.sentences import Text


class At(TypedDict):
    """Where something happened."""

    seq: int
    round: int
    t: int


class CurvePoint(At):
    """The win probability of each seat, at the end of what happened."""

    p: list[float]


class MatchMoment(At):
    """A moment that mattered. `delta` is that of the first of `seats`, `points` the same in whole
    points, as its text says it."""

    kind: str
    seats: list[int]
    delta: float
    points: int
    text: Text


class JudgementJson(At):
    """A judged try, and the figures that its verdict is based on."""

    seat: int
    verdict: str
    figures: dict[str, float]
    text: Text


class PlayerCells(TypedDict):
    """A player's row (`player_table`), null where unknown. During the match, with few columns."""

    seat: int
    takes: float | None
    cards_a_take: float | None
    late: float | None
    ties: float | None
    misses: float | None
    points: NotRequired[float | None]
    plays_a_minute: NotRequired[float | None]
    missed_takes: NotRequired[float | None]
    missed_moments: NotRequired[float | None]
    reaction_ms: NotRequired[float | None]
    unplayed_share: NotRequired[float | None]


class AttemptJson(TypedDict):
    """One try in a race (`RaceTry`)."""

    seat: int
    card: str
    number: int | None
    t: int
    hand_t: int | None
    seen: int | None
    margin_ms: int
    top: int


class RaceSentences(TypedDict):
    """A race in sentences: the first seat and its margin, each screen's view of the slot at the
    movement, the stake, the first seat without anyone's lag, how little would have changed it."""

    result: Text
    screens: Text
    decided: Text
    equal_lines: Text
    flip: Text


class RaceJson(At):
    """A race for one slot (`RaceCard`). `delta`: the effect of the winner's play on the winner."""

    slot: int
    kind: Literal["late", "tie"]
    attempts: list[AttemptJson]
    late_to: AttemptJson | None
    winner: int | None
    play_seq: int | None
    cards: int
    takes: int | None
    equal_lines: int | str | None
    flip_ms: int | None
    delta: float | None
    words: RaceSentences
    shown: tuple[int, int, int] | None


_Window = TypedDict("_Window", {"from": int, "shown": int, "to": int})


class MissedTakeJson(_Window):
    """A missed take: when it was open, shown to its player, and when that player was busy or free.
    `moment`: those of a round with one number were one moment. `points`: `delta` in whole points,
    as texts say it.
    """

    seq: int
    round: int
    moment: int
    seat: int
    card: str
    slot: int
    cards: int
    taker: int | None
    busy: list[tuple[int, int]]
    free: list[tuple[int, int]]
    free_ms: int
    cause: str
    delta: float
    points: int


class ScreenJson(TypedDict):
    """When each event of the round reached a seat's screen (`Arrivals`)."""

    low: list[int]
    likely: list[int]
    high: list[int]


class RoundScreens(TypedDict):
    """For each seat, when a round's events reached its screen. null: unknown."""

    round: int
    screens: list[ScreenJson | None]
