"""Whose cards are in the center, over time: one stacked band per deck."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from games.engine.events import End
from replays.analysis.marks import COLOURS, PATTERNS, label
from replays.charts.course import Course, Moment, notable
from replays.charts.frame import Json, Point, hover_points, layout, value_axis

TITLE = "Whose cards are in the center"


def ownership(course: Course) -> Json:
    """Stacked steps, one band per seat."""
    rows = [_row(moment) for moments in course.moments for moment in _steps(moments)]
    bands = [_band(course, seat, rows) for seat in course.seats]
    return {
        "data": [*bands, hover_points(_points(course))],
        "layout": layout(course, TITLE, yaxis=value_axis("cards", rangemode="tozero")),
    }


def _steps(moments: Sequence[Moment]) -> list[Moment]:
    """The moments at which the center changes, its end, and its clearing after the round."""
    last = moments[-1]
    steps = [moment for moment in moments if notable(moment) or moment is last]
    if isinstance(last.event, End):
        steps.append(last._replace(middle=(0,) * len(last.middle)))
    return steps


def _row(moment: Moment) -> tuple[int, list[int]]:
    return moment.x, [0, *accumulate(moment.middle)]


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


def _points(course: Course) -> list[Point]:
    return [
        Point(moment.x, sum(moment.middle), moment.seq, moment.middle)
        for moments in course.moments
        for moment in moments
        if notable(moment)
    ]
