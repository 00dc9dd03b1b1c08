"""A branch compared with the match: ownership and scores, on one time axis.

Both sides start from the same position. Each is a list of `CardPlaces`, one after every event that
moved a card. Between two of them nothing changes.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import zip_longest
from typing import NamedTuple

from games.engine import scoring
from games.engine.cards import OWNER
from games.engine.events import Discard, Draw, End, Event, Late, Miss, Play, Tie
from games.engine.table import Table, apply
from replays.variations.lines import MatchLines, Place


class CardPlaces(NamedTuple):
    """Where the cards are since t (ms in the round). Each list has one entry per seat."""

    t: int
    taken: tuple[int, ...]
    """Cards in its score pile."""
    left: tuple[int, ...]
    """Cards in its draw and discard piles."""
    hand: tuple[int, ...]
    middle: tuple[int, ...]
    """Cards of its deck in the center stacks, played by any seat."""
    scores: tuple[int, ...]
    """Its round score if the round ends now, or its final one."""


class Side(NamedTuple):
    """One way the round continued from the place. `end`: why it ended, None if it did not."""

    standings: list[CardPlaces]
    end: str | None

    def at(self, t: int) -> CardPlaces:
        """The standing at t, or the first one if t is earlier."""
        place = bisect_right(self.standings, t, key=lambda standing: standing.t)
        return self.standings[max(0, place - 1)]


class Comparison(NamedTuple):
    """The actual play along the place's line, and the alternative."""

    since: int
    """The place's t."""
    happened: Side
    instead: Side

    @property
    def gained(self) -> tuple[int, ...]:
        """For each seat, how much better its last score is in the branch."""
        before, after = (side.standings[-1].scores for side in (self.happened, self.instead))
        return tuple(new - old for old, new in zip(before, after, strict=True))


def compare(lines: MatchLines, place: Place, events: Sequence[Event]) -> Comparison:
    """Compare the rest of a place's line with valid events after that place."""
    rest = lines.whole(place)[place.event :]
    since = lines.table(place).t
    return Comparison(since, _side(lines.table(place), rest), _side(lines.table(place), events))


def _side(table: Table, events: Sequence[Event]) -> Side:
    standings = [_standing(table)]
    for event in events:
        apply(table, event)
        if isinstance(event, Play | Draw | Discard | Tie | End):
            standings.append(_standing(table, event if isinstance(event, End) else None))
    return Side(standings, table.ended)


def _standing(table: Table, end: End | None = None) -> CardPlaces:
    seats = range(table.seats)
    middle = Counter(OWNER[card] for stack in table.stacks for card in stack)
    return CardPlaces(
        table.t,
        tuple(len(table.score_piles[seat]) for seat in seats),
        tuple(len(table.draw_piles[seat]) + len(table.discard_piles[seat]) for seat in seats),
        tuple(len(table.hands[seat]) for seat in seats),
        tuple(middle[seat] for seat in seats),
        end.scores if end else scoring.round_scores(table),
    )


class Movement(NamedTuple):
    """When a seat moved a card on each side. None where it did not."""

    do: str
    card: str
    happened: int | None
    instead: int | None


def timings(seat: int, happened: Sequence[Event], instead: Sequence[Event]) -> list[Movement]:
    """A seat's movements side by side: first play of a card with first play, and so on."""
    old, new = _times(seat, happened), _times(seat, instead)
    movements = [
        Movement(*key, before, after)
        for key in old.keys() | new.keys()
        for before, after in zip_longest(old[key], new[key])
    ]
    return sorted(movements, key=_first_of)


def _first_of(timing: Movement) -> tuple[int, str, str]:
    times = [t for t in (timing.instead, timing.happened) if t is not None]
    return times[0], timing.do, timing.card


def _times(seat: int, events: Sequence[Event]) -> defaultdict[tuple[str, str], list[int]]:
    """For each kind of movement and card, when the seat did it."""
    times: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for event in events:
        if isinstance(event, Tie):
            for card, after in zip(event.cards, event.after, strict=True):
                if OWNER[card] == seat:
                    times["tie", card].append(event.t + after)
        elif isinstance(event, Play | Draw | Discard | Late | Miss) and event.seat == seat:
            times[type(event).__name__.lower(), event.card].append(event.t)
    return times
