"""Players who left a match: they stopped moving while the others continued."""

from __future__ import annotations

from math import inf
from typing import Final

from games.bots.tempo import movements
from replays.timeline import Timeline

GONE_MS: Final = 30_000
"""A player has left if they never move again while others do so for this long."""
STAYED: Final = inf, inf


def left_at(timeline: Timeline) -> list[tuple[float, float]]:
    """For each seat that left, the round and t of its last movement (round 0: it never moved).
    `STAYED` for the others."""
    left: dict[int, tuple[float, float]] = {}
    seats, later = len(timeline.names), 0
    for played in reversed(timeline.rounds):
        last: int | None = None
        for event in reversed(played.events):
            for seat, t in movements(event):
                last = t if last is None else last
                gone = later + last - t >= GONE_MS
                left.setdefault(seat, (played.number, t) if gone else STAYED)
            if len(left) == seats:
                return [left[seat] for seat in range(seats)]
        later += last or 0
    never = (0, 0) if later >= GONE_MS else STAYED
    return [left.get(seat, never) for seat in range(seats)]
