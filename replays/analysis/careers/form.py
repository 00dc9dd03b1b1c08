"""Form: a figure over time, for groups of consecutive matches."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from replays.analysis.careers.figures import Figure, MatchFigures, columns
from replays.analysis.careers.intervals import FEWEST, Estimate

MOST_GROUPS: Final = 20


class Group(NamedTuple):
    """Some consecutive matches, from `first` up to and including `last` (counted from 0)."""

    first: int
    last: int
    estimated: Estimate


def form(entries: Sequence[MatchFigures], figure: Figure) -> list[Group]:
    """The figure for each group, oldest first; `entries` are in the order of time.

    Groups have `FEWEST` matches or, so that there are not too many, more. Empty if there are
    fewer than two groups: one point shows no trend.
    """
    count = min(MOST_GROUPS, len(entries) // FEWEST)
    if count < 2:
        return []
    edges = [len(entries) * group // count for group in range(count + 1)]
    groups = []
    for since, until in pairwise(edges):
        estimated = figure.of(columns(entries[since:until]))
        if estimated is not None:
            groups.append(Group(since, until - 1, estimated))
    return groups
