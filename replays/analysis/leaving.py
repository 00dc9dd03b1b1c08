"""Who left a match: whose hand moved no more, while the others played on."""

from __future__ import annotations

from math import inf
from typing import Final

from games.bots.tempo import movements
from replays.timeline import Timeline

GONE_MS: Final = 30_000
"""Who has not moved for so long, while others did, and never does again, has left."""
STAYED: Final = inf, inf


def left_at(timeline: Timeline) -> list[tuple[float, float]]:
    """For each seat that left, the round and t of its last movement (round 0: it never moved);
    for the others `STAYED`."""
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
