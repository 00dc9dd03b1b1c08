"""Swings: what single plays, takes, ties and OUTs changed, and what the log shows about each.

A swing is the difference between two adjacent points of the detailed series, between which
nothing else happened. Its facts come from the log alone: whose card lay below the one played,
who else could have taken, who was late.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import Final, NamedTuple

from games.engine.cards import FACE, Card
from games.engine.events import Event, Late, Play, Tie
from games.engine.fitting import takes
from replays.analysis.chances import Chance, chances
from replays.analysis.lag import lags
from replays.analysis.missed_takes import is_missed_take
from replays.analysis.reaction_ms import reaction_ms
from replays.analysis.winning.position import FIVE
from replays.analysis.winning.series import END, PLAY, TAKE, TIE, Point, Probabilities
from replays.analysis.winning.stakes import Stakes
from replays.timeline import Round, Timeline


class Fed(NamedTuple):
    """The card below: its seq, its player, and how long it had lain there, in ms."""

    seq: int
    seat: int
    card: Card
    ms: int


class Ready(NamedTuple):
    """Somebody who left a take to another player: the window in which it could have been made.

    The card was in hand and the hand free for longer than this player usually needs, `usual_ms`.
    """

    chance: Chance
    usual_ms: float


class Beaten(NamedTuple):
    """A late try of a card that would have taken the stack: its seq, its seat, by how many ms."""

    seq: int
    seat: int
    margin_ms: int


class Facts(NamedTuple):
    """What the log shows about one play or take."""

    play: Play
    below: Fed | None
    ready: tuple[Ready, ...]
    """Of each other seat that left this take at most one, the longest."""
    beaten: tuple[Beaten, ...]

    @property
    def fed(self) -> Fed | None:
        """The card of another player that let this 5 take; a wild needs no card in particular."""
        fed = self.below
        return fed if fed and fed.seat != self.play.seat and FACE[self.play.card] == FIVE else None


class Stake(NamedTuple):
    """What a tie was about, where each of its cards alone would have taken the stack."""

    cards: int
    """How many that would have brought, the card itself included."""
    spread_ms: int
    """The last try's ms after the first."""
    taker: int | None = None
    """Who took the stack afterwards; None if nobody did."""
    after_ms: int = 0
    """How long afterwards."""
    instead: tuple[float, ...] = ()
    """The win probability that each tied seat would have if it alone had taken them."""


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
    stake: Stake | None = None
    """For a tie of cards that would all have taken."""

    def change(self, seat: int) -> float:
        """The change in a seat's win probability."""
        return self.after[seat] - self.before[seat]

    @property
    def lost(self) -> tuple[float, int]:
        """Of a tie with a stake: how much win probability the take would have been worth to the
        seat for which it was worth most, and that seat."""
        assert self.stake is not None
        pairs = zip(self.stake.instead, self.seats, strict=True)
        return max((instead - self.after[seat], seat) for instead, seat in pairs)


_ANY_TOP: Final = 1
_LISTED: Final = frozenset((PLAY, TAKE, TIE))


def swings(
    timeline: Timeline,
    points: Sequence[Point],
    found: Sequence[Sequence[Chance]] | None = None,
) -> list[Swing]:
    """The swings of a detailed series, in order; an OUT only if a player chose to say it.

    `found`: of each round the chances that were played or missed takes, or more, if known.
    """
    facts: dict[int, Facts] = {}
    stakes: dict[int, Stake] = {}
    if found is None:
        shown = lags(timeline)
        found = [chances(played, shown) for played in timeline.rounds]
    usual = _usual_ms(found, len(timeline.names))
    for played, of_round in zip(timeline.rounds, found, strict=True):
        facts |= _facts(played, of_round, usual)
        stakes |= _stakes(played)
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
            _staked(stakes.get(point.seq), point),
        )
        for last, point in pairwise(points)
        if point.cause in _LISTED or (point.cause == END and point.seats and shouted)
    ]


def _staked(stake: Stake | None, point: Point) -> Stake | None:
    return stake._replace(instead=point.instead) if stake else None


def _usual_ms(found: Sequence[Sequence[Chance]], seats: int) -> list[float | None]:
    """For each seat, its median reaction in the match; None without any."""
    windows = [chance.window for of_round in found for chance in of_round]
    return [median(times) if times else None for times in reaction_ms(windows, seats)]


def _facts(
    played: Round, found: Sequence[Chance], usual: Sequence[float | None]
) -> dict[int, Facts]:
    """The facts of each play of a round, by its seq."""
    ready = _ready(found, usual)
    below, beaten = _neighbours(played.events, played.seqs)
    return {
        seq: Facts(
            event,
            below.get(event.card),
            tuple(ready[event.card].values()),
            tuple(beaten[event.card]),
        )
        for event, seq in zip(played.events, played.seqs, strict=True)
        if isinstance(event, Play)
    }


def _ready(found: Sequence[Chance], usual: Sequence[float | None]) -> dict[Card, dict[int, Ready]]:
    """For each card that closed such windows, the longest one of each seat."""
    ready: dict[Card, dict[int, Ready]] = defaultdict(dict)
    for chance in found:
        window, needed = chance.window, usual[chance.window.seat]
        if window.play is None or not is_missed_take(window) or needed is None:
            continue
        of_card = ready[window.play.card]
        known = of_card.get(window.seat)
        longest = known.chance.free_ms if known else needed
        if chance.free_ms > longest:
            of_card[window.seat] = Ready(chance, needed)
    return ready


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
        elif isinstance(event, Late) and takes(_ANY_TOP, FACE.get(event.card, 0), event.number):
            # A card that the log hides is not known to take.
            first = last[event.stack][1]
            beaten[first.card].append(Beaten(seq, event.seat, event.t - first.t))
    return below, beaten


def _stakes(played: Round) -> dict[int, Stake]:
    """The stake of each tie of takers, by its seq."""
    stakes = Stakes(played.header.rules)
    open_ties: dict[int, list[tuple[int, int]]] = defaultdict(list)
    found: dict[int, Stake] = {}
    for event, seq in zip(played.events, played.seqs, strict=True):
        if isinstance(event, Tie):
            if cards := stakes.of(event):
                found[seq] = Stake(cards, event.after[-1])
                open_ties[event.stack].append((seq, event.t))
        elif isinstance(event, Play):
            stakes.read(event)
            for tied, t in open_ties.pop(event.stack, ()) if event.takes is not None else ():
                found[tied] = found[tied]._replace(taker=event.seat, after_ms=event.t - t)
    return found
