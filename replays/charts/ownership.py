"""Who owned the center, and who took it.

Of a round: a lane for each center stack, over time. Each card is a strip, in its owner's colour
and pattern, from when it was played until its stack was taken; the mark there is the taker's, with
the number of cards, and from it they fall into the taker's score pile. Of a match: for each round a
column of the cards put into the center, and the score piles of all rounds so far.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Final

from games.engine.cards import OWNER
from games.engine.events import End, Late, Play, Tie
from replays.analysis.marks import COLOURS, WEIGHTS, label
from replays.analysis.stacks import Stack
from replays.charts.bands import (
    GAP,
    LANE,
    Corner,
    Lanes,
    Taken,
    box,
    filled,
    most_won,
    pile_labels,
    pile_ticks,
    piles,
)
from replays.charts.course import ChartPoint, Course
from replays.charts.frame import (
    HoverPoint,
    Json,
    heading,
    hover_points,
    layout,
    marks,
    of_seat,
    time_range,
    value_axis,
)
from replays.charts.profit import profit
from replays.charts.rounds import Cell, cells

TITLE: Final = "Stack ownership"
LEAST_HEIGHT: Final = 8
"""In cards; so a lane of low stacks or piles looks low."""
CENTER: Final = 0.3
"""The center's share of the height in a match."""
COLUMN: Final = 0.86
"""The fraction of a cell that its column fills."""


def ownership(course: Course) -> Json:
    """The round's stacks and piles, or the match's."""
    return _of_match(course) if course.whole else _of_round(course)


def _drawn(course: Course, lanes: Lanes, words: str, ticks: Sequence[tuple[float, str]]) -> Json:
    """The layout, with ticks of the center."""
    places, names = pile_ticks(course, lanes)
    axis = value_axis(
        "",
        range=[-0.04, lanes.top + 0.25],
        tickmode="array",
        tickvals=[*(y for y, _ in ticks), *places],
        ticktext=[*(text for _, text in ticks), *names],
        showgrid=False,
    )
    mode = "x" if course.whole else "closest"
    drawn = layout(course, TITLE, yaxis=axis, hovermode=mode, height=round(80 * lanes.top))
    drawn["meta"]["says"] = profit(course)
    drawn["shapes"] += lanes.base_lines()
    drawn["annotations"] += [
        heading("part", words, lanes.top),
        heading("part", "Score piles, by whose cards they were", lanes.floor - GAP),
        *pile_labels(course, lanes),
    ]
    return drawn


# --- A round ------------------------------------------------------------------------------


def _of_round(course: Course) -> Json:
    highest = max((len(stack.seats) for stack in course.stacks), default=0)
    lanes = Lanes(
        len(course.names),
        LANE / max(highest, LEAST_HEIGHT),
        LANE / max(most_won(course), LEAST_HEIGHT),
    )
    ticks = [(lanes.slot(slot, 0) + LANE / 2, f"{slot + 1}") for slot in course.seats]
    return {
        "data": [
            *(_falls(course, seat, lanes) for seat in course.seats),
            *(_strips(course, seat, lanes) for seat in course.seats),
            *piles(course, lanes, _taken(course), time_range(course.duration)[1]),
            *(_takes(course, seat, lanes) for seat in course.seats),
            *_races(course, lanes, Tie),
            *_races(course, lanes, Late),
            hover_points(_points(course, lanes)),
        ],
        "layout": _drawn(course, lanes, "Center stacks", ticks),
    }


def _taken(course: Course) -> list[Taken]:
    """The takes in order of time."""
    return [
        Taken(stack.times[-1], stack.taker, [stack.seats.count(seat) for seat in course.seats])
        for stack in sorted(course.stacks, key=lambda stack: stack.plays[-1])
        if stack.taker is not None
    ]


def _strips(course: Course, seat: int, lanes: Lanes) -> Json:
    corners: list[Corner | None] = []
    for stack in course.stacks:
        until = course.duration if stack.end is None else stack.end
        strips = zip(stack.seats, stack.times, strict=True)
        for height, (owner, t) in enumerate(strips):
            if owner == seat:
                low, high = lanes.slot(stack.slot, height), lanes.slot(stack.slot, height + 1)
                corners += box(t, until, low, high)
    return filled(seat, label(seat, course.names[seat]), corners)


def _falls(course: Course, seat: int, lanes: Lanes) -> Json:
    """Lines from the stacks that a seat took down to its pile."""
    corners: list[tuple[float, float] | tuple[None, None]] = []
    won = 0
    for stack in sorted(_taken_by(course, seat), key=lambda stack: stack.plays[-1]):
        won += len(stack.seats)
        top = lanes.slot(stack.slot, len(stack.seats))
        x = stack.times[-1]
        corners += [(x, top), (x, lanes.pile(seat, won)), (None, None)]
    return of_seat(
        seat,
        f"what {label(seat, course.names[seat])} took",
        corners,
        meta={"fall": True},
        showlegend=False,
        line={"width": 1.5, "color": COLOURS[seat]},
        opacity=0.55,
    )


def _taken_by(course: Course, seat: int) -> list[Stack]:
    return [stack for stack in course.stacks if stack.taker == seat]


