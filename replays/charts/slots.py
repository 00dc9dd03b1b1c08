"""A lane for each slot, showing every stack from its start to its take.

A stack is a flight of steps: each card is a strip, in its owner's colour and pattern, that
begins when the card was played and lasts until the stack is taken. So the height is the number
of cards, the strips show who contributed, and the mark at the end shows who took it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from games.engine.events import End, Late, Play, Tie
from games.records.outline import StackOutline
from replays.analysis.marks import COLOURS, PATTERNS, SYMBOLS, WEIGHTS, label
from replays.charts.course import ChartPoint, Course, PlacedRound
from replays.charts.frame import HoverPoint, Json, hover_points, layout, value_axis

Laid = tuple[PlacedRound, StackOutline]

TITLE = "The stacks, from start to take"
LANE: Final = 0.9
"""The fraction of a lane's height that its highest stack may use."""
LEAST_HEIGHT: Final = 8
"""In cards; so a lane of low stacks looks low."""

Corner = tuple[float, float] | tuple[None, None]


class Lanes(NamedTuple):
    """Positions: slot 0 is the top lane; `unit` is a card's share of a lane."""

    slots: int
    unit: float

    def base(self, slot: int) -> int:
        """The bottom of a lane."""
        return self.slots - 1 - slot

    def y(self, slot: int, cards: float) -> float:
        """The position of that many cards in a lane."""
        return round(self.base(slot) + cards * self.unit, 4)


def slots(course: Course) -> Json:
    """Lanes, one per slot."""
    laid = course.stacks
    highest = max((len(stack.seats) for _, stack in laid), default=0)
    lanes = Lanes(len(course.names), LANE / max(highest, LEAST_HEIGHT))
    drawn = layout(course, TITLE, yaxis=_lane_axis(lanes), hovermode="closest")
    drawn["shapes"] += _floors(lanes)
    return {
        "data": [
            *(_strips(course, seat, laid, lanes) for seat in course.seats),
            *(_takes(course, seat, laid, lanes) for seat in course.seats),
            _races(course, lanes, Tie),
            _races(course, lanes, Late),
            hover_points(_points(course, lanes)),
        ],
        "layout": drawn,
    }


def _lane_axis(lanes: Lanes) -> Json:
    slots = range(lanes.slots)
    return value_axis(
        "",
        range=[-0.04, lanes.slots],
        tickmode="array",
        tickvals=[lanes.base(slot) + LANE / 2 for slot in slots],
        ticktext=[f"Stack {slot + 1}" for slot in slots],
        showgrid=False,
    )


def _floors(lanes: Lanes) -> list[Json]:
    """The line on which each lane's stacks stand."""
    return [
        {
            "type": "line", "name": "floor", "layer": "below",
            "xref": "paper", "yref": "y", "x0": 0, "x1": 1, "y0": y, "y1": y,
            "line": {"width": 1, "color": "#888"},
        }
        for y in range(lanes.slots)
    ]  # fmt: skip


def _strips(course: Course, seat: int, laid: list[Laid], lanes: Lanes) -> Json:
    """All strips of one seat as one outline with gaps: quick to draw, even for a match."""
    points: list[Corner] = []
    for placed, stack in laid:
        points += _outline(placed, stack, seat, lanes)
    return {
        "type": "scatter",
        "mode": "lines",
        "name": label(seat, course.names[seat]),
        "legendgroup": str(seat),
        "meta": {"seat": seat, "edge": True},
        "x": [x for x, _ in points],
        "y": [y for _, y in points],
        "line": {"width": 0.75, "color": "#fff"},
        "fill": "toself",
        "fillcolor": COLOURS[seat],
        "fillpattern": {"shape": PATTERNS[seat], "fillmode": "overlay", "size": 6, "solidity": 0.2},
        "hoverinfo": "skip",
    }


def _outline(placed: PlacedRound, stack: StackOutline, seat: int, lanes: Lanes) -> Iterator[Corner]:
    """The strips of a seat's cards in a stack, each a closed rectangle and a gap."""
    until = placed.offset + (placed.duration if stack.end is None else stack.end)
    strips = zip(stack.seats, stack.times, strict=True)
    for height, (owner, t) in enumerate(strips):
        if owner == seat:
            since = placed.offset + t
            low, high = lanes.y(stack.slot, height), lanes.y(stack.slot, height + 1)
            yield from ((since, low), (since, high), (until, high), (until, low), (since, low))
            yield None, None


def _takes(course: Course, seat: int, laid: list[Laid], lanes: Lanes) -> Json:
    """The taker's mark at the end of each stack it took, with the number of cards won."""
    taken = [(placed, stack) for placed, stack in laid if stack.taker == seat]
    return {
        "type": "scatter",
        "mode": "markers" if course.whole else "markers+text",
        "name": f"taken by {label(seat, course.names[seat])}",
        "legendgroup": str(seat),
        "showlegend": False,
        "meta": {"seat": seat, "mark": True},
        "x": [placed.offset + (stack.end or 0) for placed, stack in taken],
        "y": [lanes.y(stack.slot, len(stack.seats)) for _, stack in taken],
        "text": [str(len(stack.seats)) for _, stack in taken],
        "textposition": "middle right",
        "cliponaxis": False,
        "marker": {
            "symbol": SYMBOLS[seat],
            "size": (7 if course.whole else 11) * WEIGHTS[seat],
            "color": COLOURS[seat],
            "line": {"width": 1.5, "color": "#fff"},
        },
        "hoverinfo": "skip",
    }


def _races(course: Course, lanes: Lanes, kind: type[Tie | Late]) -> Json:
    """Where a slot was contested: ties as crosses, late tries as open circles."""
    met = [
        (point.x, _height(point, point.event, lanes))
        for points in course.points
        for point in points
        if isinstance(point.event, kind)
    ]
    tie = kind is Tie
    return {
        "type": "scatter",
        "mode": "markers",
        "name": "tie" if tie else "late try",
        "meta": {"ink": True},
        "x": [x for x, _ in met],
        "y": [y for _, y in met],
        "marker": {
            "symbol": "x-thin" if tie else "circle-open",
            "size": 6 if course.whole else 8,
            "color": "#444",
            "line": {"width": 1.75, "color": "#444"},
        },
        "hoverinfo": "skip",
    }


def _height(point: ChartPoint, event: Play | Tie | Late, lanes: Lanes) -> float:
    return lanes.y(event.stack, point.height + (0 if isinstance(event, Play) else 0.5))


def _points(course: Course, lanes: Lanes) -> Iterator[HoverPoint]:
    """A point's number is the stack's height; at a round's end, each seat's cards left."""
    for points in course.points:
        for point in points:
            if isinstance(point.event, Play | Tie | Late):
                y = _height(point, point.event, lanes)
                yield HoverPoint(point.x, y, point.seq, [point.height])
            elif isinstance(point.event, End):
                yield HoverPoint(point.x, lanes.slots - 0.5, point.seq, point.middle)
