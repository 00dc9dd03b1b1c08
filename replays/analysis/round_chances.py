"""What a match's report needs of a round's windows, which are many: the few that are listed, and
for how long any was open.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from replays.analysis.chances import Chance, chances
from replays.analysis.missed_takes import is_missed_take
from replays.analysis.windows import PLAYED
from replays.timeline import Round


class RoundChances(NamedTuple):
    """The chances of one round. Times in ms."""

    listed: list[Chance]
    """Those that were played or were missed takes, in the order in which they ended."""
    open_ms: tuple[int, ...]
    """For each seat, how long it held at least one card that fitted somewhere."""


def round_chances(played: Round, lags: Sequence[float | None]) -> RoundChances:
    every = chances(played, lags)
    by_seat: list[list[tuple[int, int]]] = [[] for _ in lags]
    for window, *_ in every:
        by_seat[window.seat].append((window.since, window.until))
    listed = [
        chance for chance in every if chance.window.end == PLAYED or is_missed_take(chance.window)
    ]
    return RoundChances(listed, tuple(map(covered, by_seat)))


def covered(spans: Iterable[tuple[int, int]]) -> int:
    """For how long at least one of the spans is open."""
    whole, end = 0, 0
    for since, until in sorted(spans):
        whole += max(0, until - max(since, end))
        end = max(end, until)
    return whole
