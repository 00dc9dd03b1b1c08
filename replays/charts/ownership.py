"""Taken cards by owner, and where they lay until then.

On top is a row of bars for each player: right of zero the cards taken, left those lost to others.
Below, a round has a lane for each center stack: it grows in its taker's tint, and at the take its
cards appear in their owners' colours. A match has a lane for each player: the net of each round.
Both have a strip of the leader in taken cards so far. Each row begins with its name.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from games.engine.cards import OWNER
from games.engine.events import End, Late, Play, Tie
from games.engine.message import Message, plural, signed, spoken
from replays.analysis.marks import COLOURS, WEIGHTS, label
from replays.analysis.stacks import Stack
from replays.charts.bars import SHORT as BAR_SHORT
from replays.charts.bars import (
    bar_words,
    bars,
    bars_axes,
    below,
    floor,
    pieces,
    profit,
    sums,
    zero_line,
)
from replays.charts.course import Cell, ChartPoint, Course, cells, per_cell
from replays.charts.frame import (
    Corner,
    HoverPoint,
    Json,
    box,
    filled,
    heading,
    hover_points,
    layout,
    level,
    marks,
    of_seat,
    value_axis,
)

TITLE: Final = Message("Stack ownership")
LEAST_HEIGHT: Final = 8
"""In cards. So a lane of low stacks looks low."""
LANE: Final = 0.8
NET: Final = 0.45
"""The fractions of a lane's height that its highest stack may use, and the greatest net."""
BESIDE: Final = 0.05
"""How far a net's number is from zero, as such a fraction."""
TINT, UP, DOWN = 0.3, 0.8, 0.3
"""The opacity of a growing stack, and of a net above and below zero."""
CARD: Final = 0.84
"""The fraction of its height that a card of a column fills."""
COLUMN: Final = 0.86
"""The fraction of a cell that its bar fills."""
STRIP: Final = 0.3
"""Where the strip is, above the lanes."""
WORDS: Final = Message("The center stacks, in the colour of who took them (grey: not taken)")
SHORT: Final = Message("The center stacks")
NETS: Final = plural(
    "The net of each round: cards taken from others − cards lost to others",
    "The net of each {count} rounds: cards taken from others − cards lost to others",
)
SHORT_NETS: Final = plural("The net of each round", "The net of each {count} rounds")
"""`SHORT`: for a narrow chart. Nets are those of one round, or of several."""


def ownership(course: Course) -> Json:
    """The round, or the match."""
    seats = len(course.names)
    lower = _of_match(course) if course.whole else _of_round(course)
    drawn = layout(course, TITLE, hovermode="closest")
    drawn["meta"] |= {
        "says": list(map(course.words, profit(course))),
        "below": below(seats),
        "short": {
            name: course.words(short)
            for name, short in {**BAR_SHORT, "part most": lower.short}.items()
        },
    }
    if not course.whole:
        drawn["meta"]["stacks"] = [_stack_row(course, stack) for stack in course.stacks]
    drawn["yaxis"] = value_axis(
        "",
        domain=[0, below(seats)],
        range=[-0.04, seats + 2 * STRIP],
        tickmode="array",
        tickvals=[seats + STRIP / 2, *(floor(course, lane) + 0.5 for lane in course.seats)],
        ticktext=[course.words(Message("most taken")), *map(lower.row, course.seats)],
        showgrid=False,
    )
    drawn |= bars_axes(course)
    drawn["shapes"] += [*(level("floor", y) for y in lower.bases), zero_line(seats)]
    drawn["annotations"] += [
        heading("part most", course.words(lower.words), seats + 2 * STRIP),
        *bar_words(course),
    ]
    strip = _strip(course, list(lower.won), lower.end)
    data = [*bars(course), sums(course), pieces(course), *strip, *lower.data]
    return {"data": [*data, hover_points(lower.points)], "layout": drawn}


class _Lower(NamedTuple):
    """The lower panel. `row`: a lane's name. `won`: x, seat and cards of each take. `end` of the
    strip."""

    words: Message
    short: Message
    row: Callable[[int], str]
    data: list[Json]
    points: list[HoverPoint]
    bases: list[float]
    won: Iterable[tuple[float, int, int]]
    end: float


# --- The strip ----------------------------------------------------------------------------


def _strip(course: Course, won: Sequence[tuple[float, int, int]], end: float) -> Iterator[Json]:
    """The player with most so far, in their colour. A mark at each change, grey while level."""
    y = len(course.names) + STRIP / 2
    so_far = [0] * len(course.names)
    changes: list[tuple[float, int | None]] = []
    for x, seat, cards in won:
        so_far[seat] += cards
        first = [seat for seat in course.seats if so_far[seat] == max(so_far)]
        leader = first[0] if len(first) == 1 else None
        if not changes or changes[-1][1] != leader:
            changes.append((x, leader))
    ends = [*(x for x, _ in changes), end][1:]
    stretches = list(zip(changes, ends, strict=True))
    for seat in (None, *course.seats):
        lines: list[Corner | tuple[None, None]] = []
        for (x, leader), until in stretches:
            lines += [(x, y), (until, y), (None, None)] if leader == seat else []
        if seat is None:
            yield {**of_seat(0, "level", lines, line={"width": 4}), "meta": {"grey": True}}
        else:
            line = {"width": 4, "color": COLOURS[seat]}
            yield of_seat(seat, "most taken", lines, line=line)
            led = [(x, y) for x, leader in changes if leader == seat]
            yield marks(seat, "took the lead in cards", led, 9 * WEIGHTS[seat], hoverinfo="skip")


