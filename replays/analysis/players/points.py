"""Where the points come from: each seat's score of a round, in parts that add up to it exactly.

`table` is what a seat made there on average; the other parts are what moved a seat away from that,
each of them against the others at the table:
- `speed`: its hand was quicker or slower;
- `choice`: it passed up fewer takes with a 5, or more (`open_takes`);
- `cards`: the luck of its deal and its draws;
- `line`: its lag was shorter or longer (on the screen: the connection);
- `rest`: what none of these tells, much of it the luck of the moment.

What each is worth was measured on bots (docs/match-report.md), so the parts are estimates; their
sum is exact.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import log
from statistics import fmean
from typing import Final, NamedTuple

from games.bots.tempo import LONGEST_MS, movements
from games.engine.cards import FACE, WILD
from games.engine.events import Draw, End
from games.engine.fitting import fit_masks
from games.engine.scoring import ABANDONED
from games.engine.table import HAND
from replays.analysis.open_takes import open_takes
from replays.analysis.winning.position import FIVE, OpenPosition
from replays.timeline import Round, Timeline

SPEED: Final = 40.0
"""Points a round for each unit of the logarithm of tempo: 4 for being 10% quicker;"""
QUICKEST: Final = 0.5
"""beyond that much against the table, more speed counts no further."""
LINE: Final = -0.02
"""Points a round for each ms of lag."""
TAKERS: Final = {FIVE: 0.3, WILD: -1.6}
"""Points for having drawn such a card: a wild that waits in hand is in the way;"""
TAKEN: Final = 0.33
"""and for each card of the largest stack that it could have taken at once."""
PASSED: Final = -0.62
"""Points for each card of a stack that a 5 could have taken. (A wild that is kept takes another
stack later: to pass up its takes costs nothing on the whole.)"""
GIVEN: Final = 0.88
"""The share of them that the others gained."""
CHOICE_FROM: Final = 10
"""Matches from which on choice is a player's own: in halves of so many it correlates above .5. Of
a match it only says what happened."""
_IMAGINED: Final = 10
"""Gaps at the table's pace, added to those of each hand."""


class Points(NamedTuple):
    """A score in its parts, as above."""

    table: float = 0.0
    speed: float = 0.0
    choice: float = 0.0
    cards: float = 0.0
    line: float = 0.0
    rest: float = 0.0

    @property
    def score(self) -> float:
        """What they add up to."""
        return sum(self)


def points(timeline: Timeline, lags: Sequence[float | None]) -> list[list[Points]]:
    """For each finished round, in order, the parts of each seat's score; `lags`: in ms."""
    position, rounds = OpenPosition(timeline.header), list[list[Points]]()
    line = _lines(lags)
    for played in timeline.rounds:
        cards = _luck(position, played)
        last = played.events[-1] if played.events else None
        if isinstance(last, End) and last.reason != ABANDONED:
            choice = _choices(played, lags)
            told = zip(_speeds(played), choice, cards, line, strict=True)
            rounds.append(_parted(last.scores, list(told)))
    return rounds


def summed(rounds: Iterable[Sequence[Points]], seats: int) -> list[Points]:
    """The parts of each seat's points over some rounds."""
    listed = list(rounds) or [[Points()] * seats]
    by_seat = zip(*listed, strict=True)
    return [Points._make(map(sum, zip(*of_seat, strict=True))) for of_seat in by_seat]


def _parted(scores: Sequence[int], told: Sequence[tuple[float, ...]]) -> list[Points]:
    """`told`: of each seat the parts between `table` and `rest`."""
    table = fmean(scores)
    return [
        Points._make((table, *parts, score - table - sum(parts)))
        for score, parts in zip(scores, told, strict=True)
    ]


def _lines(lags: Sequence[float | None]) -> list[float]:
    known = [lag for lag in lags if lag is not None]
    usual = fmean(known) if known else 0.0
    return [0.0 if lag is None else LINE * (lag - usual) for lag in lags]


def _choices(played: Round, lags: Sequence[float | None]) -> list[float]:
    """What a seat passes up, the others share."""
    costs = [0.0] * len(lags)
    for take in open_takes(played, lags):
        if FACE[take.card] == FIVE:
            costs[take.seat] += PASSED * take.cards
    mean, twice = fmean(costs), 1 + GIVEN / (len(costs) - 1)
    return [twice * (passed - mean) for passed in costs]


def _speeds(played: Round) -> list[float]:
    """By the logarithm of how much quicker each hand moved than the table's hands on average."""
    seats = len(played.header.seats)
    gaps, ms, last = [0] * seats, [0] * seats, dict[int, int]()
    for event in played.events:
        for seat, t in movements(event):
            if seat in last:
                gaps[seat] += 1
                ms[seat] += min(t - last[seat], LONGEST_MS)
            last[seat] = t
    usual = max(1.0, sum(ms) / max(1, sum(gaps)))
    pace = [
        log((_IMAGINED + count) * usual / (_IMAGINED * usual + took))
        for count, took in zip(gaps, ms, strict=True)
    ]
    mean = fmean(pace)
    return [SPEED * max(-QUICKEST, min(QUICKEST, own - mean)) for own in pace]


def _luck(position: OpenPosition, played: Round) -> list[float]:
    """What each seat's deal and draws were worth, less what such cards are on average, and less the
    others' luck; a pile that was recycled is in a known order."""
    position.read(played.deal)
    worth = _Worth(position)
    luck = [worth.of_hand(deck) for deck in map(_faces, played.deal.decks)]
    piles = [Counter(_faces(deck)[HAND:]) for deck in played.deal.decks]
    for event in played.events:
        if isinstance(event, Draw) and piles[event.seat].total():
            luck[event.seat] += worth.drawn(FACE[event.card], piles[event.seat])
        position.read(event)
    mean = fmean(luck)
    return [own - mean for own in luck]


def _faces(cards: Sequence[str]) -> list[int]:
    return [FACE[card] for card in cards]


class _Worth:
    """What a card is worth to who draws it, with the stacks as they are."""

    def __init__(self, position: OpenPosition) -> None:
        self._position = position
        self._masks = fit_masks(position.rules.wild_starts)

    def of_hand(self, deck: Sequence[int]) -> float:
        """The cards dealt to a hand, less as many average ones."""
        worth = [TAKERS.get(face, 0.0) for face in deck]
        held = worth[:HAND]
        return sum(held) - len(held) * fmean(worth)

    def drawn(self, face: int, pile: Counter[int]) -> float:
        """A card of a pile, less its average one; it is removed from the pile."""
        worth = {taker: self._of(taker) for taker in TAKERS}
        mean = sum(worth[taker] * pile[taker] for taker in worth) / pile.total()
        pile[face] -= 1
        return worth.get(face, 0.0) - mean

    def _of(self, taker: int) -> float:
        tops, heights = self._position.tops, self._position.heights
        stacks = (h for top, h in zip(tops, heights, strict=True) if top and self._fits(top, taker))
        return TAKERS[taker] + TAKEN * max(stacks, default=0)

    def _fits(self, top: int, face: int) -> int:
        return self._masks[top] >> face & 1
