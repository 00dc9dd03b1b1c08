"""A branch beside the match: scores, and when a seat moved which card."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import zip_longest
from typing import NamedTuple

from games.engine import scoring
from games.engine.cards import OWNER
from games.engine.events import Discard, Draw, End, Event, Late, Miss, Play, Tie
from games.engine.table import Table, apply


def scores_after(table: Table, events: Sequence[Event]) -> tuple[int, ...]:
    """Each seat's round score after these events: its final one, or if the round ended now."""
    for event in events:
        apply(table, event)
        if isinstance(event, End):
            return event.scores
    return scoring.round_scores(table)


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