# --- A round ------------------------------------------------------------------------------


def _of_round(course: Course) -> _Lower:
    height = LANE / max([LEAST_HEIGHT, *(len(stack.seats) for stack in course.stacks)])
    return _Lower(
        WORDS,
        SHORT,
        lambda slot: course.words(Message("stack {stack}", stack=slot + 1)),
        [
            *(_growing(course, taker, height) for taker in (None, *course.seats)),
            *_columns(course, height),
            *(_takes(course, seat, height) for seat in course.seats),
            *_races(course, height, Tie),
            *_races(course, height, Late),
        ],
        list(_points(course, height)),
        [floor(course, slot) for slot in course.seats],
        (
            (stack.times[-1], stack.taker, len(stack.seats))
            for stack in sorted(course.stacks, key=lambda stack: stack.plays[-1])
            if stack.taker is not None
        ),
        course.duration,
    )


def _growing(course: Course, taker: int | None, height: float) -> Json:
    """The stacks that a player took, or no one, as stairs: a step for each card."""
    corners: list[Corner | None] = []
    for stack in course.stacks:
        if stack.taker != taker:
            continue
        low, end = floor(course, stack.slot), course.duration
        until = [*stack.times[1:], end if stack.end is None else stack.end]
        steps = zip(stack.times, until, range(1, len(stack.times) + 1), strict=True)
        stairs = [(x, low + cards * height) for a, b, cards in steps for x in (a, b)]
        corners += [(stack.times[0], low), *stairs, (stairs[-1][0], low), None]
    if taker is None:
        return filled(0, "not taken", corners) | {"meta": {"grey": True}}
    name = f"stacks taken by {label(taker, course.names[taker])}"
    return filled(taker, name, corners, share=TINT)


def _columns(course: Course, height: float) -> Iterator[Json]:
    """At each take the cards as they lay, in their owners' colours: a trace for each pair."""
    for taker in course.seats:
        for owner in course.seats:
            lines: list[Corner | tuple[None, None]] = []
            for stack in course.stacks:
                if stack.taker != taker:
                    continue
                for at, seat in enumerate(stack.seats):
                    if seat == owner:
                        low = floor(course, stack.slot) + (at + (1 - CARD) / 2) * height
                        x = stack.times[-1]
                        lines += [(x, low), (x, low + CARD * height), (None, None)]
            if lines:
                yield of_seat(
                    owner,
                    f"{label(owner, course.names[owner])} taken by {taker + 1}",
                    lines,
                    meta={"other": taker, "column": True},
                    line={"width": 11, "color": COLOURS[owner]},
                )


def _takes(course: Course, seat: int, height: float) -> Json:
    """The taker's mark on top of each column, with the number of cards."""
    mine = [stack for stack in course.stacks if stack.taker == seat]
    cards = [len(stack.seats) for stack in mine]
    tops = [floor(course, stack.slot) + len(stack.seats) * height for stack in mine]
    return marks(
        seat,
        f"taken by {label(seat, course.names[seat])}",
        [(stack.times[-1], y) for stack, y in zip(mine, tops, strict=True)],
        [round((8 + min(size, 15) / 4) * WEIGHTS[seat], 1) for size in cards],
        mode="markers+text",
        text=[str(size) for size in cards],
        textposition="middle right",
    )


def _races(course: Course, height: float, kind: type[Tie | Late]) -> list[Json]:
    """Where a stack was contested, by whom: ties as crosses, late tries as rings."""
    by_seats: dict[tuple[int, ...], list[Corner]] = defaultdict(list)
    for point in course.points:
        if isinstance(point.event, kind):
            where = (point.x, _height(course, point, point.event, height))
            by_seats[_contesting(point.event)].append(where)
    return [_contested(seats, met, tie=kind is Tie) for seats, met in by_seats.items()]


def _contesting(event: Tie | Late) -> tuple[int, ...]:
    if isinstance(event, Late):
        return (event.seat,)
    return tuple(sorted({OWNER[card] for card in event.cards}))


def _contested(seats: tuple[int, ...], met: list[Corner], *, tie: bool) -> Json:
    return {
        "type": "scatter",
        "mode": "markers",
        "name": "tie" if tie else "late try",
        "meta": {"ink": True, "ring": not tie, "seats": list(seats)},
        "x": [x for x, _ in met],
        "y": [y for _, y in met],
        "marker": {
            "symbol": "x" if tie else "circle",
            "size": 6,
            "color": "#444" if tie else "#fff",
            "line": {"width": 1, "color": "#fff" if tie else "#444"},
        },
        "hoverinfo": "skip",
    }


