"""Changing pace: some players become faster or slower than the others from round to round.

The network assumes that habits last. The shares of the movements in each round show how likely that
is at this table: where all keep their pace, the shares hardly differ from round to round. They are
counted while every player has cards to turn over, since one who has none moves less.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import exp, log
from typing import Final

CHANGING: Final = 0.1
"""How likely it is, before anything is known, that the pace at a table changes."""
KEPT: Final = 0.002
CHANGED: Final = 0.045
"""The variance of the logarithm of a share from one round to the next, besides that of a count,
where all keep their pace and where it changes."""
SPREAD: Final = 0.3
"""The variance of a count of movements over its mean. Players move more evenly than by chance."""
_IMAGINED: Final = 3
"""Movements added to each count, so that a hand may rest."""


def changing(paces: Sequence[Sequence[int]]) -> float:
    """How likely the pace changes from round to round. `paces`: each round's movements by seat."""
    moved = [pace for pace in paces if sum(pace)]
    odds = log(CHANGING / (1 - CHANGING)) + sum(_evidence(*pair) for pair in pairwise(moved))
    return 1 / (1 + exp(-odds)) if odds > -100 else 0.0


def _evidence(before: Sequence[int], after: Sequence[int]) -> float:
    """The logarithm of how much likelier this is where the pace changes."""
    seats = len(before)
    steps = [log((b + _IMAGINED) / (a + _IMAGINED)) for a, b in zip(before, after, strict=True)]
    mean = sum(steps) / seats
    square = sum((step - mean) ** 2 for step in steps)
    chance = SPREAD * seats * (1 / sum(before) + 1 / sum(after))
    kept, changed = KEPT + chance, CHANGED + chance
    return square / 2 * (1 / kept - 1 / changed) - (seats - 1) / 2 * log(changed / kept)
