"""Leads: the favourite along the curve, the number of changes, and the comeback."""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Final, NamedTuple

from games.engine.scoring import round_scores
from replays.analysis.winning.series import Point
from replays.timeline import Round

CLEARLY: Final = 0.02
"""A seat takes the lead once its win probability exceeds the previous leader's by this much."""


class LeadChange(NamedTuple):
    """The point of the curve at which the lead changed, and the one before."""

    last: Point
    point: Point
    leader: int
    led: int


def lead_changes(curve: Sequence[Point]) -> list[LeadChange]:
    """The lead changes, in order. The first lead of a match is not one."""
    changes: list[LeadChange] = []
    leader: int | None = None
    for place, point in enumerate(curve):
        best = max(range(len(point.p)), key=point.p.__getitem__)
        if leader is None:
            others = [p for seat, p in enumerate(point.p) if seat != best]
            leader = best if point.p[best] >= max(others) + CLEARLY else None
        elif point.p[best] >= point.p[leader] + CLEARLY:
            changes.append(LeadChange(curve[place - 1], point, best, leader))
            leader = best
    return changes


def standing_at(played: Round, seq: int) -> list[int]:
    """Each seat's total with the points of the round so far, after the line with that seq."""
    done = bisect_right(played.seqs, seq)
    table = played.table(done)
    if played.end and done == len(played.events):
        return list(table.totals)  # which include them then
    return [total + score for total, score in zip(table.totals, round_scores(table), strict=True)]


def lowest(curve: Sequence[Point], seat: int) -> Point | None:
    """The point where a seat's chances were lowest. None without points."""
    return min(curve, key=lambda point: point.p[seat], default=None)
