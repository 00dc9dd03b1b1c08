"""Fed cards: for each pair of players, who took more of the other's cards, and how many."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from games.engine.message import Message, signed, spoken
from replays.analysis.marks import label
from replays.charts.bars import net
from replays.charts.course import Course
from replays.charts.frame import Json

TITLE = Message("Who fed whom")
FAINTEST, STRONGEST = 0.06, 0.52
"""The opacity of a cell of a level pair and of the most unequal pair."""
ALL: Final = Message("all")


class FedCell(NamedTuple):
    """The cards that `seat` took from `other` (None: from all) less those lost there.

    `seqs`: the lines of all takes between them. `takes`: those of `seat`.
    """

    seat: int
    other: int | None
    cards: int
    seqs: list[int]
    takes: list[int]


def fed(course: Course) -> Json:
    """A matrix of the pairs' nets: a row for each player. The last column is the sum.

    `meta.fed` has the cards of all: for each owner, how many each player took, and those left.
    """
    cells = [
        _cell(course, seat, other)
        for seat in course.seats
        for other in (*course.seats, None)
        if seat != other
    ]
    most = max((abs(cell.cards) for cell in cells if cell.other is not None), default=0)
    return {
        "data": [_numbers(course, cells)],
        "layout": {
            "title": {"text": course.words(TITLE), "x": 0, "xanchor": "left"},
            "xaxis": _axis(course, course.words(Message("from")), extra=[course.words(ALL)]),
            "yaxis": _axis(course, "", down=True),
            "shapes": [_square(cell, most) for cell in cells if cell.other is not None],
            "hovermode": "closest",
            "hoverdistance": -1,
            "dragmode": False,
        },
    }


def _cell(course: Course, seat: int, other: int | None) -> FedCell:
    if other is None:
        return FedCell(seat, None, net(course, seat), [], [])
    takes, losses = _takes(course, seat, other), _takes(course, other, seat)
    cards = course.fed[other][seat] - course.fed[seat][other]
    return FedCell(seat, other, cards, sorted(takes + losses), takes)


def _takes(course: Course, taker: int, owner: int) -> list[int]:
    taken = (stack for stack in course.stacks if stack.taker == taker and owner in stack.seats)
    return sorted(stack.plays[-1] for stack in taken)


def _numbers(course: Course, cells: list[FedCell]) -> Json:
    fed = course.fed
    return {
        "type": "scatter",
        "mode": "text",
        "name": "cards",
        "meta": {
            "ink": True,
            "takes": [cell.takes for cell in cells],
            "fed": [list(row) for row in fed],
            "pieces": [
                {
                    "taker": cell.seat,
                    "owner": cell.other,
                    "cards": cell.cards if cell.other is None else fed[cell.other][cell.seat],
                    "back": 0 if cell.other is None else fed[cell.seat][cell.other],
                }
                for cell in cells
            ],
        },
        "x": [_column(course, cell) for cell in cells],
        "y": [cell.seat for cell in cells],
        "text": [spoken(signed(cell.cards)) for cell in cells],
        "customdata": [cell.seqs for cell in cells],
    }


def _column(course: Course, cell: FedCell) -> int:
    return len(course.names) if cell.other is None else cell.other


def _square(cell: FedCell, most: int) -> Json:
    """A cell's background: in the row's colour if that player took more, else grey. The page reads
    `name` to paint it."""
    x, y = cell.other or 0, cell.seat
    share = max(cell.cards, 0) / most if most else 0
    strength = round(FAINTEST + (STRONGEST - FAINTEST) * share, 2)
    return {
        "type": "rect", "name": f"cell {y} {strength}" if share else "", "layer": "below",
        "xref": "x", "yref": "y", "x0": x - 0.48, "x1": x + 0.48, "y0": y - 0.46, "y1": y + 0.46,
        "line": {"width": 0}, "fillcolor": f"rgba(128,128,128,{strength})",
    }  # fmt: skip


def _axis(course: Course, title: str, *, extra: Sequence[str] = (), down: bool = False) -> Json:
    names = [*(label(seat, course.names[seat]) for seat in course.seats), *extra]
    ends: list[Any] = [-0.5, len(names) - 0.5]
    return {
        "title": {"text": title},
        "range": ends[::-1] if down else ends,
        "tickmode": "array",
        "tickvals": list(range(len(names))),
        "ticktext": names,
        "side": "left" if down else "top",
        "tickangle": 0,
        "fixedrange": True,
        "showgrid": False,
        "zeroline": False,
    }
