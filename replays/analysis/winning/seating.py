"""What everyone knows of the players before the match: which of the site's bots they are.

A person's strength is not known, nor a bot's that the record does not name. One such player, and
the match is judged by its play alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.bots.roster import bots_of
from games.records.log import Header

SEATED: Final = ("strength", "strength_best", "strength_mean")
"""The inputs of a seat: how strong its player is, also compared with the best other and with the
mean of the others."""

STRENGTHS: Final = {
    "taker": (-1.31, -0.47, 0.22, 0.96, 1.52),
    "builder": (-1.47, -0.56, 0.1, 0.76, 1.4),
    "starver": (-1.26, -0.52, 0.26, 0.79, 1.36),
    "runner": (-1.7, -0.89, -0.22, 0.34, 1.0),
    "first-fit": (-1.6, -0.71, -0.07, 0.64, 1.43),
}
"""The ratings of the bots at each level (docs/explanation/ratings.md), averaged over the editions.
Their mean is 0, their standard deviation 1."""


def strengths_of(header: Header) -> list[float]:
    """Of each seat. Empty unless all are known."""
    specs = [spec for spec in bots_of(header) if spec and spec.temper in STRENGTHS]
    known = len(specs) == len(header.seats)
    return [STRENGTHS[spec.temper][spec.level - 1] for spec in specs] if known else []


def seated(strengths: Sequence[float]) -> list[list[float]]:
    """The `SEATED` inputs of each seat."""
    rows, whole = [], sum(strengths)
    for seat, strength in enumerate(strengths):
        others = [*strengths[:seat], *strengths[seat + 1 :]]
        mean = (whole - strength) / len(others)
        rows.append([strength, strength - max(others), strength - mean])
    return rows
