"""Where each player's points came from: the parts of their score, side by side."""

from __future__ import annotations

from typing import Final

from replays.analysis.figures.chart import Chart, plain
from replays.analysis.findings import Findings
from replays.analysis.marks import label
from replays.analysis.points_told import TITLES, points_json

TITLE: Final = "Where the points came from (estimate)"


def points(findings: Findings) -> Chart:
    """A bar for each player: what raised the points above the table's average, and what lowered
    them."""
    names = findings.names
    told = points_json(findings.points_by_round, names)
    labels = [label(one["seat"], names[one["seat"]]) for one in told]
    bars = [part for part in TITLES if part != "table"]
    return Chart(
        name="points",
        title=TITLE,
        says=" ".join(one["text"] for one in told) or "No round is over.",
        data=[
            {
                "type": "bar",
                "orientation": "h",
                "name": TITLES[part],
                "x": [one["parts"][part] for one in told],
                "y": labels,
                "hovertemplate": f"%{{y}}: %{{x:+}} {TITLES[part].lower()}<extra></extra>",
            }
            for part in bars
        ],
        layout=plain(
            TITLE,
            barmode="relative",
            xaxis={"title": {"text": "points above or below the table’s average"}},
            yaxis={"autorange": "reversed", "automargin": True},
        ),
        columns=("player", "points", *(title.lower() for title in TITLES.values())),
        rows=[(names[one["seat"]], one["score"], *one["parts"].values()) for one in told],
    )
