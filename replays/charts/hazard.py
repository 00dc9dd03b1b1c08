"""By when a stack is taken: the share of situations over time, with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10
from typing import Final, Literal

from replays.analysis.situations.shares import CurveRow, Share
from replays.charts.frame import Json, of_seat

_Line = Literal["own", "taken"]
_LINES: Final[tuple[tuple[_Line, str], ...]] = (("own", "you"), ("taken", "anybody"))
_TICKS_S: Final = (0.25, 0.5, 1, 2, 5, 10)
_APART: Final = 0.1
"""How far the words at the lines' ends stay apart, as a fraction of the height."""


def hazard(rows: Sequence[CurveRow]) -> Json:
    """A line for what the seat itself took, and one for what anybody took, in percent."""
    most = max(2.0, *(100 * _edge(row["taken"], "high") for row in rows)) * 1.1
    own, taken = (100 * rows[-1][name]["value"] for name, _ in _LINES)
    heights = own, max(taken, own + most * _APART)
    ends = zip(_LINES, (own, taken), heights, strict=True)
    return {
        "data": [_line(seat, rows, *line) for seat, line in enumerate(_LINES)],
        "layout": {
            "title": {"text": "Taken by then", "x": 0, "xanchor": "left"},
            "hovermode": False,
            "dragmode": False,
            "xaxis": {
                "type": "log",
                "range": [log10(0.9 * rows[0]["ms"]), log10(1.1 * rows[-1]["ms"])],
                "title": {"text": "time since the card was laid"},
                "tickmode": "array",
                "tickvals": [1_000 * tick for tick in _TICKS_S],
                "ticktext": [f"{tick:g} s" for tick in _TICKS_S],
            },
            "yaxis": {"title": {"text": "% taken"}, "range": [0, most]},
            "annotations": [_end(seat, words, *at) for seat, ((_, words), *at) in enumerate(ends)],
            "meta": {"rounds": []},
        },
    }


def _edge(share: Share, edge: Literal["low", "high"]) -> float:
    found = share[edge]
    return share["value"] if found is None else found


def _line(seat: int, rows: Sequence[CurveRow], name: _Line, words: str) -> Json:
    told = [row[name] for row in rows]
    values = [one["value"] for one in told]
    error = {
        "type": "data",
        "symmetric": False,
        "array": [100 * (_edge(one, "high") - one["value"]) for one in told],
        "arrayminus": [100 * (one["value"] - _edge(one, "low")) for one in told],
        "thickness": 1.5,
        "width": 4,
    }
    points = [(row["ms"], 100 * value) for row, value in zip(rows, values, strict=True)]
    return of_seat(seat, words, points, mode="lines+markers", error_y=error)


def _end(seat: int, words: str, value: float, y: float) -> Json:
    return {
        "name": f"end {seat}", "showarrow": False, "xref": "paper", "x": 1, "xanchor": "left",
        "xshift": 6, "yref": "y", "y": y, "yanchor": "middle", "align": "left",
        "text": f"{words} {value:.0f}%",
    }  # fmt: skip
