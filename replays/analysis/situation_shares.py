"""What became of situations, from their counts, as tables of figures with their intervals.

What is told is the share that was taken by then; stacks that are played on leave the situation,
and those that a round's end cuts off count half in their span of time (Aalen and Johansen's
estimate). Counts come in groups of whole matches: leaving out each in turn gives the intervals
(the jackknife), as plays of one match depend on each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import sqrt
from typing import Final

from typing_extensions import TypedDict

from replays.analysis.careers.intervals import FEWEST, quantile
from replays.analysis.situations import (
    CHOICES,
    COUNTS,
    EDGES_MS,
    GAINS,
    GROWN,
    OTHERS,
    OVER,
    OWN,
    TIMES,
)

ENOUGH: Final = 30
"""Of fewer situations nothing is told."""
YOU, ANOTHER, ANYBODY = "you", "another", "anybody"
_GAINED: Final = "points gained within 10 s"
Counts = Sequence[int]


class Share(TypedDict):
    """A figure, the edges of its 95% interval (null: too few matches), and both in words."""

    value: float
    low: float | None
    high: float | None
    text: str
    interval: str


class ShareRow(TypedDict):
    """Of how many situations it tells, and its figures by column."""

    name: str
    situations: int
    figures: dict[str, Share]


def summed(counts: Iterable[Counts]) -> list[int]:
    """The sum of some counts."""
    return [sum(column) for column in zip([0] * COUNTS, *counts, strict=True)]


def size(counts: Counts) -> int:
    """How many situations were counted."""
    return sum(counts[TIMES:GAINS])


def ended(counts: Counts) -> tuple[list[float], list[float]]:
    """The shares taken by the end of each span: by the seat itself, and by another."""
    left, open_, own, others = float(size(counts)), 1.0, [0.0], [0.0]
    for at in range(len(EDGES_MS)):
        ends = [counts[end * len(EDGES_MS) + at] for end in (OWN, OTHERS, GROWN, OVER)]
        exposed = left - ends[OVER] / 2
        each = open_ / exposed if exposed > 0 else 0.0
        own.append(own[-1] + each * ends[OWN])
        others.append(others[-1] + each * ends[OTHERS])
        open_ -= each * sum(ends[:OVER])
        left -= sum(ends)
    return own[1:], others[1:]


def by_time(groups: Sequence[Counts]) -> list[ShareRow]:
    """By when it was taken, and by whom."""

    def told(counts: Counts) -> list[float]:
        own, others = ended(counts)
        return [one for a, b in zip(own, others, strict=True) for one in (a, b, a + b)]

    found, count = _estimated(groups, told, "%"), size(summed(groups))
    return [
        _row(f"{ms / 1_000:g} s", count, dict(zip((YOU, ANOTHER, ANYBODY), of, strict=True)))
        for ms, of in zip(EDGES_MS, zip(*[iter(found)] * 3, strict=True), strict=True)
    ]


def by_choice(groups: Sequence[Counts]) -> list[ShareRow]:
    """What its seat did next, the most frequent first."""
    whole = summed(groups)
    shares = _estimated(groups, lambda of: [one / size(of) for one in of[TIMES:GAINS]], "%")
    gains = _estimated(
        groups,
        lambda of: [a / (b or 1) for a, b in zip(of[GAINS:], of[TIMES:GAINS], strict=True)],
    )
    rows = zip(CHOICES, whole[TIMES:GAINS], shares, gains, strict=True)
    found = [_row(name, n, {"share": a, _GAINED: b}) for name, n, a, b in rows if n]
    return sorted(found, key=lambda row: -row["situations"])


def by_rank(ranks: Mapping[str, Sequence[Counts]]) -> list[ShareRow]:
    """How players of each rank fare, where enough is known."""
    found = []
    for name, groups in ranks.items():
        count = size(summed(groups))
        if count >= ENOUGH:
            taken = {f"taken within {row['name']}": row["figures"][YOU] for row in by_time(groups)}
            soon, last = "taken within 2 s", "taken within 10 s"
            (gain,) = _estimated(groups, lambda of: [sum(of[GAINS:]) / size(of)])
            figures = {soon: taken[soon], last: taken[last], _GAINED: gain}
            found.append(_row(name, count, figures))
    return found


def _row(name: str, situations: int, figures: dict[str, Share]) -> ShareRow:
    return {"name": name, "situations": situations, "figures": figures}


def _estimated(
    groups: Sequence[Counts], told: Callable[[Counts], list[float]], unit: str = ""
) -> list[Share]:
    """The figures that are told of counts, each a share (%) or in points."""
    whole, some = summed(groups), [group for group in groups if size(group)]
    values, count = told(whole), len(some)
    if count < FEWEST:
        return [_share((value,), unit) for value in values]
    without = [told([a - b for a, b in zip(whole, group, strict=True)]) for group in some]
    found = []
    for value, column in zip(values, zip(*without, strict=True), strict=True):
        squares = sum((one - sum(column) / count) ** 2 for one in column)
        wide = quantile(count - 1) * sqrt(squares * (count - 1) / count)
        edges = value, value - wide, value + wide
        found.append(_share([min(1.0, max(0.0, one)) for one in edges] if unit else edges, unit))
    return found


def _share(edges: Sequence[float], unit: str) -> Share:
    said = [f"{100 * one:.0f}" if unit else f"{one:+.1f}".replace("-", "−") for one in edges]
    value, low, high = (*(round(one, 4) for one in edges), None, None)[:3]
    interval = f"{said[1]} to {said[2]}{unit}" if said[1:] else ""
    text = f"{said[0]}{unit}"
    return {"value": value or 0, "low": low, "high": high, "text": text, "interval": interval}
