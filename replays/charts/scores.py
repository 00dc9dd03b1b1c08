"""The score race: how far each seat is behind the leader, by points if the round ended now. For a
match, by totals."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from games.engine.events import Play
from games.engine.message import Message, spoken
from replays.analysis.marks import COLOURS, DASHES, WEIGHTS, label
from replays.charts.course import Cell, ChartPoint, Course, cells
from replays.charts.frame import (
    HoverPoint,
    Json,
    end_label,
    hover_points,
    layout,
    level,
    marks,
    of_seat,
    value_axis,
)

TITLE = Message("The score race")
LEAST_APART: Final = 0.17
"""The minimum distance between names at line ends, as a fraction of the height."""


def gaps(scores: Sequence[int]) -> list[int]:
    """Each value less the highest: 0 or less."""
    return [score - max(scores) for score in scores]


class Race(NamedTuple):
    """The drawing: the lines, the takes, and the readable points."""

    lines: list[tuple[float, Sequence[int]]]
    takes: list[tuple[float, int, int]]
    """Where, who, and how high."""
    points: list[HoverPoint]


def scores(course: Course) -> Json:
    """A line for each seat, with marks: of a round each take, of a match who took most."""
    race = _of_match(cells(course)) if course.whole else _of_round(course.points)
    ends = _ends(course, race)
    axis = value_axis(course.words(Message("points behind the leader")), range=_range(race, ends))
    drawn = layout(course, TITLE, yaxis=axis)
    drawn["shapes"].append(level("zero", 0))
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
            (point.x, point.event.seat, gaps(point.scores)[point.event.seat])
            for point in points
            if isinstance(point.event, Play) and point.event.takes is not None
        ],
        [HoverPoint(point.x, 0, point.seq, point.scores) for point in points],
    )


def _of_match(shown: Sequence[Cell]) -> Race:
    start: list[tuple[float, Sequence[int]]] = [(0, (0,) * len(shown[0].totals))] if shown else []
    return Race(
        start + [(place + 1, cell.totals) for place, cell in enumerate(shown)],
        [
            (place + 1, seat, gaps(cell.totals)[seat])
            for place, cell in enumerate(shown)
            for seat in _took_most(cell)
        ],
        [HoverPoint(place + 0.5, 0, cell.seq, cell.totals) for place, cell in enumerate(shown)],
    )


def _took_most(cell: Cell) -> Iterator[int]:
    most = max(cell.taken)
    return (seat for seat, cards in enumerate(cell.taken) if cards == most > 0)


def _line(course: Course, seat: int, race: Race) -> Json:
    shape = "linear" if course.whole else "hv"
    return of_seat(
        seat,
        label(seat, course.names[seat]),
        [(x, gaps(scores)[seat]) for x, scores in race.lines],
        line={"shape": shape, "width": 2.25, "dash": DASHES[seat], "color": COLOURS[seat]},
    )


def _takes(course: Course, seat: int, race: Race) -> Json:
    taken = [(x, y) for x, taker, y in race.takes if taker == seat]
    what = "rounds in which most cards went to" if course.whole else "takes of"
    size = (8 if course.whole else 10) * WEIGHTS[seat]
    return marks(seat, f"{what} {label(seat, course.names[seat])}", taken, size)


def _lowest(race: Race) -> int:
    return min((gap for _, scores in race.lines for gap in gaps(scores)), default=0)


def _range(race: Race, ends: Sequence[Json]) -> list[float]:
    """From the lowest to the highest line or name, with some room."""
    values = [0, _lowest(race), *(end["y"] for end in ends)]
    room = 0.06 * max(max(values) - min(values), 1)
    return [min(values) - room, max(values) + room]


def _ends(course: Course, race: Race) -> list[Json]:
    """Each line's name at its end, with what the axis shows there."""
    if not race.lines:
        return []
    behind = gaps(race.lines[-1][1])
    places = spread(behind, LEAST_APART * max(-_lowest(race), 1))
    return [end_label(course, seat, spoken(behind[seat]), places[seat]) for seat in course.seats]


def spread(values: Sequence[float], apart: float) -> list[float]:
    """The values, moved as little as needed to be `apart` from each other. Their order is kept."""
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
