"""Who fed whom: cards played onto stacks that others took."""

from __future__ import annotations

from typing import Final

from replays.analysis.figures.chart import Chart, plain
from replays.analysis.findings import Findings
from replays.analysis.marks import label

TITLE: Final = "Who fed whom"


def feeding(findings: Findings) -> Chart:
    """A matrix: cards of the row's seat in stacks that the column's seat took."""
    names = findings.names
    cards = [[int(cell.value or 0) for cell in row.fed] for row in findings.players]
    seats = range(len(names))
    others = [(cards[i][j], i, j) for i in seats for j in seats if i != j]
    most, giver, taker = max(others)
    labels = [label(seat, name) for seat, name in enumerate(names)]
    return Chart(
        name="feeding",
        title=TITLE,
        says=(
            f"{names[giver]} gave {names[taker]} the most: {most} cards lay in stacks "
            f"that {names[taker]} took."
        ),
        data=[
            {
                "type": "heatmap",
                "z": cards,
                "x": labels,
                "y": labels,
                "text": cards,
                "texttemplate": "%{text}",
                "colorscale": "Cividis",
                "showscale": False,
                "hovertemplate": "%{y} onto stacks of %{x}: %{z}<extra></extra>",
            }
        ],
        layout=plain(
            TITLE,
            xaxis={"title": {"text": "taken by"}},
            yaxis={"title": {"text": "played by"}, "autorange": "reversed", "automargin": True},
        ),
        columns=("played by", *(f"taken by {name}" for name in names)),
        rows=[(name, *row) for name, row in zip(names, cards, strict=True)],
    )
