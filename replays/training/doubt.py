"""How certain a model is of a swing: by how much two models of the same kind differ.

Each is fitted to a different half of the matches, so they differ only by chance. The variance
of a swing grows with its size: `base` squared + (`share` times the swing) squared.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import numpy as np

from games.records.log import Header, Line
from replays.analysis.winning.network import Json, Network
from replays.analysis.winning.series import PLAY, TAKE, TIE, Series
from replays.training.matches import lines, plan

_CAUSES: Final = frozenset((PLAY, TAKE, TIE))


def swing_error(first: Network, second: Network, population: str, seed: int, matches: int) -> Json:
    """The standard error of a swing of one such model, as `base` and `share`."""
    pairs = np.array(
        [
            pair
            for index in range(matches)
            for pair in _swings((first, second), list(lines(plan(population, seed, index))))
        ]
    )
    mine, theirs = pairs.T
    square = ((mine - theirs) ** 2) / 2
    size = ((mine + theirs) / 2) ** 2
    unknown = np.stack([np.ones_like(size), size], axis=1)
    base, share = np.linalg.lstsq(unknown, square, rcond=None)[0]
    return {
        "base": float(f"{max(base, 1e-8) ** 0.5:.2g}"),
        "share": float(f"{max(share, 1e-8) ** 0.5:.2g}"),
    }


def _swings(networks: Sequence[Network], record: list[Line]) -> list[tuple[float, ...]]:
    """What plays, takes and ties of a match changed, seat by seat, as each network sees it."""
    return list(zip(*(_swings_of(network, record) for network in networks), strict=True))


def _swings_of(network: Network, record: list[Line]) -> list[float]:
    header = record[0]
    assert isinstance(header, Header)
    found = Series(header, detailed=True, network=network)
    for seq, line in enumerate(record):
        found.add(line, seq)
    return [
        after - before
        for last, point in pairwise(found.points)
        if point.cause in _CAUSES
        for before, after in zip(last.p, point.p, strict=True)
    ]
