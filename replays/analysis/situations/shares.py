"""What became of situations, from their counts: shares by time and choices, with intervals.

Stacks that are played on, and those left when the round ends, leave the situation: what is told
is the share that was taken by then (Aalen and Johansen's estimate; those that a round's end cut
off count half in their span of time). Counts come in groups of whole matches. Leaving out each
group in turn gives the intervals of 95% (the jackknife), as plays of one match depend on each
other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import sqrt
from typing import Final, NamedTuple

from typing_extensions import TypedDict

from replays.analysis.careers.intervals import FEWEST, quantile
from replays.analysis.situations.reading import (
    COUNTS,
    EDGES_MS,
    GAINS,
    GROWN,
    NOTHING,
    OTHERS,
    OVER,
    OWN,
    TIMES,
)

ENOUGH: Final = 30
"""Of fewer situations nothing is told."""
Counts = Sequence[int]
_EDGES: Final = len(EDGES_MS)


class Share(TypedDict):
    """A figure with its 95% interval (null: too few matches), and both in words."""

    value: float
    low: float | None
    high: float | None
    text: str
    interval: str


class CurveRow(TypedDict):
    """What share had been taken by then: by the seat itself, by another, and by either."""

    ms: int
    within: str
    own: Share
    others: Share
    taken: Share


class ChoiceRow(TypedDict):
    """A choice, how often it was made, and what its seat gained in the ten seconds, in points."""

    choice: str
    times: int
    share: Share
    gained: Share


class Ended(NamedTuple):
    """The shares that ended in each way by the end of each span."""

    own: list[float]
    others: list[float]


def summed(counts: Iterable[Counts]) -> list[int]:
    """The sum of some counts."""
    return [sum(column) for column in zip([0] * COUNTS, *counts, strict=True)]


def size(counts: Counts) -> int:
    """How many situations were counted."""
    return sum(counts[TIMES:GAINS])


def ended(counts: Counts) -> Ended:
    """The shares taken by the end of each span."""
    left, open_, own, others = float(size(counts)), 1.0, [0.0], [0.0]
    for at in range(_EDGES):
        ends = [counts[end * _EDGES + at] for end in (OWN, OTHERS, GROWN, OVER)]
        exposed = left - ends[OVER] / 2
        each = open_ / exposed if exposed > 0 else 0.0
        own.append(own[-1] + each * ends[OWN])
        others.append(others[-1] + each * ends[OTHERS])
        open_ -= each * sum(ends[:OVER])
        left -= sum(ends)
    return Ended(own[1:], others[1:])


def curve(groups: Sequence[Counts]) -> list[CurveRow]:
    """A row for each span of time."""

    def told(counts: Counts) -> list[float]:
        own, others = ended(counts)
        return [*own, *others, *map(sum, zip(own, others, strict=True))]

    found = _estimated(groups, told, _percent)
    columns = found[:_EDGES], found[_EDGES : 2 * _EDGES], found[2 * _EDGES :]
    return [
        {"ms": ms, "within": f"{ms / 1_000:g} s", "own": own, "others": others, "taken": taken}
        for ms, own, others, taken in zip(EDGES_MS, *columns, strict=True)
    ]


def choices(groups: Sequence[Counts]) -> list[ChoiceRow]:
    """A row for each choice that was made, the most frequent first."""
    whole, every = summed(groups), range(NOTHING + 1)
    made = sorted((one for one in every if whole[TIMES + one]), key=lambda one: -whole[TIMES + one])
    shares = _estimated(groups, lambda of: [of[TIMES + one] / size(of) for one in made], _percent)
    gains = [
        _estimated(
            [of for of in groups if of[TIMES + one]],
            lambda of, one=one: [of[GAINS + one] / of[TIMES + one]],  # type: ignore[misc]
            _points,
        )[0]
        for one in made
    ]
    return [
        {"choice": CHOICES[one], "times": whole[TIMES + one], "share": share, "gained": gained}
        for one, share, gained in zip(made, shares, gains, strict=True)
    ]


CHOICES: Final = (
    "took it",
    "tried for it, in vain",
    "played on it",
    "played elsewhere",
    "drew",
    "discarded",
    "did nothing while it was open",
)


def gained(groups: Sequence[Counts]) -> Share:
    """What a seat gained in the ten seconds, whatever it chose."""
    return _estimated(groups, lambda of: [sum(of[GAINS:]) / size(of)], _points)[0]


def _estimated(
    groups: Sequence[Counts], told: Callable[[Counts], list[float]], text: Callable[[float], str]
) -> list[Share]:
    whole, count = summed(groups), len(groups)
    values = told(whole)
    if count < FEWEST:
        return [_share(value, None, text) for value in values]
    without = [told([a - b for a, b in zip(whole, group, strict=True)]) for group in groups]
    wide = quantile(count - 1) * sqrt((count - 1) / count)
    means = [sum(column) / count for column in zip(*without, strict=True)]
    spread = [
        wide * sqrt(sum((one - mean) ** 2 for one in column))
        for mean, column in zip(means, zip(*without, strict=True), strict=True)
    ]
    return [_share(value, by, text) for value, by in zip(values, spread, strict=True)]


def _share(value: float, wide: float | None, text: Callable[[float], str]) -> Share:
    if wide is None:
        said = text(value)
        return {"value": round(value, 4), "low": None, "high": None, "text": said, "interval": ""}
    low, high = value - wide, value + wide
    if text is _percent:
        low, high = max(0.0, low), min(1.0, high)
    return {
        "value": round(value, 4),
        "low": round(low, 4),
        "high": round(high, 4),
        "text": text(value),
        "interval": f"{text(low).removesuffix('%')} to {text(high)}",
    }


def _percent(value: float) -> str:
    return f"{100 * value:.0f}%"


def _points(value: float) -> str:
    return f"{value:+.1f}".replace("-", "−")