def _height(course: Course, point: ChartPoint, event: Play | Tie | Late, height: float) -> float:
    cards = point.height + (0 if isinstance(event, Play) else 0.5)
    return round(floor(course, event.stack) + cards * height, 4)


def _points(course: Course, height: float) -> Iterator[HoverPoint]:
    """A point's numbers: the stack's height, and for a take each seat's cards in it, else each
    seat's in the center."""
    laid = {stack.plays[-1]: stack for stack in course.stacks if stack.taker is not None}
    for point in course.points:
        if isinstance(point.event, Play | Tie | Late):
            stack = laid.get(point.seq)
            counts = _counts(course, stack) if stack else point.middle
            y = _height(course, point, point.event, height)
            yield HoverPoint(point.x, y, point.seq, [point.height, *counts])
        elif isinstance(point.event, End):
            yield HoverPoint(point.x, len(course.names) - 0.5, point.seq, [0, *point.middle])


def _counts(course: Course, stack: Stack) -> list[int]:
    return [stack.seats.count(seat) for seat in course.seats]


def _stack_row(course: Course, stack: Stack) -> list[Any]:
    """A row of the table: slot, started, taken (ms), line, taker, cards, each player's cards."""
    line = None if stack.taker is None else stack.plays[-1]
    about = [stack.slot, stack.start, stack.end, line, stack.taker, len(stack.seats)]
    return [*about, *_counts(course, stack)]


# --- A match ------------------------------------------------------------------------------


def _of_match(course: Course) -> _Lower:
    shown = cells(course)
    means = [abs(_mean(cell, seat)) for cell in shown for seat in course.seats]
    unit = NET / max(1, *means, 0)
    middles = [floor(course, seat) + 0.5 for seat in course.seats]
    rounds = {"count": per_cell(len(course.rounds))}
    return _Lower(
        NETS.filled(rounds),
        SHORT_NETS.filled(rounds),
        lambda seat: label(seat, course.names[seat]),
        [
            drawn
            for seat in course.seats
            for drawn in (
                _nets(course, seat, shown, unit, up=True),
                _nets(course, seat, shown, unit, up=False),
                _net_numbers(seat, shown, middles[seat]),
            )
        ],
        list(_cell_points(course, shown, middles)),
        middles,
        (
            (place, seat, cell.taken[seat])
            for place, cell in enumerate(shown)
            for seat in course.seats
        ),
        len(shown),
    )


def _cell_net(cell: Cell, seat: int) -> int:
    """The cards taken from others in a cell, less those lost to them."""
    return cell.taken[seat] - (cell.played[seat] - cell.fed[seat][-1])


def _mean(cell: Cell, seat: int) -> float:
    """The same for each of its rounds: the last cell may have fewer."""
    return _cell_net(cell, seat) / cell.rounds


def _nets(course: Course, seat: int, shown: Sequence[Cell], unit: float, *, up: bool) -> Json:
    """A player's bars in one direction."""
    middle = floor(course, seat) + 0.5
    corners: list[Corner | None] = []
    for place, cell in enumerate(shown):
        cards = _mean(cell, seat)
        if cards and (cards > 0) is up:
            x0, x1 = place + (1 - COLUMN) / 2, place + (1 + COLUMN) / 2
            corners += box(x0, x1, middle, middle + cards * unit)
    meta = {"share": UP} if up else {"share": DOWN, "outline": True}
    return filled(seat, f"net of {label(seat, course.names[seat])}", corners, **meta)


def _net_numbers(seat: int, shown: Sequence[Cell], middle: float) -> Json:
    """Each bar's number, on the other side of zero, where no bar is."""
    nets = [_cell_net(cell, seat) for cell in shown]
    return {
        "type": "scatter",
        "mode": "text",
        "name": f"numbers {seat}",
        "x": [place + 0.5 for place in range(len(nets))],
        "y": [middle + (BESIDE if cards < 0 else -BESIDE) for cards in nets],
        "text": [spoken(signed(cards)) if cards else "0" for cards in nets],
        "textposition": ["top center" if cards < 0 else "bottom center" for cards in nets],
        "meta": {"nets": True},
        "hoverinfo": "skip",
        "cliponaxis": False,
    }


def _cell_points(
    course: Course, shown: Sequence[Cell], middles: Sequence[float]
) -> Iterator[HoverPoint]:
    """For each player and cell: the seat, the cards taken, those of others, lost, and the net with
    each player. Then those that no one took."""
    for seat in course.seats:
        for place, cell in enumerate(shown):
            nets = [cell.fed[other][seat] - cell.fed[seat][other] for other in course.seats]
            others = cell.taken[seat] - cell.fed[seat][seat]
            gone = others - sum(nets)
            numbers = [seat, cell.taken[seat], others, gone, *nets, cell.left]
            yield HoverPoint(place + 0.5, middles[seat], cell.seq, numbers)
