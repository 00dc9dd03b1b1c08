"""Who was ahead: the favourite along the curve, how often that changed, and the comeback."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from replays.analysis.winning.series import Point

CLEARLY: Final = 0.02
"""A seat takes the lead once its win probability exceeds the previous leader's by this much."""


class LeadChange(NamedTuple):
    """The point of the curve at which the lead changed, and the one before."""

    last: Point
    point: Point
    leader: int
    led: int


def lead_changes(curve: Sequence[Point]) -> list[LeadChange]:
    """The lead changes, in order; the first lead of a match is not one."""
    found: list[LeadChange] = []
    leader: int | None = None
    for place, point in enumerate(curve):
        best = max(range(len(point.p)), key=point.p.__getitem__)
        if leader is None:
            others = [p for seat, p in enumerate(point.p) if seat != best]
            leader = best if point.p[best] >= max(others) + CLEARLY else None
        elif point.p[best] >= point.p[leader] + CLEARLY:
            found.append(LeadChange(curve[place - 1], point, best, leader))
            leader = best
    return found


def lowest(curve: Sequence[Point], seat: int) -> Point | None:
    """The point where a seat's chances were lowest; None without points."""
    return min(curve, key=lambda point: point.p[seat], default=None)
