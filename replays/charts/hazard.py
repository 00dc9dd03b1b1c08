"""By when a stack is taken: the share of situations over time, with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10
from typing import Final

from replays.analysis.situations import ANYBODY, EDGES_MS, YOU, Row, Share
from replays.charts.frame import Json, end_words, of_seat

_TICKS_S: Final = (0.25, 0.5, 1, 2, 5, 10)


def hazard(rows: Sequence[Row]) -> Json:
    """A line for what the seat itself took, and one for what anybody took, in percent."""
    lines = {name: [row["figures"][name] for row in rows] for name in (YOU, ANYBODY)}
    most = 110 * max(0.02, *(share["high"] or share["value"] for share in lines[ANYBODY]))
    xaxis = {
        "type": "log",
        "range": [log10(0.9 * EDGES_MS[0]), log10(1.1 * EDGES_MS[-1])],
        "title": {"text": "time since the card was played"},
        "tickmode": "array",
        "tickvals": [1_000 * tick for tick in _TICKS_S],
        "ticktext": [f"{tick:g} s" for tick in _TICKS_S],
    }
    layout = {
        "xaxis": xaxis,
        "yaxis": {"title": {"text": "% taken"}, "range": [0, most]},
        "hovermode": False,
        "dragmode": False,
        "annotations": [
            end_words(seat, f"{words} {100 * of[-1]['value']:.0f}%", 100 * of[-1]["value"])
            for seat, (words, of) in enumerate(lines.items())
        ],
        "meta": {"rounds": []},
    }
    return {"data": [_line(seat, *of) for seat, of in enumerate(lines.items())], "layout": layout}


def _line(seat: int, words: str, told: Sequence[Share]) -> Json:
    edges = [(share["value"], share["low"], share["high"]) for share in told]
    beyond = {
        "array": [0 if high is None else 100 * (high - value) for value, _, high in edges],
        "arrayminus": [0 if low is None else 100 * (value - low) for value, low, _ in edges],
    }
    error = {"type": "data", "symmetric": False, "thickness": 1.5, "width": 4, **beyond}
    points = [(ms, 100 * value) for ms, (value, *_) in zip(EDGES_MS, edges, strict=True)]
    return of_seat(seat, words, points, mode="lines+markers", error_y=error)
