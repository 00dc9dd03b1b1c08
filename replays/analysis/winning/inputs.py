"""A position as numbers: for each seat its own, its comparison with the others, and the table's.

All seats share the inputs' meaning, so one small network judges them all. The order of the names is
the order of the columns. A model lists the names it was fitted to.
"""

from collections.abc import Callable, Sequence
from math import log, sqrt
from typing import Final

from replays.analysis.winning.pace import paces, seen
from replays.analysis.winning.position import Position

COMPARED: Final = ("lead", "left", "takers", "moving", "tempo", "pull")
"""A seat compared with the best other seat and with the mean of the others.

The luck still to come grows with the root of its length, and faster where paces drift. `lead` is
the standing over that luck, `tempo` the pace in this round, and `pull` the effect of the mean pace
on the rest. `changing`: 0 where paces are kept, a half where they return, 1 where they drift."""
OWN: Final = ("standing", "left", "hand", "takers", "tempo", "taking")
TABLE: Final = ("luck", "near", "speedy", "unplayed", "seats", "shout", "changing", "apart")
PLAYED: Final = (
    *OWN,
    *(f"{name}_best" for name in COMPARED),
    *(f"{name}_mean" for name in COMPARED),
    *TABLE,
)
"""What a viewer who knows no hand sees of the play."""
SEATED: Final = ("strength", "strength_best", "strength_mean")
"""How strong a seat's player is, also compared with the best other and the mean of the others."""
SPECTATOR: Final = (*PLAYED, *SEATED)

IMAGINED: Final = 25
"""How many average moves are added to those seen before `moving` is derived from them."""
IMAGINED_TAKING: Final = 50
"""How many are added before the takes per move are derived."""
USUAL_TAKING: Final = 0.022
"""Takes per move, over many simulated matches."""
_NEAR: Final = 25
"""Points to the target at which `near` is a half: about one good round."""
ROUND: Final = 30
"""Points that are added to those to go, so that the last round counts too."""
_DRIFTS: Final = 65
"""After so many points, a pace that drifts has moved scores as far apart as luck."""

Inputs = list[list[float]]
"""For each seat, one number per name."""


def spectator(position: Position) -> Inputs:
    """The `SPECTATOR` inputs of each seat, or the `PLAYED` ones if a player is unknown."""
    one_round = position.rules.speedy
    to_go = 0 if one_round else max(0, position.rules.target - max(position.totals))
    far = to_go + ROUND
    luck = sqrt(far)
    moves, pace, takes = position.habits
    beliefs = position.beliefs[:1] if position.strengths else position.beliefs
    tempo, usual, unsteady = paces(seen(beliefs, pace))
    if one_round:
        usual, unsteady = tempo, 0.0
    scale = (1 - unsteady) / luck + unsteady / luck / sqrt(1 + (far / _DRIFTS) ** 2)
    standing = position.standing
    left = [pile + hand for pile, hand in zip(position.piles, position.hands, strict=True)]
    taking = [
        (taken + IMAGINED_TAKING * USUAL_TAKING) / (count + IMAGINED_TAKING)
        for taken, count in zip(takes, moves, strict=True)
    ]
    compared: list[Sequence[float]] = [
        [points * scale for points in standing],
        left,
        position.takers,
        _tempo(moves),
        tempo,
        [habit * far * scale for habit in usual],
    ]
    own = zip(standing, left, position.hands, position.takers, tempo, taking, strict=True)
    known = _seat_rows(position.strengths) or [[]] * position.seats
    seats = zip(own, zip(*compared, strict=True), known, strict=True)
    apart = sqrt(sum([habit * habit for habit in usual]) / position.seats)
    shared = [*_table(position, to_go, luck), unsteady, apart]
    rows = [[*mine, *column, *column, *shared, *player] for mine, column, player in seats]
    for place, column in enumerate(compared):
        best = min if COMPARED[place] == "left" else max
        _compare(rows, len(OWN) + place, column, best)
    return rows


def _tempo(moves: Sequence[float]) -> list[float]:
    """The logarithm of each seat's moves over the table's mean, shrunk."""
    usual = log(sum(moves) / len(moves) + IMAGINED)
    return [log(count + IMAGINED) - usual for count in moves]


def _compare(
    rows: Inputs, place: int, column: Sequence[float], best: Callable[[Sequence[float]], float]
) -> None:
    """Turn numbers at `place` into differences to the best other, and further on to the mean."""
    whole = sum(column)
    for seat, row in enumerate(rows):
        others = [*column[:seat], *column[seat + 1 :]]
        row[place] -= best(others)
        row[place + len(COMPARED)] -= (whole - column[seat]) / len(others)


def _seat_rows(strengths: Sequence[float]) -> list[list[float]]:
    """The `SEATED` inputs of each seat."""
    rows, whole = [], sum(strengths)
    for seat, strength in enumerate(strengths):
        others = [*strengths[:seat], *strengths[seat + 1 :]]
        mean = (whole - strength) / len(others)
        rows.append([strength, strength - max(others), strength - mean])
    return rows


def _table(position: Position, to_go: int, luck: float) -> list[float]:
    """The first of the `TABLE` inputs: the same for every seat."""
    cards = position.seats * position.deck
    unplayed = (sum(position.piles) + sum(position.hands)) / cards
    return [
        luck,
        _NEAR / (_NEAR + to_go),
        float(position.rules.speedy),
        unplayed,
        float(position.seats),
        float(position.rules.out == "shout"),
    ]
