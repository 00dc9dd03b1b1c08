"""Habits: how soon a seat does what its hand could do, and what of a player's is worth telling.

A habit is a rate: how often something was tried, over the time for which it could have been, with
the hand free and the chance on the screen. So it hardly depends on how quick the others are: what
they take away only shortens the time.

It is told if it predicts: each match of a player is predicted from their other matches and, in
comparison, from the average player's rate, by the log loss of when they play. The gain has to be
clear over the matches, all habits tried together (Holm).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile
from math import log, sqrt
from operator import itemgetter
from statistics import fmean, stdev
from typing import Final, NamedTuple

from games.engine.cards import FACE, OWNER, WILD, Card
from games.engine.events import Late, Play, Tie
from replays.analysis.careers.intervals import FEWEST, tail
from replays.analysis.chances import chances
from replays.analysis.round_chances import covered
from replays.analysis.winning.position import FIVE
from replays.timeline import Round, Timeline

TAKES, FOURS, PLAYS, WILDS = "takes", "fours", "plays", "wilds"
WORDS: Final[Mapping[str, tuple[str, str]]] = {
    TAKES: ("takes after {}", "takes after {}"),
    WILDS: ("holds wilds for {}", "holds wilds for {}"),
    FOURS: ("plays 4s after {}: feeds others", "keeps 4s for {}: starves others"),
    PLAYS: ("plays what fits after {}", "plays what fits after {}"),
}
"""What is said of a short and of a long time, in the order in which it is told."""
_OF_FACE: Final = {FIVE: TAKES, FIVE - 1: FOURS, WILD: WILDS}
FALSE: Final = 0.05
IMAGINED: Final = 5
"""So many tries at the average rate are added to a player's own."""
NOTICEABLE: Final = 0.1
"""The least difference of a rate, as a logarithm."""


class Habit(NamedTuple):
    """How often a seat tried something in a match, and for how many ms it could have."""

    times: int
    ms: int


Habits = Mapping[str, Habit]


class Told(NamedTuple):
    """A habit that predicts its player."""

    kind: str
    own_ms: float
    """How long it takes them on average."""
    usual_ms: float
    gain: float
    """By how much less the log loss of a held-out match is than by the average player's rate."""

    @property
    def words(self) -> str:
        return WORDS[self.kind][self.own_ms > self.usual_ms].format(lasting(self.own_ms))

    @property
    def evidence(self) -> str:
        """What it is compared with."""
        return f"usual: {lasting(self.usual_ms)}"


def lasting(ms: float) -> str:
    """A time as words: `640 ms`, `1.8 s`, `12 s`."""
    if ms < 995:
        return f"{round(ms, -1):.0f} ms"
    return f"{ms / 1000:.1f} s" if ms < 9950 else f"{ms / 1000:.0f} s"


def habits(timeline: Timeline, lags: Sequence[float | None]) -> list[dict[str, Habit]]:
    """The habits of each seat in a match; `lags`: in ms."""
    seats = range(len(timeline.names))
    times, ms = ([dict.fromkeys(WORDS, 0) for _ in seats] for _ in range(2))
    for played in timeline.rounds:
        for seat, card in _tried(played):
            times[seat][_OF_FACE.get(FACE[card], PLAYS)] += 1
        _read_chances(played, lags, ms)
        _read_wilds(played, ms)
    return [{kind: Habit(times[seat][kind], ms[seat][kind]) for kind in WORDS} for seat in seats]


def _tried(played: Round) -> list[tuple[int, Card]]:
    """Who tried which card; late and tied tries were tries too."""
    tries = [(event.seat, event.card) for event in played.events if isinstance(event, Play | Late)]
    ties = (event.cards for event in played.events if isinstance(event, Tie))
    return [*tries, *((OWNER[card], card) for cards in ties for card in cards)]


def _read_chances(
    played: Round, lags: Sequence[float | None], ms: Sequence[dict[str, int]]
) -> None:
    """For how long each seat's hand was free for what it could play, wilds apart."""
    spans: list[dict[str, list[tuple[int, int]]]] = [{kind: [] for kind in WORDS} for _ in ms]
    for chance in chances(played, lags):
        spans[chance.window.seat][_OF_FACE.get(FACE[chance.window.card], PLAYS)] += chance.free
    for mine, by_kind in zip(ms, spans, strict=True):
        for kind in (TAKES, FOURS, PLAYS):
            mine[kind] += covered(by_kind[kind])


def _read_wilds(played: Round, ms: Sequence[dict[str, int]]) -> None:
    """For how long wilds lay in each hand, each of them counted."""
    held, before = list(map(_wilds, played.table().hands)), 0
    for event, table in played.tables():
        for mine, wilds in zip(ms, held, strict=True):
            mine[WILDS] += wilds * (event.t - before)
        held, before = list(map(_wilds, table.hands)), event.t


def _wilds(hand: Sequence[Card]) -> int:
    return sum(FACE[card] == WILD for card in hand)


def summed(seats: Sequence[Habits]) -> Habits:
    """The sums of seats' habits."""
    return {
        kind: Habit(sum(seat[kind].times for seat in seats), sum(seat[kind].ms for seat in seats))
        for kind in WORDS
    }


def told(own: Sequence[Habits], usual: Habits) -> list[Told]:
    """The habits of a player that predict; `own`: of each match, `usual`: everybody else's sums."""
    if len(own) < FEWEST:
        return []
    gains = (_gain(kind, [match[kind] for match in own], usual[kind]) for kind in WORDS)
    gained = [gain for gain in gains if gain]
    ranked = enumerate(sorted(gained, key=itemgetter(0)))
    clear = takewhile(lambda pair: pair[1][0] <= FALSE / (len(WORDS) - pair[0]), ranked)
    passed = {habit.kind for _, (_, habit) in clear}
    return [habit for _, habit in gained if habit.kind in passed]


def _gain(kind: str, own: Sequence[Habit], usual: Habit) -> tuple[float, Told] | None:
    """How doubtful it is that a habit predicts, and what there is to tell of it."""
    times, ms = sum(habit.times for habit in own), sum(habit.ms for habit in own)
    if not (times and ms and usual.times and usual.ms):
        return None
    average, gains = usual.times / usual.ms, []
    for habit in own:
        rate = _rate(times - habit.times, ms - habit.ms, average)
        gains.append(habit.times * log(rate / average) - (rate - average) * habit.ms)
    rate, spread = _rate(times, ms, average), stdev(gains)
    if abs(log(rate / average)) < NOTICEABLE or not spread:
        return None
    doubt = tail(fmean(gains) / (spread / sqrt(len(own))), len(own) - 1)
    return doubt, Told(kind, 1 / rate, 1 / average, fmean(gains))


def _rate(times: int, ms: int, average: float) -> float:
    """A rate, with imaginary tries at the average one."""
    return (times + IMAGINED) / (ms + IMAGINED / average)
