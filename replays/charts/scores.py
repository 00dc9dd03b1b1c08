"""The score race: each seat's total if the round ended now."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.engine.events import Play
from replays.analysis.marks import COLOURS, DASHES, SYMBOLS, WEIGHTS, label, signed
from replays.charts.course import ChartPoint, Course, notable
from replays.charts.frame import HoverPoint, Json, hover_points, layout, value_axis

TITLE = "The score race"
LEAST_APART: Final = 0.075
"""The minimum distance between names at line ends, as a fraction of the height."""

Row = tuple[int | None, int | None]


def scores(course: Course) -> Json:
    """Stepped lines, one per seat, with a mark at each of its takes."""
    axis = "total if the round ended now" if course.whole else "score if the round ended now"
    drawn = layout(course, TITLE, yaxis=value_axis(axis))
    drawn["shapes"] += _levels(course)
    drawn["annotations"] += _ends(course)
    return {
        "data": [
            *(_line(course, seat) for seat in course.seats),
            *(_takes(course, seat) for seat in course.seats),
            hover_points(_points(course)),
        ],
        "layout": drawn,
    }


def _steps(course: Course, points: Sequence[ChartPoint]) -> list[ChartPoint]:
    """All points of one round; for a whole match those that matter, and the last."""
    if not course.whole:
        return list(points)
    return [point for point in points if notable(point) or point is points[-1]]


def _line(course: Course, seat: int) -> Json:
    rows: list[Row] = []
    for points in course.points:
        rows += [(point.x, point.scores[seat]) for point in _steps(course, points)]
        rows.append((None, None))
    return {
        "type": "scatter",
        "mode": "lines",
        "name": label(seat, course.names[seat]),
        "legendgroup": str(seat),
        "meta": {"seat": seat},
        "x": [x for x, _ in rows],
        "y": [y for _, y in rows],
        "line": {"shape": "hv", "width": 2.25, "dash": DASHES[seat], "color": COLOURS[seat]},
        "hoverinfo": "skip",
    }


def _takes(course: Course, seat: int) -> Json:
    taken = [m for points in course.points for m in points if _takes_for(m, seat)]
    return {
        "type": "scatter",
        "mode": "markers",
        "name": f"takes of {label(seat, course.names[seat])}",
        "legendgroup": str(seat),
        "showlegend": False,
        "meta": {"seat": seat, "mark": True},
        "x": [point.x for point in taken],
        "y": [point.scores[seat] for point in taken],
        "marker": {
            "symbol": SYMBOLS[seat],
            "size": (6 if course.whole else 10) * WEIGHTS[seat],
            "color": COLOURS[seat],
            "line": {"width": 1.5, "color": "#fff"},
        },
        "hoverinfo": "skip",
    }


def _takes_for(point: ChartPoint, seat: int) -> bool:
    event = point.event
    return isinstance(event, Play) and event.takes is not None and event.seat == seat


def _points(course: Course) -> list[HoverPoint]:
    return [
        HoverPoint(point.x, max(point.scores), point.seq, point.scores)
        for points in course.points
        for point in _steps(course, points)
    ]


def _levels(course: Course) -> list[Json]:
    """The zero line and, in a whole match, the winning total."""
    rules = course.rules
    target = [rules.target] if course.whole and not rules.speedy else []
    return [
        {
            "type": "line", "name": name, "layer": "below",
            "xref": "paper", "yref": "y", "x0": 0, "x1": 1, "y0": y, "y1": y,
            "line": {"width": 1, "dash": dash, "color": "#888"},
        }
        for name, dash, y in [("zero", "solid", 0), *(("target", "dash", y) for y in target)]
    ]  # fmt: skip


def _ends(course: Course) -> list[Json]:
    """Each line's name and value at its end, and a label for the upper level."""
    rules = course.rules
    labels = [] if not course.whole or rules.speedy else [_target(rules.target)]
    if not course.points:
        return labels
    last = course.points[-1][-1].scores
    values = [score for points in course.points for m in points for score in m.scores]
    places = spread(last, LEAST_APART * max(max(values) - min(values), 1))
    return labels + [
        {
            "name": "end", "showarrow": False, "xref": "paper", "x": 1, "xanchor": "left",
            "xshift": 6, "yref": "y", "y": places[seat], "yanchor": "middle", "align": "left",
            "text": f"{label(seat, course.names[seat])} {signed(last[seat])}",
        }
        for seat in course.seats
    ]  # fmt: skip


def _target(target: int) -> Json:
    return {
        "name": "target", "text": f"target {target}", "showarrow": False,
        "xref": "paper", "x": 0, "xanchor": "left", "yref": "y", "y": target, "yanchor": "bottom",
    }  # fmt: skip


def spread(values: Sequence[float], apart: float) -> list[float]:
    """The values, moved as little as needed to be `apart` from each other; their order is kept."""
    order = sorted(range(len(values)), key=lambda index: values[index])
    places = [values[index] for index in order]
    for _ in places:
        for low in range(len(places) - 1):
            short = apart - (places[low + 1] - places[low])
            if short > 0:
                places[low] -= short / 2
                places[low + 1] += short / 2
    found = [0.0] * len(values)
    for index, place in zip(order, places, strict=True):
        found[index] = place
    return found
