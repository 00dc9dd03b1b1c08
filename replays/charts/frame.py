"""What charts from left to right share: the axis, the cursor's map, the invisible hover points."""

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from games.engine.message import Message
from replays.analysis.marks import COLOURS, PATTERNS, SYMBOLS, label
from replays.charts.course import Course, cells, per_cell

Json = dict[str, Any]
Corner = tuple[float, float]

STEPS_S: Final = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1_800, 3_600)
MOST_TICKS: Final = 10
MARGIN: Final = 0.012
"""The fraction of a time axis left free on both sides."""


def layout(course: Course, title: Message, **more: Any) -> Json:
    """A layout along the round's time, or along the match's rounds.

    `meta.rounds` says where each round is on the axis, for the cursor, and `meta.cells` has the
    rounds of each cell of a match.
    """
    return {
        "title": {"text": course.words(title), "x": 0, "xanchor": "left"},
        "xaxis": _rounds_axis(course) if course.whole else _time_axis(course),
        "showlegend": False,
        "hovermode": "x",
        "hoverdistance": -1,
        "dragmode": False,
        "shapes": [],
        "annotations": [],
        "meta": _meta(course),
        **more,
    }


def _meta(course: Course) -> Json:
    size = per_cell(len(course.rounds))
    return {
        "rounds": [
            {
                "round": played.round,
                "offset": round(place / size, 4) if course.whole else 0,
                "width": round(1 / size, 4) if course.whole else played.duration_ms,
                "duration": played.duration_ms,
            }
            for place, played in enumerate(course.rounds)
        ],
        **({"cells": [cell.name for cell in cells(course)]} if course.whole else {}),
    }


def time_range(duration: int) -> list[float]:
    """From where to where the axis of a round goes, in ms."""
    end = max(duration, 1_000)
    return [-end * MARGIN, end * (1 + MARGIN)]


def _time_axis(course: Course) -> Json:
    """Times in the round as m:ss."""
    end = max(course.duration, 1_000)
    step = 1_000 * next((s for s in STEPS_S if end / s <= 1_000 * MOST_TICKS), STEPS_S[-1])
    ticks = range(0, end + 1, step)
    return {
        "title": {"text": course.words(Message("time in the round, min:s"))},
        "range": time_range(course.duration),
        "tickmode": "array",
        "tickvals": list(ticks),
        "ticktext": [f"{tick // 60_000}:{tick // 1_000 % 60:02}" for tick in ticks],
        "fixedrange": True,
        "zeroline": False,
    }


def _rounds_axis(course: Course) -> Json:
    """One unit for each cell."""
    shown = cells(course)
    return {
        "title": {"text": course.words(Message("round"))},
        "range": [0, max(1, len(shown))],
        "tickmode": "array",
        "tickvals": [place + 0.5 for place in range(len(shown))],
        "ticktext": [cell.name for cell in shown],
        "fixedrange": True,
        "showgrid": False,
        "zeroline": False,
    }


def value_axis(title: str, **more: Any) -> Json:
    return {"title": {"text": title}, "fixedrange": True, "zeroline": False, **more}


def end_label(course: Course, seat: int, value: str, y: float) -> Json:
    """A seat's name and a value, where its line ends."""
    return {
        "name": f"end {seat}", "showarrow": False, "xref": "paper", "x": 1, "xanchor": "left",
        "xshift": 6, "yref": "y", "y": y, "yanchor": "middle", "align": "left",
        "text": f"{label(seat, course.names[seat])}\u00a0{value}",
    }  # fmt: skip


def heading(name: str, text: str, y: float) -> Json:
    """Words at the left, above a height."""
    return {
        "name": name, "text": text, "showarrow": False, "xref": "paper", "x": 0,
        "xanchor": "left", "xshift": 8, "yref": "y", "y": y, "yanchor": "bottom",
    }  # fmt: skip


def level(name: str, y: float) -> Json:
    """A line through the whole chart at a height."""
    return {
        "type": "line", "name": name, "layer": "below",
        "xref": "paper", "yref": "y", "x0": 0, "x1": 1, "y0": y, "y1": y,
        "line": {"width": 1, "dash": "solid", "color": "#888"},
    }  # fmt: skip


def of_seat(
    seat: int, name: str, points: Iterable[tuple[float, float] | tuple[None, None]], **more: Any
) -> Json:
    """One seat's trace. Gaps are None."""
    places = list(points)
    return {
        "type": "scatter",
        "mode": "lines",
        "name": name,
        "x": [x for x, _ in places],
        "y": [y for _, y in places],
        "hoverinfo": "skip",
        **more,
        "meta": {"seat": seat, **more.get("meta", {})},
    }


def marks(
    seat: int, name: str, points: Iterable[tuple[float, float]], size: Any, **more: Any
) -> Json:
    """Points with the seat's symbol, of one size or each of its own."""
    return of_seat(
        seat,
        name,
        points,
        **{"mode": "markers", **more},
        meta={"mark": True},
        cliponaxis=False,
        marker={
            "symbol": SYMBOLS[seat],
            "size": size,
            "color": COLOURS[seat],
            "opacity": 1,  # Plotly pales marks of several sizes
            "line": {"width": 1.5, "color": "#fff"},
        },
    )


class HoverPoint(NamedTuple):
    """A place to hover: where it is drawn, the line it is about, and numbers to show."""

    x: float
    y: float
    seq: int
    values: Sequence[int]


def hover_points(points: Iterable[HoverPoint]) -> Json:
    """Points to hover on and click, which nothing has to draw. `meta.values` has their numbers."""
    rows = list(points)
    return {
        "type": "scatter",
        "mode": "none",
        "name": "events",
        "x": [point.x for point in rows],
        "y": [point.y for point in rows],
        "customdata": [point.seq for point in rows],
        "meta": {"values": [list(point.values) for point in rows]},
    }


def filled(seat: int, name: str, corners: Iterable[Corner | None], **meta: Any) -> Json:
    """Areas in a seat's look, as one outline with gaps (None): quick to draw, however many.

    `share`: how opaque they are, if not as usual. Then they have no pattern.
    """
    pattern = {"shape": PATTERNS[seat], "fillmode": "overlay", "size": 6, "solidity": 0.2}
    return of_seat(
        seat,
        name,
        (corner or (None, None) for corner in corners),
        meta={"edge": True, **meta},
        line={"width": 0.75, "color": "#fff"},
        fill="toself",
        fillcolor=COLOURS[seat],
        **({} if "share" in meta else {"fillpattern": pattern}),
    )


def box(x0: float, x1: float, low: float, high: float) -> list[Corner | None]:
    """A rectangle and a gap."""
    corners = ((x0, low), (x0, high), (x1, high), (x1, low), (x0, low))
    return [*((x, round(y, 4)) for x, y in corners), None]
