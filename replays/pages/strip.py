"""A small chart over time: values with their intervals, as SVG paths, in words and as a table.

It is drawn without text and stretched to the page's width. The labels are HTML beside it.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from math import ceil, floor
from typing import Final, NamedTuple

from games.engine.message import spoken
from games.pages.words import HERE

WIDTH: Final = 1_000
HEIGHT: Final = 200
_STEPS: Final = (1, 2, 5)
_MOST_SPACES: Final = 4
_MOST_DOTS: Final = 30
"""With more points only the last has a dot."""


class StripPoint(NamedTuple):
    """A value with its interval. `label` is its time, `sample` its amount."""

    value: float
    low: float | None
    high: float | None
    label: str
    sample: str


class Level(NamedTuple):
    """A mean over some of the time: from and to are places along the line, 0 to 1."""

    tone: str
    since: float
    until: float
    value: float


class Strip(NamedTuple):
    """The chart. `ticks` are the labels of its scale, from the top down."""

    title: str
    says: str
    unit: str
    line: str
    dots: str
    band: str
    grid: str
    ticks: tuple[str, ...]
    digits: int
    points: Sequence[StripPoint]
    mark: str
    """A moment along the line, as `41.5%`, or empty."""
    levels: Sequence[tuple[str, str]]
    """Their tones, and their paths."""

    @property
    def first(self) -> str:
        return self.points[0].label

    @property
    def last(self) -> str:
        return self.points[-1].label

    @property
    def rows(self) -> Iterator[tuple[str, ...]]:
        """The table: of each point its time and amount, value, and interval if there is one."""
        for point in self.points:
            edges = ("" if edge is None else HERE.number(edge, self.digits) for edge in point[:3])
            yield point.label, point.sample, *edges


def strip(
    title: str,
    says: str,
    unit: str,
    points: Sequence[StripPoint],
    digits: int = 1,
    *,
    scale: Sequence[int] = (),
    mark: float | None = None,
    levels: Sequence[Level] = (),
) -> Strip:
    """The chart of at least one point, oldest first. `digits`: of the numbers in its table.

    `scale`: falling ticks, if not its own. `mark`: a moment along the line, 0 to 1.
    """
    scale = scale or ticks(*reach(points))
    bottom, top = scale[-1], scale[0]

    def y(value: float) -> float:
        return HEIGHT * (top - value) / (top - bottom)

    places = list(_places(len(points)))
    pairs = list(zip(places, points, strict=True))
    return Strip(
        title=title,
        says=says,
        unit=unit,
        line="M" + "L".join(f"{x:.0f} {y(point.value):.1f}" for x, point in pairs),
        dots="".join(f"M{x:.0f} {y(point.value):.1f}h0" for x, point in _dotted(pairs)),
        band=_outline(
            [f"{x:.0f} {y(point.high):.1f}" for x, point in pairs if point.high is not None],
            [f"{x:.0f} {y(point.low):.1f}" for x, point in pairs if point.low is not None],
        ),
        grid="".join(f"M0 {y(tick):.1f}H{WIDTH}" for tick in scale),
        ticks=tuple(spoken(tick) for tick in scale),
        digits=digits,
        points=points,
        mark="" if mark is None else f"{100 * mark:.1f}%",
        levels=[
            (tone, f"M{WIDTH * since:.0f} {y(value):.1f}H{WIDTH * until:.0f}")
            for tone, since, until, value in levels
        ],
    )


def reach(points: Iterable[StripPoint]) -> tuple[float, float]:
    """The lowest and the highest value or edge."""
    edges = chain.from_iterable((point.value, point.low, point.high) for point in points)
    known = [edge for edge in edges if edge is not None]
    return min(known), max(known)


def _dotted(pairs: list[tuple[float, StripPoint]]) -> list[tuple[float, StripPoint]]:
    return pairs if len(pairs) <= _MOST_DOTS else pairs[-1:]


def _outline(above: list[str], below: list[str]) -> str:
    """The area between two lines."""
    return f"M{'L'.join([*above, *below[::-1]])}Z" if above and below else ""


def _places(count: int) -> Iterator[float]:
    """Where the points are, evenly, away from the edges."""
    for place in range(count):
        yield WIDTH * (place + 0.5) / count


def ticks(low: float, high: float) -> list[int]:
    """Two to five round numbers, falling and evenly spaced, that include both."""
    for step in _steps():
        bottom, spaces = floor(low / step) * step, ceil(high / step) - floor(low / step)
        if spaces <= _MOST_SPACES:
            return [bottom + step * place for place in range(max(1, spaces), -1, -1)]
    raise AssertionError("steps grow without end")


def _steps() -> Iterator[int]:
    size = 1
    while True:
        for step in _STEPS:
            yield step * size
        size *= 10


def thinned(count: int, most: int) -> list[int]:
    """At most `most` of the places 0 to `count` - 1, evenly. The last is always among them."""
    if count <= most:
        return list(range(count))
    return [ceil(count * place / most) - 1 for place in range(1, most + 1)]
