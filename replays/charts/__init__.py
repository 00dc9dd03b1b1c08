"""Charts: Plotly figures as plain values, each made from a match's timeline alone.

No colours are chosen here. See `replays.analysis.marks`.
"""

from collections.abc import Callable
from typing import Final

from replays.charts.course import Course
from replays.charts.fed import fed
from replays.charts.frame import Json
from replays.charts.ownership import ownership
from replays.charts.scores import scores
from replays.timeline import Timeline

CHARTS: Final[dict[str, Callable[[Course], Json]]] = {
    "ownership": ownership,
    "scores": scores,
    "fed": fed,
}


def figure(name: str, timeline: Timeline, number: int | None = None) -> Json:
    """The chart with that name, of one round or (None) of the whole match: `data` and `layout`.

    Raises LookupError if there is no such chart or round.
    """
    return CHARTS[name](Course.of(timeline, number))
