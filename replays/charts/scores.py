"""The score race: of a round, each seat's score if it ended now; of a match, its totals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from games.engine.events import Play
from replays.analysis.marks import COLOURS, DASHES, WEIGHTS, label, signed
from replays.charts.course import ChartPoint, Course
from replays.charts.frame import (
    HoverPoint,
    Json,
    end_label,
    heading,
    hover_points,
    layout,
    level,
    marks,
    of_seat,
    value_axis,
)
from replays.charts.rounds import Cell, cells

TITLE = "The score race"
LEAST_APART: Final = 0.17
"""The minimum distance between names at line ends, as a fraction of the height."""


class Race(NamedTuple):
    """What is drawn: where the lines go, who took something where, and what can be read."""

    lines: list[tuple[float, Sequence[int]]]
    takes: list[tuple[float, int, int]]
    """Where, who, and how high."""
    points: list[HoverPoint]


def scores(course: Course) -> Json:
    """A line for each seat, with marks: of a round each take, of a match who took most."""
    race = _of_match(cells(course)) if course.whole else _of_round(course.points)
    axis = "total" if course.whole else "score if the round ended now"
    ends = _ends(course, race)
    drawn = layout(course, TITLE, yaxis=value_axis(axis, range=_range(race, ends)))
    drawn["shapes"] += _levels(course, race)
    drawn["annotations"] += ends
    return {
        "data": [
            *(_line(course, seat, race) for seat in course.seats),
            *(_takes(course, seat, race) for seat in course.seats),
            hover_points(race.points),
        ],
        "layout": drawn,
    }


def _of_round(points: Sequence[ChartPoint]) -> Race:
    return Race(
        [(point.x, point.scores) for point in points],
        [
            (point.x, point.event.seat, point.scores[point.event.seat])
            for point in points
            if isinstance(point.event, Play) and point.event.takes is not None
        ],
        [HoverPoint(point.x, max(point.scores), point.seq, point.scores) for point in points],
    )


def _of_match(shown: Sequence[Cell]) -> Race:
    start: list[tuple[float, Sequence[int]]] = [(0, (0,) * len(shown[0].totals))] if shown else []
    return Race(
        start + [(place + 1, cell.totals) for place, cell in enumerate(shown)],
        [
            (place + 1, seat, cell.totals[seat])
            for place, cell in enumerate(shown)
            for seat in _took_most(cell)
        ],
        [
            HoverPoint(place + 0.5, max(cell.totals), cell.seq, cell.totals)
            for place, cell in enumerate(shown)
        ],
    )


def _took_most(cell: Cell) -> Iterator[int]:
    most = max(cell.taken)
    return (seat for seat, cards in enumerate(cell.taken) if cards == most > 0)


def _line(course: Course, seat: int, race: Race) -> Json:
    shape = "linear" if course.whole else "hv"
    return of_seat(
        seat,
        label(seat, course.names[seat]),
        [(x, scores[seat]) for x, scores in race.lines],
        line={"shape": shape, "width": 2.25, "dash": DASHES[seat], "color": COLOURS[seat]},
    )


def _takes(course: Course, seat: int, race: Race) -> Json:
    taken = [(x, y) for x, taker, y in race.takes if taker == seat]
    what = "rounds in which most cards went to" if course.whole else "takes of"
    size = (8 if course.whole else 10) * WEIGHTS[seat]
    return marks(seat, f"{what} {label(seat, course.names[seat])}", taken, size)


def _levels(course: Course, race: Race) -> list[Json]:
    """The zero line and, in a whole match, the winning total."""
    values = [score for _, scores in race.lines for score in scores]
    target = [course.rules.target] if _aims(course, values) else []
    return [level("zero", 0), *(level("target", y, "dash") for y in target)]


def _range(race: Race, ends: Sequence[Json]) -> list[float]:
    """From the lowest to the highest line or name, with some room."""
    values = [0, *(score for _, scores in race.lines for score in scores), *(e["y"] for e in ends)]
    room = 0.06 * max(max(values) - min(values), 1)
    return [min(values) - room, max(values) + room]


def _ends(course: Course, race: Race) -> list[Json]:
    """Each line's name and value at its end, and a label for the upper level."""
    rules = course.rules
    values = [score for _, scores in race.lines for score in scores]
    labels = (
        [heading("target", f"target {rules.target}", rules.target)] if _aims(course, values) else []
    )
    if not race.lines:
        return labels
    last = race.lines[-1][1]
    places = spread(last, LEAST_APART * max(max(values) - min(values), 1))
    ends = [end_label(course, seat, signed(last[seat]), places[seat]) for seat in course.seats]
    return labels + ends


def _aims(course: Course, values: Sequence[int]) -> bool:
    """Whether the winning total is shown: in a match that has come some way towards it."""
    rules = course.rules
    return course.whole and not rules.speedy and max(values, default=0) > rules.target / 4


def spread(values: Sequence[float], apart: float) -> list[float]:
    """The values, moved as little as needed to be `apart` from each other; their order is kept."""
    order = sorted(range(len(values)), key=lambda index: values[index])
    places = [values[index] for index in order]
    for _ in places:
        for low in range(len(places) - 1):
            short = apart - (places[low + 1] - places[low])
            if short > 0:
                places[low] -= short / 2
                places[low + 1] += short / 2
    spaced = [0.0] * len(values)
    for index, place in zip(order, places, strict=True):
        spaced[index] = place
    return spaced
