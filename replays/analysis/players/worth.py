"""The cost of weaknesses in points: the signs of a match, separated by kind.

The effect of a weakness on each sign, and on the score, was measured on bots that were given
weaknesses at random (`replays.training.weaknesses`). `worth.json` turns signs into costs, so that a
slow player does not count as slow at takes, too. All values are estimates.
"""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from replays.analysis.players.signs import KINDS, LINE, Sign, signs
from replays.timeline import Timeline

FILE: Final = Path(__file__).parent / "worth.json"


class Worth(NamedTuple):
    """The constants. Rows and columns are in the order of `KINDS`."""

    points: tuple[tuple[float, ...], ...]
    """For each sign, what a unit of it says that each weakness cost, in points a round."""
    usual: tuple[float, ...]
    """The share of each kind in the total cost of weaknesses for weaker players."""
    tells: tuple[float, ...]
    """How well each kind's cost predicts strength: its share by its variance between equals."""
    spread: tuple[float, ...]
    """For equals, the standard deviation of a kind's cost beyond that in a match of one round."""
    errors: tuple[float, ...]
    """The standard error of each kind's price, as a share of it."""
    delay: tuple[float, ...]
    """The factor on the cost of lag in `points`, at tables of two to five."""


class Cost(NamedTuple):
    """The cost of a weakness to a seat in a match: points against the table's mean (negative:
    lost). Its own figure and the others'. The position where it showed most (round 0: nowhere)."""

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
    """The cost of each kind to each seat of a finished match. `lags`: in ms."""
    rounds, delay = len(timeline.rounds), worth().delay[len(timeline.names) - 2]
    return [_costs(of_seat, rounds, delay) for of_seat in signs(timeline, lags)]


def _costs(by_kind: Mapping[str, Sign], rounds: int, delay: float) -> dict[str, Cost]:
    parts = taken_apart([by_kind[kind].value for kind in KINDS], worth().points)
    parts[KINDS.index(LINE)] *= delay
    return {
        kind: Cost(round(part * rounds, 2), *_rounded_sign(by_kind[kind]))
        for kind, part in zip(KINDS, parts, strict=True)
    }


def taken_apart(values: Sequence[float], points: Sequence[Sequence[float]]) -> list[float]:
    """The points a round of each kind, from the values of the signs."""
    columns = zip(*points, strict=True)
    return [sum(v * p for v, p in zip(values, column, strict=True)) for column in columns]


def beyond(parts: Sequence[float], usual: Sequence[float], tells: Sequence[float]) -> list[float]:
    """The cost of each kind beyond its usual share at the strength that the others indicate.

    Strength is measured without the kind itself, or slow movements would mostly pass for usual.
    Noisy kinds weigh little, or chance in them would drown it.
    """
    said = [part * tell for part, tell in zip(parts, tells, strict=True)]
    known = [share * tell for share, tell in zip(usual, tells, strict=True)]
    whole, all_known = sum(said), sum(known)
    return [
        part - share * (whole - own) / (all_known - own_known)
        for part, share, own, own_known in zip(parts, usual, said, known, strict=True)
    ]


def _rounded_sign(sign: Sign) -> tuple[float, float, int, int, int]:
    place = sign.where[1:] if sign.where else (0, 0, 0)
    return round(sign.own, 2), round(sign.others, 2), *place
