"""Where a player's points come from, across matches: a bar and an interval for each part."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from replays.analysis.careers.figures import PARTS
from replays.analysis.careers.intervals import Estimate
from replays.analysis.points import Points
from replays.analysis.points_told import parts_said
from replays.pages.players.results import ShownFigure, shown


class Part(NamedTuple):
    """A part of the points per round; its bar goes from the middle (0) to as far as ±1."""

    figure: ShownFigure
    start: float
    length: float

    @property
    def lost(self) -> bool:
        """Whether it lowers the points."""
        return self.start < 0


class Parts(NamedTuple):
    """All parts of the points per round. `text`: what they come to, in a sentence."""

    text: str
    table: ShownFigure
    rows: list[Part]

    @property
    def figures(self) -> list[ShownFigure]:
        """The parts, which add up to the points."""
        return [self.table, *(part.figure for part in self.rows)]


def parts_of(estimates: Mapping[str, Estimate]) -> Parts | None:
    """None as long as no match is counted."""
    found = [shown(figure, estimates.get(figure.key)) for figure in PARTS]
    figures = [one for one in found if one is not None]
    if len(figures) < len(PARTS):
        return None
    table, *moved = figures
    values = [one.estimate.value for one in moved]
    most = max(map(abs, values)) or 1.0
    rows = [
        Part(one, round(min(0.0, value) / most, 3), round(abs(value) / most, 3))
        for one, value in zip(moved, values, strict=True)
    ]
    said = ", ".join(parts_said(Points(table.estimate.value, *values), 1))
    whole = f"{table.estimate.value + sum(values):.1f}".replace("-", "−")
    text = f"{whole} points a round, where its tables made {table.value} on average"
    return Parts(f"{text}{said and ': '}{said}.", table, rows)
