"""The figures of a report: each with one sentence on what to see in it, and its numbers.

Plotly has no keyboard navigation, so every figure must be shown with its table.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from replays.analysis.figures.chances import missed
from replays.analysis.figures.chart import Chart
from replays.analysis.figures.curve import curve
from replays.analysis.figures.feeding import feeding
from replays.analysis.figures.points import points
from replays.analysis.figures.races import races
from replays.analysis.figures.reactions import reactions
from replays.analysis.findings import Findings

CHARTS: Final[dict[str, Callable[[Findings], Chart]]] = {
    "curve": curve,
    "points": points,
    "missed": missed,
    "races": races,
    "reactions": reactions,
    "feeding": feeding,
}


def figure(name: str, findings: Findings) -> Any:
    """The chart with that name as a `plotly.graph_objects.Figure`, for notebooks.

    Raises ValueError if there is none.
    """
    if name not in CHARTS:
        raise ValueError(f"expected one of {', '.join(CHARTS)}, found {name!r}")
    import plotly.graph_objects as go  # slow to import, and only notebooks need it

    figure_of: Any = go.Figure  # type: ignore[attr-defined]
    return figure_of(CHARTS[name](findings).figure())
