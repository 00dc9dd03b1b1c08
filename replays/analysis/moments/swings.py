"""Swings: what single plays, takes, ties and OUTs changed, and what the log shows about each.

A swing is the difference between two adjacent points of the detailed series, between which
nothing else happened. Its facts come from the log alone: whose card lay below the one played,
who else could have taken, who was late.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from games.engine.cards import Card
from games.engine.events import Event, Late, Play
from replays.analysis.chances import Chance, chances
from replays.analysis.lag import lags
from replays.analysis.windows import CLOSED
from replays.analysis.winning.series import END, PLAY, TAKE, TIE, Point, Probabilities
from replays.timeline import Round, Timeline


class Fed(NamedTuple):
    """The card below: its seq, its player, and how long it had lain there, in ms."""

    seq: int
    seat: int
    card: Card
    ms: int


class Beaten(NamedTuple):
    """A late try: its seq, its seat, and by how many ms."""

    seq: int
    seat: int
    margin_ms: int


class Facts(NamedTuple):
    """What the log shows about one play or take."""

    play: Play
    fed: Fed | None
    rivals: tuple[Chance, ...]
    """The windows, closed by this play, in which other seats could have taken the stack."""
    beaten: tuple[Beaten, ...]


class Swing(NamedTuple):
    """What one event changed."""

    seq: int
    round: int
    t: int
    cause: str
    seats: tuple[int, ...]
    before: Probabilities
    after: Probabilities
    facts: Facts | None
    """For a play or take; None for ties and OUTs."""

    def change(self, seat: int) -> float:
        """The change in a seat's win probability."""
        return self.after[seat] - self.before[seat]


_LISTED: Final = frozenset((PLAY, TAKE, TIE))


def swings(timeline: Timeline, points: Sequence[Point]) -> list[Swing]:
    """The swings of a detailed series, in order; an OUT only if a player chose to say it."""
    facts: dict[int, Facts] = {}
    shown = lags(timeline)
    for played in timeline.rounds:
        facts |= _facts(played, shown)
    shouted = timeline.header.rules.out == "shout"
    return [
        Swing(
            point.seq,
            point.round,
            point.t,
            point.cause,
            point.seats,
            last.p,
            point.p,
            facts.get(point.seq),
        )
        for last, point in pairwise(points)
        if point.cause in _LISTED or (point.cause == END and point.seats and shouted)
    ]


def _facts(played: Round, shown: Sequence[float | None]) -> dict[int, Facts]:
    """The facts of each play of a round, by its seq."""
    rivals: dict[Card, list[Chance]] = defaultdict(list)
    for chance in chances(played, shown):
        window = chance.window
        if window.play is None:
            continue
        if window.end == CLOSED and window.takes and window.seat != window.play.seat:
            rivals[window.play.card].append(chance)
    below, beaten = _neighbours(played.events, played.seqs)
    return {
        seq: Facts(
            event,
            below.get(event.card),
            tuple(rivals[event.card]),
            tuple(beaten[event.card]),
        )
        for event, seq in zip(played.events, played.seqs, strict=True)
        if isinstance(event, Play)
    }


def _neighbours(
    events: Sequence[Event], seqs: Sequence[int]
) -> tuple[dict[Card, Fed], dict[Card, list[Beaten]]]:
    """For each card played: what lay below it, and the tries that came too late for it."""
    last: dict[int, tuple[int, Play]] = {}
    below: dict[Card, Fed] = {}
    beaten: dict[Card, list[Beaten]] = defaultdict(list)
    for event, seq in zip(events, seqs, strict=True):
        if isinstance(event, Play):
            if event.stack in last and last[event.stack][1].takes is None:
                under, lain = last[event.stack]
                below[event.card] = Fed(under, lain.seat, lain.card, event.t - lain.t)
            last[event.stack] = seq, event
        elif isinstance(event, Late):
            first = last[event.stack][1]
            beaten[first.card].append(Beaten(seq, event.seat, event.t - first.t))
    return below, beaten
