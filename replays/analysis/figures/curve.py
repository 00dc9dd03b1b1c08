"""The win probability of every seat along the match, with its moments."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from replays.analysis.figures.chart import Axis, Chart, Json, clock, seat_line, shortened
from replays.analysis.findings import Findings
from replays.analysis.marks import escape
from replays.analysis.moments import Moment
from replays.analysis.winning.series import CLOCK, Point

TITLE: Final = "Win probability (estimated)"
MOST_POINTS: Final = 5_000
"""Per line; in a longer match every nth point is drawn."""


def curve(findings: Findings) -> Chart:
    """Stepped lines, one per seat."""
    axis, names, points = Axis(findings.timeline), findings.names, findings.curve
    drawn = points[:: -(-len(points) // MOST_POINTS) or 1]
    layout = axis.layout(
        TITLE,
        yaxis={"title": {"text": "win probability"}, "range": [-0.02, 1.02], "tickformat": ".0%"},
    )
    rows, left_out = shortened([_row(point) for point in points if point.cause != CLOCK])
    return Chart(
        name="curve",
        title=TITLE,
        says=_says(findings),
        data=[
            *(_line(axis, drawn, seat, name) for seat, name in enumerate(names)),
            _marks(axis, findings.moments, points),
        ],
        layout=layout,
        columns=("round", "time", "what", *names),
        rows=rows,
        left_out=left_out,
    )


def _row(point: Point) -> tuple[str | float | int | None, ...]:
    return point.round, clock(point.t), point.cause, *(round(p, 3) for p in point.p)


def _says(findings: Findings) -> str:
    changes = len(findings.lead_changes)
    often = "once" if changes == 1 else f"{changes} times"
    steepest = max(pairwise(findings.curve), key=_height, default=None)
    if steepest is None or not changes:
        return "Who was likely to win at each moment: nobody ever lost the lead."
    place = f"round {steepest[1].round}, {clock(steepest[1].t)}"
    return f"Who was likely to win: the lead changed {often}; the steepest step is at {place}."


def _height(step: tuple[Point, Point]) -> float:
    return max(abs(b - a) for a, b in zip(step[0].p, step[1].p, strict=True))


def _line(axis: Axis, points: Sequence[Point], seat: int, name: str) -> Json:
    look = seat_line(seat, name)
    return {
        "type": "scatter",
        "mode": "lines",
        **look,
        "line": {**look["line"], "shape": "hv"},
        "x": [axis.at(point.round, point.t) for point in points],
        "y": [round(point.p[seat], 4) for point in points],
        "customdata": [point.seq for point in points],
        "hovertemplate": f"{escape(name)} %{{y:.0%}}<extra></extra>",
    }


def _marks(axis: Axis, moments: Sequence[Moment], points: Sequence[Point]) -> Json:
    after = {}
    for moment in moments:
        later = (point for point in points if point.seq >= moment.seq)
        point = next(later, None)
        after[moment] = point.p[moment.seats[0]] if point else 0.5
    return {
        "type": "scatter",
        "mode": "markers",
        "name": "moments",
        "x": [axis.at(moment.round, moment.t) for moment in moments],
        "y": [round(after[moment], 4) for moment in moments],
        "text": [escape(moment.text) for moment in moments],
        "customdata": [moment.seq for moment in moments],
        "marker": {"size": 11, "symbol": "circle-open", "color": "#777", "line": {"width": 2}},
        "hovertemplate": "%{text}<extra></extra>",
    }
