"""Counts of each seat's actions, and its pace."""

from collections.abc import Iterable
from itertools import pairwise
from statistics import median
from typing import Final

from games.bots.tempo import movements
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
    for event in events:
        for seat, t in movements(event):
            moved[seat].append(t)
    gaps = [[after - before for before, after in pairwise(times)] for times in moved]
    return [median(of_seat) if of_seat else None for of_seat in gaps]
