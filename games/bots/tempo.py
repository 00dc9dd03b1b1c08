"""How fast each seat of a record plays, and a bot's skill of the same speed.

Tempo is speed: 1 is the pace of a level 3 bot, 2 is twice as fast. It is measured by the mean gap
between two movements of a seat. To make up for little data at first, the mean also includes
`PRIOR_MOVES` imaginary average gaps. Gaps are capped at `LONGEST_MS`, so that a seat that merely
waited does not count as slow.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Final

from games.bots.skill import DEFAULT_LEVEL, Skill, skill_of
from games.engine.cards import OWNER
from games.engine.events import Discard, Draw, Event, Late, Miss, Play, Tie

MEAN_GAP_MS: Final = {2: 900, 3: 930, 4: 955, 5: 970}
"""By number of seats, the mean gap of level 3 bots, measured over all editions."""
LONGEST_MS: Final = 5_000
PRIOR_MOVES: Final = 15
_STEPS: Final = 32
"""Tempos are rounded to the nearest 32nd, so that skills are few and can be cached."""
_SLOWEST, _FASTEST = _STEPS // 4, _STEPS * 4
_MOVEMENTS: Final = (Play, Draw, Discard, Late, Miss)


class TempoMeter:
    """Measures the seats of a match from the events of its rounds, read in order."""

    def __init__(self, seats: int) -> None:
        self._usual = MEAN_GAP_MS[seats]
        self._gaps = [PRIOR_MOVES] * seats
        self._ms = [PRIOR_MOVES * self._usual] * seats

    def read(self, events: Iterable[Event]) -> None:
        """Read the events of a round or of its start. The next call begins another round."""
        last: dict[int, int] = {}
        for event in events:
            for seat, t in movements(event):
                if seat in last:
                    self._gaps[seat] += 1
                    self._ms[seat] += min(t - last[seat], LONGEST_MS)
                last[seat] = t

    def copy(self) -> TempoMeter:
        twin = TempoMeter(len(self._gaps))
        twin._gaps, twin._ms = self._gaps[:], self._ms[:]
        return twin

    @property
    def tempos(self) -> tuple[float, ...]:
        return tuple(self._usual * gaps / ms for gaps, ms in zip(self._gaps, self._ms, strict=True))


def movements(event: Event) -> list[tuple[int, int]]:
    """Whose hands moved in an event, and when."""
    if isinstance(event, Tie):
        moved = zip(event.cards, event.after, strict=True)
        return [(OWNER[card], event.t + after) for card, after in moved]
    return [(event.seat, event.t)] if isinstance(event, _MOVEMENTS) else []


def skill_at(tempo: float) -> Skill:
    """The skill of a person with that tempo, limited to a quarter to four times the usual one."""
    return _skill_in(min(_FASTEST, max(_SLOWEST, round(tempo * _STEPS))))


@cache
def _skill_in(steps: int) -> Skill:
    usual = skill_of(DEFAULT_LEVEL)

    def scaled(ms: int) -> int:
        return round(ms * _STEPS / steps)

    return Skill(
        pace=tuple(map(scaled, usual.pace)),
        reach=tuple(map(scaled, usual.reach)),
        lag=scaled(usual.lag),
        glance=scaled(usual.glance),
        hesitation=tuple(map(scaled, usual.hesitation)),
        hesitates=usual.hesitates,
        slips=usual.slips,
        overlooks=usual.overlooks,
        patience=scaled(usual.patience),
    )
