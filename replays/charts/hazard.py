"""By when a stack is taken: the share of situations over time, with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10
from typing import Final, Literal

from replays.analysis.situations.shares import CurveRow
from replays.charts.frame import Json, of_seat

TITLE: Final = "Taken by then"
_TICKS_S: Final = (0.25, 0.5, 1, 2, 5, 10)
_LINES: Final[tuple[tuple[Literal["own", "taken"], str], ...]] = (
    ("own", "by it"),
    ("taken", "by any"),
)


def hazard(rows: Sequence[CurveRow]) -> Json:
    """A line for what the seat itself took, and one for what anybody took."""
    most = max([0.02, *(row["taken"]["high"] or row["taken"]["value"] for row in rows)])
    span = [log10(rows[0]["ms"] * 0.9), log10(rows[-1]["ms"] * 1.1)]
    return {
        "data": [_line(at, name, words, rows) for at, (name, words) in enumerate(_LINES)],
        "layout": {
            "title": {"text": TITLE, "x": 0, "xanchor": "left"},
            "hovermode": "x",
            "dragmode": False,
            "xaxis": {
                "type": "log",
                "range": span,
                "title": {"text": "seconds since the card was laid"},
                "tickmode": "array",
                "tickvals": [1_000 * tick for tick in _TICKS_S],
                "ticktext": [f"{tick:g} s" for tick in _TICKS_S],
            },
            "yaxis": {
                "title": {"text": "taken"},
                "range": [0, most * 1.1],
                "tickformat": ".0%",
                "rangemode": "tozero",
            },
            "annotations": [_end(at, name, words, rows) for at, (name, words) in enumerate(_LINES)],
            "meta": {"rounds": []},
        },
    }


def _line(at: int, name: Literal["own", "taken"], words: str, rows: Sequence[CurveRow]) -> Json:
    told = [row[name] for row in rows]
    points = [(row["ms"], share["value"]) for row, share in zip(rows, told, strict=True)]
    beyond = {
        "array": [(one["high"] or one["value"]) - one["value"] for one in told],
        "arrayminus": [
            one["value"] - (one["value"] if one["low"] is None else one["low"]) for one in told
        ],
    }
    error = {"type": "data", "symmetric": False, "thickness": 1.5, "width": 4, **beyond}
    return of_seat(at, words, points, mode="lines+markers", error_y=error)


def _end(at: int, name: Literal["own", "taken"], words: str, rows: Sequence[CurveRow]) -> Json:
    value = rows[-1][name]["value"]
    return {
        "name": f"end {at}", "showarrow": False, "xref": "paper", "x": 1, "xanchor": "left",
        "xshift": 6, "yref": "y", "y": value, "yanchor": "middle", "align": "left",
        "text": f"{words} {value:.0%}",
    }  # fmt: skip
