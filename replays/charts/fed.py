"""Who fed whom: a row for each player, showing where the cards they played went."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from replays.analysis.marks import label
from replays.charts.course import Course
from replays.charts.frame import Json

TITLE = "Who fed whom"
FAINTEST, STRONGEST = 0.06, 0.52
"""The opacity of a cell without cards and of the fullest cell."""
NOBODY: Final = "left"


class FedCell(NamedTuple):
    """Cards that `seat` played onto stacks that `taker` took (None: nobody).

    `seqs`: the takes.
    """

    seat: int
    taker: int | None
    cards: int
    seqs: list[int]


def fed(course: Course) -> Json:
    """A matrix: rows played, columns took, the last column is for nobody."""
    cells = [_cell(course, seat, taker) for seat in course.seats for taker in _columns(course)]
    most = max((cell.cards for cell in cells), default=0)
    return {
        "data": [_numbers(course, cells)],
        "layout": {
            "title": {"text": TITLE, "x": 0, "xanchor": "left"},
            "xaxis": _axis(course, "cards on stacks taken by", extra=[NOBODY]),
            "yaxis": _axis(course, "cards played by", down=True),
            "shapes": [_square(course, cell, most) for cell in cells],
            "hovermode": "closest",
            "hoverdistance": -1,
            "dragmode": False,
            "showlegend": False,
        },
    }


def _columns(course: Course) -> list[int | None]:
    return [*course.seats, None]


def _cell(course: Course, seat: int, taker: int | None) -> FedCell:
    seqs = [
        stack.plays[-1] for stack in course.stacks if stack.taker == taker and seat in stack.seats
    ]
    cards = course.fed[seat][len(course.names) if taker is None else taker]
    return FedCell(seat, taker, cards, sorted(seqs))


def _numbers(course: Course, cells: list[FedCell]) -> Json:
    return {
        "type": "scatter",
        "mode": "text",
        "name": "cards",
        "meta": {"ink": True},
        "x": [_column(course, cell) for cell in cells],
        "y": [cell.seat for cell in cells],
        "text": [str(cell.cards) for cell in cells],
        "customdata": [cell.seqs for cell in cells],
    }


def _column(course: Course, cell: FedCell) -> int:
    return len(course.names) if cell.taker is None else cell.taker


def _square(course: Course, cell: FedCell, most: int) -> Json:
    """A cell's background, coloured for the cards' player; the page reads `name` to paint it."""
    x, y = _column(course, cell), cell.seat
    share = cell.cards / most if most else 0
    strength = round(FAINTEST + (STRONGEST - FAINTEST) * share, 2)
    return {
        "type": "rect", "name": f"cell {cell.seat} {strength}", "layer": "below",
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
