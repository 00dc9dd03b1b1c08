"""What every figure has: a drawing, a sentence and a table; and a whole match's time axis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from replays.analysis.marks import COLOURS, DASHES, label
from replays.timeline import Timeline

Json = dict[str, Any]
Cell = str | float | int | None
MOST_ROWS: Final = 1_000
"""The most table rows listed, and marks drawn; any others are only counted."""
_STEPS_S: Final = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1_800, 3_600, 21_600)
_MOST_TICKS: Final = 10


class Chart(NamedTuple):
    """A chart. `says`: what to see in it; `rows`: its numbers, under `columns`."""

    name: str
    title: str
    says: str
    data: list[Json]
    layout: Json
    columns: tuple[str, ...]
    rows: list[tuple[Cell, ...]]
    left_out: int = 0
    """Rows omitted for lack of room."""

    def figure(self) -> Json:
        """In Plotly's form."""
        return {"data": self.data, "layout": self.layout}


class Axis:
    """Rounds laid end to end; times in ms of the match."""

    def __init__(self, timeline: Timeline) -> None:
        self.offsets: dict[int, int] = {}
        self.end = 0
        for played in timeline.rounds:
            self.offsets[played.number] = self.end
            self.end += played.duration_ms

    def at(self, number: int, t: int) -> int:
        """The position of a time in a round."""
        return self.offsets[number] + t

    def layout(self, title: str, **more: Any) -> Json:
        """A layout along the match, with a line at the start of each round."""
        return {
            "title": {"text": title, "x": 0, "xanchor": "left"},
            "xaxis": self._axis(),
            "legend": {"orientation": "h", "y": -0.25, "x": 0},
            "hovermode": "closest",
            "shapes": [_boundary(x) for x in list(self.offsets.values())[:MOST_ROWS]],
            "margin": {"l": 60, "r": 20, "t": 50, "b": 60},
            **more,
        }

    def _axis(self) -> Json:
        end = max(self.end, 1_000)
        step = 1_000 * next((s for s in _STEPS_S if end / s <= 1_000 * _MOST_TICKS), _STEPS_S[-1])
        step = max(step, end // _MOST_TICKS)
        ticks = list(range(0, end + 1, step))
        return {
            "title": {"text": "rounds end to end, min:s"},
            "range": [-end * 0.01, end * 1.01],
            "tickmode": "array",
            "tickvals": ticks,
            "ticktext": [minutes(tick) for tick in ticks],
            "zeroline": False,
        }


def _boundary(x: int) -> Json:
    line = {"width": 1, "dash": "dot", "color": "#888"}
    place = {"xref": "x", "yref": "paper", "x0": x, "x1": x, "y0": 0, "y1": 1}
    return {"type": "line", "layer": "below", "line": line, **place}


def plain(title: str, **more: Any) -> Json:
    """A layout without a time axis."""
    return {
        "title": {"text": title, "x": 0, "xanchor": "left"},
        "legend": {"orientation": "h", "y": -0.2, "x": 0},
        "margin": {"l": 60, "r": 20, "t": 50, "b": 60},
        **more,
    }


def seat_line(seat: int, name: str) -> Json:
    """How a seat's line looks: its own colour and dash."""
    return {
        "name": label(seat, name),
        "meta": {"seat": seat},
        "line": {"color": COLOURS[seat], "dash": DASHES[seat], "width": 2},
    }


def minutes(ms: int) -> str:
    """`m:ss`."""
    return f"{ms // 60_000}:{ms // 1_000 % 60:02}"


def clock(ms: int) -> str:
    """`m:ss.t`."""
    return f"{minutes(ms)}.{ms // 100 % 10}"


def shortened(rows: Sequence[tuple[Cell, ...]]) -> tuple[list[tuple[Cell, ...]], int]:
    """The first `MOST_ROWS` rows, and how many are left out."""
    return list(rows[:MOST_ROWS]), max(0, len(rows) - MOST_ROWS)
