"""The decisions of a round, judged, and what those of a player came to.

A player's figure is the points lost on all open takes that were judged, costly or not, with its
error. A count of the costly ones would not do: the higher the stakes, the more there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import sqrt
from typing import Final, NamedTuple

from replays.analysis.decisions.judging import DecisionCost, Judging
from replays.analysis.open_takes import OpenTake, open_takes
from replays.timeline import Round

MOST: Final = 60
"""The most decisions judged in a round, those about the largest stacks."""


class Decision(NamedTuple):
    """A judged decision."""

    take: OpenTake
    cost: DecisionCost


class Lost(NamedTuple):
    """What a seat's decisions about open takes cost it in points, and the standard error."""

    decisions: int
    points: float
    error: float


def to_judge(judging: Judging, played: Round, lags: Sequence[float | None]) -> list[OpenTake]:
    """The decisions of a round that are judged, in log order."""
    largest = sorted(open_takes(played, lags), key=lambda take: -take.cards)[:MOST]
    return sorted(filter(judging.undecided, largest), key=lambda take: take.event)


def decisions(
    judging: Judging, played: Round, lags: Sequence[float | None], seed: int = 0
) -> Iterator[Decision]:
    """The decisions of a round, each as soon as it is judged."""
    for take in to_judge(judging, played, lags):
        yield Decision(take, judging.ways(take).cost(seed))


def lost(points: Iterable[tuple[float, float]]) -> Lost:
    """A seat's figure, from what each of its decisions cost in points, with its standard error."""
    costs = list(points)
    return Lost(len(costs), sum(cost for cost, _ in costs), sqrt(sum(e * e for _, e in costs)))
