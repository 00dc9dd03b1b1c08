"""What all time charts share: the axis, the cursor's map, the invisible hover points."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from games.records.outline import evenly
from replays.charts.course import Course

Json = dict[str, Any]

STEPS_S: Final = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1_800, 3_600)
MOST_TICKS: Final = 10
MOST_BOUNDARIES: Final = 100
MARGIN: Final = 0.012
"""The fraction of the axis left free on both sides."""


def layout(course: Course, title: str, **more: Any) -> Json:
    """A layout along time; `meta` gives each round's position (ms), for the cursor."""
    return {
        "title": {"text": title, "x": 0, "xanchor": "left"},
        "xaxis": time_axis(course),
        "legend": {"orientation": "h", "y": -0.28, "x": 0},
        "hovermode": "x",
        "hoverdistance": -1,
        "dragmode": False,
        "shapes": boundaries(course),
        "annotations": round_labels(course),
        "meta": {"rounds": [_place(course, index) for index in range(len(course.placed))]},
        **more,
    }


def _place(course: Course, index: int) -> Json:
    placed = course.placed[index]
    return {"round": placed.played.round, "offset": placed.offset, "duration": placed.duration}


def time_axis(course: Course) -> Json:
    """Round times as m:ss; in a whole match the rounds lie end to end."""
    end = max(course.end, 1_000)
    step = 1_000 * next((s for s in STEPS_S if end / s <= 1_000 * MOST_TICKS), STEPS_S[-1])
    ticks = range(0, end + 1, step)
    what = "rounds end to end, min:s" if course.whole else "time in the round, min:s"
    return {
        "title": {"text": what},
        "range": [-end * MARGIN, end * (1 + MARGIN)],
        "tickmode": "array",
        "tickvals": list(ticks),
        "ticktext": [f"{tick // 60_000}:{tick // 1_000 % 60:02}" for tick in ticks],
        "fixedrange": True,
        "zeroline": False,
    }


def value_axis(title: str, **more: Any) -> Json:
    """An axis of counts."""
    return {"title": {"text": title}, "fixedrange": True, "zeroline": False, **more}


def boundaries(course: Course) -> list[Json]:
    """A line at the start of each round of a whole match; only some if there are many."""
    starts = [placed.offset for placed in course.placed] if course.whole else []
    return [
        {
            "type": "line", "name": "boundary", "layer": "below",
            "xref": "x", "yref": "paper", "x0": x, "x1": x, "y0": 0, "y1": 1,
            "line": {"width": 1, "dash": "dot", "color": "#888"},
        }
        for x in evenly(starts, MOST_BOUNDARIES)
    ]  # fmt: skip


def round_labels(course: Course) -> list[Json]:
    """The number of each round above its start; only some if there are many."""
    if not course.whole:
        return []
    every = max(1, -(-len(course.placed) // 10))
    return [
        {
            "name": "round", "text": f"Round {placed.played.round}", "showarrow": False,
            "xref": "x", "yref": "paper", "x": placed.offset, "y": 1,
            "xanchor": "left", "yanchor": "bottom",
        }
        for placed in course.placed[::every]
    ]  # fmt: skip


class HoverPoint(NamedTuple):
    """A place to hover: where it is drawn, the line it is about, and numbers to show."""

    x: int
    y: float
    seq: int
    values: Sequence[int]


def hover_points(points: Iterable[HoverPoint]) -> Json:
    """Points to hover on and click, which nothing has to draw; `meta.values` has their numbers."""
    rows = list(points)
    return {
        "type": "scatter",
        "mode": "none",
        "name": "events",
        "x": [point.x for point in rows],
        "y": [point.y for point in rows],
        "customdata": [point.seq for point in rows],
        "meta": {"values": [list(point.values) for point in rows]},
        "showlegend": False,
    }
