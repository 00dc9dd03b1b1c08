"""Where a player's points come from, across matches: a bar and an interval for each part."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from replays.analysis.careers.figures import FEW_PARTS, PARTS
from replays.analysis.careers.intervals import Estimate
from replays.analysis.points import CHOICE_FROM, Points
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
    enough: bool
    """Whether there are matches enough to tell choice from the rest."""

    @property
    def figures(self) -> list[ShownFigure]:
        """The parts, which add up to the points."""
        return [self.table, *(part.figure for part in self.rows)]


def parts_of(estimates: Mapping[str, Estimate]) -> Parts | None:
    """None as long as no match is counted."""
    counted = estimates.get("by_choice")
    if counted is None:
        return None
    enough = counted.matches >= CHOICE_FROM
    wanted = PARTS if enough else FEW_PARTS
    found = [shown(figure, estimates.get(figure.key)) for figure in wanted]
    table, *moved = [one for one in found if one is not None]
    values = [one.estimate.value for one in moved]
    most = max(map(abs, values)) or 1.0
    rows = [
        Part(one, round(min(0.0, value) / most, 3), round(abs(value) / most, 3))
        for one, value in zip(moved, values, strict=True)
    ]
    parts = {
        figure.key.removeprefix("by_"): value
        for figure, value in zip(wanted[1:], values, strict=True)
    }
    rest = parts.pop("other", 0.0)
    said = ", ".join(parts_said(Points(**{"rest": rest, **parts}), 1))
    whole = f"{table.estimate.value + sum(values):.1f}".replace("-", "−")
    text = f"{whole} points a round, where its tables made {table.value} on average"
    return Parts(f"{text}{said and ': '}{said}.", table, rows, enough)
