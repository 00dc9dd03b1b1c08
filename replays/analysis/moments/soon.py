"""How soon a take with a 5 follows upon a 4, at one table and on one line.

What is soon depends on who sits there: on how quickly hands move at that table, and on the line
of the player who takes, whose screen shows the 4 later and whose try arrives later.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median
from typing import Final

from games.engine.cards import FACE
from games.engine.events import Play
from replays.analysis.actions import gap_ms
from replays.timeline import Round, Timeline

_FIVE: Final = 5
SOON: Final = 2
"""So many times the usual time is soon: nine of ten takes with a 5 on a 4 come within it."""
IMAGINED: Final = 5
"""So many takes at the table's tempo are added to those that were made."""
MOVEMENTS: Final = 1.2
"""The usual time between the 4 and the 5, in times between two movements of a hand."""


def soon_ms(timeline: Timeline, lags: Sequence[float | None]) -> list[float]:
    """For each seat, within what time its 5 takes a 4 soon, in ms; `lags`: each seat's."""
    window = timeline.header.rules.tie_window_ms
    hidden = [window + (lag or 0) for lag in lags]
    gaps = [
        gap
        for played in timeline.rounds
        for gap in gap_ms(played.events, len(lags))
        if gap is not None
    ]
    tempo = MOVEMENTS * median(gaps) if gaps else 0.0
    waited = [
        max(0.0, ms - hidden[seat]) for played in timeline.rounds for seat, ms in _waited(played)
    ]
    usual = median([*waited, *[tempo] * IMAGINED])
    return [SOON * usual + ms for ms in hidden]


def _waited(played: Round) -> Iterator[tuple[int, int]]:
    """Of each take with a 5 on another player's 4: the taker, and how long the 4 had lain there."""
    last: dict[int, Play] = {}
    for event in played.events:
        if isinstance(event, Play):
            below = last.get(event.stack)
            if below and below.seat != event.seat and FACE[event.card] == _FIVE:
                yield event.seat, event.t - below.t
            last[event.stack] = event
