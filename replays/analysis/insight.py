"""Insight: a match's curve and moments as JSON values, from one series.

docs/explanation/model-card.md explains them. Both are estimates by a model.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from games.engine.message import points_between
from replays.analysis.moments import Moment, moments
from replays.analysis.report_json import MatchMoment
from replays.analysis.winning.network import rounded
from replays.analysis.winning.series import Point, curve_and_befores, series
from replays.timeline import Timeline

Json = dict[str, Any]
_DIGITS: Final = 4


def insight(timeline: Timeline) -> Json:
    """`curve` and `moments`. The curve uses only a spectator's knowledge."""
    points = series(timeline, detailed=True)
    return insight_of(points, moments(timeline, points))


def insight_of(points: Sequence[Point], listed: Iterable[Moment]) -> Json:
    """The same, from a detailed series and known moments."""
    return {
        "curve": [
            {
                "seq": point.seq,
                "round": point.round,
                "t": point.t,
                "p": rounded(point.p, _DIGITS),
            }
            for point in curve_and_befores(points)
        ],
        "moments": moments_json(listed),
    }


def moments_json(listed: Iterable[Moment]) -> list[MatchMoment]:
    return [
        {
            "seq": moment.seq,
            "round": moment.round,
            "t": moment.t,
            "kind": moment.kind,
            "seats": list(moment.seats),
            "delta": round(moment.delta, _DIGITS),
            "points": points_between(*moment.chances),
            "text": moment.text,
        }
        for moment in listed
    ]