def _takes(course: Course, seat: int, lanes: Lanes) -> Json:
    """The taker's mark at the end of each stack it took, with the number of cards won."""
    taken = _taken_by(course, seat)
    cards = [len(stack.seats) for stack in taken]
    return marks(
        seat,
        f"taken by {label(seat, course.names[seat])}",
        [(stack.times[-1], lanes.slot(stack.slot, len(stack.seats))) for stack in taken],
        [round((8 + min(size, 12) / 2) * WEIGHTS[seat], 1) for size in cards],
        mode="markers+text",
        text=[str(size) for size in cards],
        textposition="middle right",
    )


def _races(course: Course, lanes: Lanes, kind: type[Tie | Late]) -> list[Json]:
    """Where a stack was contested, by whom: ties as crosses, late tries as rings."""
    by_seats: dict[tuple[int, ...], list[tuple[float, float]]] = defaultdict(list)
    for point in course.points:
        if isinstance(point.event, kind):
            where = (point.x, _height(point, point.event, lanes))
            by_seats[_contesting(point.event)].append(where)
    return [_contested(course, seats, met, kind is Tie) for seats, met in by_seats.items()]


def _contesting(event: Tie | Late) -> tuple[int, ...]:
    if isinstance(event, Late):
        return (event.seat,)
    return tuple(sorted({OWNER[card] for card in event.cards}))


def _contested(
    course: Course, seats: tuple[int, ...], met: list[tuple[float, float]], tie: bool
) -> Json:
    who = " and ".join(label(seat, course.names[seat]) for seat in seats)
    return {
        "type": "scatter",
        "mode": "markers",
        "name": f"{'tie' if tie else 'late try'} of {who}",
        "meta": {"ink": True, "ring": not tie, "seats": list(seats)},
        "x": [x for x, _ in met],
        "y": [y for _, y in met],
        "marker": {
            "symbol": "x" if tie else "circle",
            "size": 9 if tie else 8,
            "color": "#444" if tie else "#fff",
            "line": {"width": 1 if tie else 2, "color": "#fff" if tie else "#444"},
        },
        "hoverinfo": "skip",
    }


def _height(point: ChartPoint, event: Play | Tie | Late, lanes: Lanes) -> float:
    return lanes.slot(event.stack, point.height + (0 if isinstance(event, Play) else 0.5))


def _points(course: Course, lanes: Lanes) -> Iterator[HoverPoint]:
    """A point's numbers: the stack's height, and each seat's cards in the center."""
    for point in course.points:
        if isinstance(point.event, Play | Tie | Late):
            y = _height(point, point.event, lanes)
            yield HoverPoint(point.x, y, point.seq, [point.height, *point.middle])
        elif isinstance(point.event, End):
            yield HoverPoint(point.x, lanes.top - 0.5, point.seq, [0, *point.middle])


# --- A match ------------------------------------------------------------------------------


def _of_match(course: Course) -> Json:
    shown, seats = cells(course), len(course.names)
    most = max((sum(cell.played) / cell.rounds for cell in shown), default=0)
    center = CENTER * 2 * seats
    pile_lane = (2 * seats - center) / seats
    card = LANE * center / max(most, LEAST_HEIGHT)
    won = LANE * pile_lane / max(most_won(course), LEAST_HEIGHT)
    lanes = Lanes(seats, card, won, pile_lane)
    ticks = [(lanes.center(cards), str(cards)) for cards in _levels(most)]
    words = "Cards put into the center, each round"
    return {
        "data": [
            *(_columns(course, seat, shown, lanes) for seat in course.seats),
            *piles(course, lanes, _won(shown), len(shown)),
            hover_points(_cell_points(shown, lanes)),
        ],
        "layout": _drawn(course, lanes, words, ticks),
    }


def _levels(most: float) -> list[int]:
    """Two round numbers up to `most`, for ticks."""
    step = next(s * 10**e for e in range(9) for s in (1, 2, 5) if most <= 3 * s * 10**e)
    return [step, 2 * step] if most >= 2 * step else [step]


def _columns(course: Course, seat: int, shown: Sequence[Cell], lanes: Lanes) -> Json:
    """Of a cell of several rounds their mean: the last cell may have fewer rounds."""
    corners: list[Corner | None] = []
    for place, cell in enumerate(shown):
        low, high = [0, *accumulate(cell.played)][seat : seat + 2]
        if high > low:
            x0, x1 = place + (1 - COLUMN) / 2, place + (1 + COLUMN) / 2
            bottom, top = (lanes.center(cards / cell.rounds) for cards in (low, high))
            corners += box(x0, x1, bottom, top)
    return filled(seat, label(seat, course.names[seat]), corners)


def _won(shown: Sequence[Cell]) -> list[Taken]:
    """What each seat took in each cell."""
    return [
        Taken(place, taker, [row[taker] for row in cell.fed])
        for place, cell in enumerate(shown)
        for taker in range(len(cell.fed))
    ]


def _cell_points(shown: Sequence[Cell], lanes: Lanes) -> Iterator[HoverPoint]:
    """A cell's numbers: by seat the cards put into the center, by seat those taken, those left."""
    for place, cell in enumerate(shown):
        numbers = [*cell.played, *cell.taken, cell.left]
        yield HoverPoint(place + 0.5, lanes.floor, cell.seq, numbers)
