"""Reactions: how long each seat took to play what it could, by trigger."""

from __future__ import annotations

from statistics import median
from typing import Final

from replays.analysis.figures.chart import Chart, Json, plain, shortened
from replays.analysis.findings import Findings
from replays.analysis.marks import COLOURS, PATTERNS, label
from replays.analysis.triggers import TRIGGERS

TITLE: Final = "Reactions, median of the rounds' medians"


def reactions(findings: Findings) -> Chart:
    """Bars, one per seat for each kind of trigger."""
    names = findings.names
    medians = [_medians(findings, seat) for seat in range(len(names))]
    rows, left_out = shortened(
        [(name, *mine.values()) for name, mine in zip(names, medians, strict=True)]
    )
    return Chart(
        name="reactions",
        title=TITLE,
        says=(
            "How long a playable card waited in hand before it was played, by what had made it "
            "playable; lower is faster."
        ),
        data=[_bars(seat, name, medians[seat]) for seat, name in enumerate(names)],
        layout=plain(
            TITLE,
            barmode="group",
            xaxis={
                "title": {"text": "made playable by"},
                "tickvals": list(TRIGGERS),
                "ticktext": [trigger.replace(" ", "<br>") for trigger in TRIGGERS],
                "tickangle": 0,
            },
            legend={"orientation": "h", "y": -0.45, "x": 0},
            yaxis={"title": {"text": "ms"}, "rangemode": "tozero"},
        ),
        columns=("player", *TRIGGERS),
        rows=rows,
        left_out=left_out,
    )


def _medians(findings: Findings, seat: int) -> dict[str, float | None]:
    found: dict[str, float | None] = {}
    for trigger in TRIGGERS:
        times = [
            one.seats[seat].reactions[trigger].median_ms
            for one in findings.tempo
            if trigger in one.seats[seat].reactions
        ]
        found[trigger] = median(times) if times else None
    return found


def _bars(seat: int, name: str, medians: dict[str, float | None]) -> Json:
    return {
        "type": "bar",
        "name": label(seat, name),
        "meta": {"seat": seat},
        "x": list(medians),
        "y": list(medians.values()),
        "marker": {"color": COLOURS[seat], "pattern": {"shape": PATTERNS[seat]}},
        "hovertemplate": "%{x}: %{y:.0f} ms<extra></extra>",
    }
