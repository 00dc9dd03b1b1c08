"""What weaknesses cost in points: the signs of a match, taken apart by kind.

What a weakness changes in each sign, and in the score, was measured on bots that were given
weaknesses at random (`replays.training.weaknesses`). `worth.json` turns the one into the other,
so that a slow hand does not count as slow takes, too. All values are estimates.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from replays.analysis.players.signs import KINDS, LINE, Sign, signs
from replays.timeline import Timeline

FILE: Final = Path(__file__).parent / "worth.json"


class Worth(NamedTuple):
    """The constants; rows and columns in the order of `KINDS`."""

    points: tuple[tuple[float, ...], ...]
    """For each sign, what a unit of it says that each weakness cost, in points a round."""
    usual: tuple[float, ...]
    """Of what weaknesses cost players of less strength in all, the share of each kind."""
    tells: tuple[float, ...]
    """How much each kind's cost tells of strength: its share by its variance between equals."""
    spread: tuple[float, ...]
    """For equals, the standard deviation of a kind's cost beyond that in a match of one round."""
    errors: tuple[float, ...]
    """The standard error of each kind's price, as a share of it."""
    delay: tuple[float, ...]
    """By what lag costs at tables of two to five, as a share of what `points` says."""


class Cost(NamedTuple):
    """What a kind of weakness cost a seat in a match: points against the table's mean (negative:
    lost). Its own figure and the others'; the position where it showed most (round 0: nowhere)."""

    points: float
    own: float
    others: float
    round: int
    event: int
    seq: int


@cache
def worth() -> Worth:
    """The constants, as they were last fitted."""
    fitted: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    points = tuple(tuple(row) for row in fitted["points"])
    return Worth(points, *(tuple(fitted[name]) for name in Worth._fields[1:]))


def costs(timeline: Timeline, lags: Sequence[float | None]) -> list[dict[str, Cost]]:
    """What each kind cost each seat of a finished match; `lags`: in ms."""
    rounds, delay = len(timeline.rounds), worth().delay[len(timeline.names) - 2]
    return [_costs(of_seat, rounds, delay) for of_seat in signs(timeline, lags)]


def _costs(by_kind: Mapping[str, Sign], rounds: int, delay: float) -> dict[str, Cost]:
    parts = taken_apart([by_kind[kind].value for kind in KINDS], worth().points)
    parts[KINDS.index(LINE)] *= delay
    return {
        kind: Cost(round(part * rounds, 2), *_shown(by_kind[kind]))
        for kind, part in zip(KINDS, parts, strict=True)
    }


def taken_apart(values: Sequence[float], points: Sequence[Sequence[float]]) -> list[float]:
    """The points a round of each kind, from the values of the signs."""
    columns = zip(*points, strict=True)
    return [sum(v * p for v, p in zip(values, column, strict=True)) for column in columns]


def beyond(parts: Sequence[float], usual: Sequence[float], tells: Sequence[float]) -> list[float]:
    """What each kind cost beyond its usual share for the strength that the others tell of.

    A kind by itself says nothing of the strength it is held against, or a slow hand would mostly
    pass for usual; nor do noisy kinds say much, or chance in them would drown it.
    """
    said = [part * tell for part, tell in zip(parts, tells, strict=True)]
    known = [share * tell for share, tell in zip(usual, tells, strict=True)]
    whole, all_known = sum(said), sum(known)
    return [
        part - share * (whole - own) / (all_known - own_known)
        for part, share, own, own_known in zip(parts, usual, said, known, strict=True)
    ]


def _shown(sign: Sign) -> tuple[float, float, int, int, int]:
    place = sign.where[1:] if sign.where else (0, 0, 0)
    return round(sign.own, 2), round(sign.others, 2), *place
