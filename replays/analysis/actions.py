"""Counts of each seat's actions, and its pace."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from statistics import median
from typing import Final

from games.engine.cards import OWNER
from games.engine.events import Discard, Draw, Event, Late, Miss, Play, Tie

KINDS: Final = ("play", "discard", "draw", "late", "miss", "tied")
_NAMES: Final[dict[type, str]] = {
    Play: "play", Discard: "discard", Draw: "draw", Late: "late", Miss: "miss",
}  # fmt: skip


def actions(events: Iterable[Event], seats: int) -> list[dict[str, int]]:
    """For each seat, how often it did each of `KINDS`. Every card in a tie counts as one."""
    counts = [dict.fromkeys(KINDS, 0) for _ in range(seats)]
    for event in events:
        if isinstance(event, Tie):
            for card in event.cards:
                counts[OWNER[card]]["tied"] += 1
        elif isinstance(event, Play | Discard | Draw | Late | Miss):
            counts[event.seat][_NAMES[type(event)]] += 1
    return counts


def gap_ms(events: Iterable[Event], seats: int) -> list[float | None]:
    """For each seat, the median ms between successive movements. None with fewer than two."""
    moved: list[list[int]] = [[] for _ in range(seats)]
    for seat, t in _movements(events):
        moved[seat].append(t)
    return [_median_gap(times) for times in moved]


def _movements(events: Iterable[Event]) -> Iterator[tuple[int, int]]:
    """Seat and t of each movement. A tied try counts at its own time."""
    for event in events:
        if isinstance(event, Tie):
            for card, after in zip(event.cards, event.after, strict=True):
                yield OWNER[card], event.t + after
        elif isinstance(event, Play | Draw | Discard | Late | Miss):
            yield event.seat, event.t


def _median_gap(times: list[int]) -> float | None:
    gaps = [after - before for before, after in pairwise(times)]
    return median(gaps) if gaps else None
