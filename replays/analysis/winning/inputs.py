"""A position as numbers: for each seat its own, its comparison with the others, and the table's.

All seats share the inputs' meaning, so one small network judges them all. The order of the
names is the order of the columns; a model states which names it was fitted to.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log
from typing import Final

from replays.analysis.winning.position import Position

COMPARED: Final = ("total", "standing", "left", "takers", "tempo")
"""Where a seat is compared with the best other seat and with the mean of the others."""
OWN: Final = ("total", "standing", "left", "hand", "takers", "tempo", "taking")
TABLE: Final = ("to_go", "near", "speedy", "unplayed", "seats", "shout")
SPECTATOR: Final = (
    *OWN,
    *(f"{name}_best" for name in COMPARED),
    *(f"{name}_mean" for name in COMPARED),
    *TABLE,
)
"""The inputs of a viewer who knows no hand."""

IMAGINED: Final = 50
"""How many average moves are added to those seen before a habit is derived from them."""
USUAL_TAKING: Final = 0.022
"""Takes per move, over many simulated matches."""
_NEAR: Final = 25
"""Points to the target at which `near` is a half: about one good round."""

Inputs = list[list[float]]
"""For each seat, one number per name."""


def spectator(position: Position) -> Inputs:
    """The `SPECTATOR` inputs of each seat."""
    compared = _compared(position)
    shared = _table(position)
    moves, takes = position.habits
    rows = []
    for seat in range(position.seats):
        own = [column[seat] for column in compared]
        total, standing, left, takers, tempo = own
        taking = (takes[seat] + IMAGINED * USUAL_TAKING) / (moves[seat] + IMAGINED)
        rows.append(
            [
                total,
                standing,
                left,
                position.hands[seat],
                takers,
                tempo,
                taking,
                *own,
                *own,
                *shared,
            ]
        )
    for place, column in enumerate(compared):
        best = min if COMPARED[place] == "left" else max
        _compare(rows, len(OWN) + place, column, best)
    return rows


def _compared(position: Position) -> list[list[float]]:
    """One column for each of `COMPARED`."""
    totals, piles, hands = position.totals, position.piles, position.hands
    moves = position.habits[0]
    usual = log(sum(moves) / position.seats + IMAGINED)
    return [
        list(totals),
        [t + s - p for t, s, p in zip(totals, position.scored, piles, strict=True)],
        [pile + hand for pile, hand in zip(piles, hands, strict=True)],
        list(position.takers),
        [log(count + IMAGINED) - usual for count in moves],
    ]


def _compare(
    rows: Inputs, place: int, column: Sequence[float], best: Callable[[Sequence[float]], float]
) -> None:
    """Turn numbers at `place` into differences to the best other, and further on to the mean."""
    whole = sum(column)
    for seat, row in enumerate(rows):
        others = [*column[:seat], *column[seat + 1 :]]
        row[place] -= best(others)
        row[place + len(COMPARED)] -= (whole - column[seat]) / len(others)


def _table(position: Position) -> list[float]:
    """The `TABLE` inputs: the same for every seat."""
    rules = position.rules
    to_go = 0 if rules.speedy else max(0, rules.target - max(position.totals))
    cards = position.seats * position.deck
    unplayed = (sum(position.piles) + sum(position.hands)) / cards
    return [
        float(to_go),
        _NEAR / (_NEAR + to_go),
        float(rules.speedy),
        unplayed,
        float(position.seats),
        float(rules.out == "shout"),
    ]
