"""Players who left a match: they stopped moving while the others continued."""

from collections.abc import Iterator
from math import inf
from typing import Final

from games.bots.tempo import movements
from games.engine.message import seat, when
from replays.analysis.sentences import Fact, fact
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
            for mover, t in movements(event):
                last = t if last is None else last
                gone = later + last - t >= GONE_MS
                left.setdefault(mover, (played.number, t) if gone else STAYED)
            if len(left) == seats:
                return [left[place] for place in range(seats)]
        later += last or 0
    never = (0, 0) if later >= GONE_MS else STAYED
    return [left.get(place, never) for place in range(seats)]


def before_anyone_left(timeline: Timeline) -> Timeline:
    """The rounds before the first player left. All of them if everyone stayed."""
    first = min(number for number, _ in left_at(timeline))
    if first == inf:
        return timeline
    shared = Timeline(timeline.header, timeline.before)
    shared.rounds = [played for played in timeline.rounds if played.number < first]
    return shared


def departures(timeline: Timeline) -> Iterator[Fact]:
    """Each player who left, and when, in words."""
    for gone, (number, t) in enumerate(left_at(timeline)):
        if (number, t) == STAYED:
            continue
        if number == 0:
            yield fact("never_played" if timeline.result else "not_moved", player=seat(gone))
        else:
            there = when(int(number) if len(timeline.rounds) > 1 else None, t)
            kind = "stopped_when" if timeline.result else "last_moved"
            yield fact(kind, player=seat(gone), when=there)
