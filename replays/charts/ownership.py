"""Whose cards are in the center, over time: one stacked band per deck."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from games.engine.events import End
from replays.analysis.marks import COLOURS, PATTERNS, label
from replays.charts.course import ChartPoint, Course, notable
from replays.charts.frame import HoverPoint, Json, hover_points, layout, value_axis

TITLE = "Whose cards are in the center"


def ownership(course: Course) -> Json:
    """Stacked steps, one band per seat."""
    rows = [_row(point) for points in course.points for point in _steps(points)]
    bands = [_band(course, seat, rows) for seat in course.seats]
    return {
        "data": [*bands, hover_points(_points(course))],
        "layout": layout(course, TITLE, yaxis=value_axis("cards", rangemode="tozero")),
    }


def _steps(points: Sequence[ChartPoint]) -> list[ChartPoint]:
    """The points at which the center changes, its end, and its clearing after the round."""
    last = points[-1]
    steps = [point for point in points if notable(point) or point is last]
    if isinstance(last.event, End):
        steps.append(last._replace(middle=(0,) * len(last.middle)))
    return steps


def _row(point: ChartPoint) -> tuple[int, list[int]]:
    return point.x, [0, *accumulate(point.middle)]


def _band(course: Course, seat: int, rows: Sequence[tuple[int, list[int]]]) -> Json:
    return {
        "type": "scatter",
        "mode": "lines",
        "name": label(seat, course.names[seat]),
        "meta": {"seat": seat},
        "x": [x for x, _ in rows],
        "y": [heights[seat + 1] for _, heights in rows],
        "line": {"shape": "hv", "width": 1.25, "color": COLOURS[seat]},
        "fill": "tonexty" if seat else "tozeroy",
        "fillcolor": COLOURS[seat],
        "fillpattern": {"shape": PATTERNS[seat], "fillmode": "overlay", "size": 7, "solidity": 0.2},
        "hoverinfo": "skip",
    }


def _points(course: Course) -> list[HoverPoint]:
    return [
        HoverPoint(point.x, sum(point.middle), point.seq, point.middle)
        for points in course.points
        for point in points
        if notable(point)
    ]
