"""Positions of simulated matches with their outcomes: the network's training data.

Every sample records its match, since fitting and testing must never share one: neighbouring
positions are so alike that a model tested on them would look far better than it is.
"""

from collections.abc import Iterable, Iterator
from multiprocessing import get_context
from os import nice
from random import Random
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.engine.cards import SEATS
from games.engine.events import Deal, Event, Play
from games.records.log import Header, Line, Result
from replays.analysis.winning.absence import missing
from replays.analysis.winning.inputs import SPECTATOR, spectator
from replays.analysis.winning.position import Position
from replays.analysis.winning.series import STEP_MS
from replays.training.matches import PlannedMatch, lines, plan

PLAYERS: Final = {"roster": 8, "equals": 4, "alien": 3, "drifter": 5}
"""How many of twenty matches that the network is fitted to are of each population."""
ONE_ROUND: Final = "one round"
MIX: Final = {ONE_ROUND: 6, "to 100": 6, "to 200": 3, "to 500": 2, "to 850": 1, "to 1000": 2}
"""And how many are so long."""
EACH: Final = 24
"""About so many positions of a match are looked at, however long it is."""
_POINTS: Final = 65
"""About so many points of the curve a round has."""
_WHOLE: Final = 0.999
_CHUNK: Final = 50
"""Matches that a process plays at a time."""

Floats = NDArray[Any]
"""An array of numbers."""
Bools = NDArray[np.bool_]


class Stop(NamedTuple):
    """A moment of a match, with the habits learnt up to now."""

    position: Position
    round: int
    t: int
    still_ms: int
    """For how long no card has been played."""


class Samples(NamedTuple):
    """`n` positions. Seats that are empty or left are zeros, in `x` and `won`."""

    x: Floats
    """(n, SEATS, inputs): the `SPECTATOR` inputs."""
    won: Floats
    """(n, SEATS): 1 for the winner, a share of it for each of several."""
    sits: Bools
    """(n, SEATS)"""
    match: Floats
    """(n,): which match."""
    known: Bools
    """(n,): whether all players are known. If not, only the `PLAYED` inputs count."""


def samples(seed: int, matches: int, jobs: int = 1, length: str = "", known: int = 0) -> Samples:
    """The samples of so many matches of the mix, or of its players in matches of that length.

    And of those of the first `known` matches in which all players are known.
    """
    last = max(matches, known)
    asked = [
        (seed, range(first, min(first + _CHUNK, last)), length, matches)
        for first in range(0, last, _CHUNK)
    ]
    with get_context("spawn").Pool(jobs, initializer=nice, initargs=(10,)) as pool:
        parts = pool.map(_chunk, asked, chunksize=1)
    return Samples(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def chosen(samples: Samples, rows: Floats | Bools) -> Samples:
    return Samples(*(column[rows] for column in samples))


def of_mix(
    seed: int, index: int, population: str = "", length: str = ""
) -> tuple[PlannedMatch, str]:
    """The match with that index, of any population or that one, and how long it is."""
    randomness = Random(f"mix {seed}/{index}")
    players, drawn = (
        randomness.choices(list(kinds), list(kinds.values()))[0] for kinds in (PLAYERS, MIX)
    )
    length = length or drawn
    return plan(population or players, seed, index, length), length


def _chunk(asked: tuple[int, range, str, int]) -> Samples:
    seed, indices, length, matches = asked
    plans = ((index, of_mix(seed, index, length=length)[0]) for index in indices)
    rows = [
        row
        for index, planned in plans
        if index < matches or planned.header.tags
        for row in _rows(planned, index)
    ]
    x, won, *others = zip(*rows, strict=True)
    return Samples(np.array(x, np.float32), np.array(won, np.float32), *map(np.array, others))


def _rows(planned: PlannedMatch, index: int) -> Iterator[tuple[Any, ...]]:
    """The samples of one match, without seats that have left. Uncertain cases are left out."""
    record = list(lines(planned))
    won = shares(record)
    for position, *_ in stops(record) if won else ():
        away = {seat: there for there, seat in missing(position)}
        here = [seat for seat in range(position.seats) if seat not in away]
        if any(away.values()) or sum(won[seat] for seat in here) < _WHOLE or len(here) < 2:
            continue
        rows = spectator(position.among(here))
        known = len(rows[0]) == len(SPECTATOR)
        x = [row + [0.0] * (len(SPECTATOR) - len(row)) for row in rows]
        spare = [[0.0] * len(SPECTATOR)] * (SEATS - len(here))
        sits = [place < len(here) for place in range(SEATS)]
        yield [*x, *spare], filled(won[seat] for seat in here), sits, index, known


def stops(record: list[Line]) -> Iterator[Stop]:
    """Some of the points of a match's curve, the same ones each time."""
    header = record[0]
    assert isinstance(header, Header)
    rounds = sum(isinstance(line, Deal) for line in record)
    randomness, share = Random(header.id), EACH / (_POINTS * rounds)
    for stop in _points(Position(header), record):
        if randomness.random() < share:
            stop.position.learn()
            yield stop


def _points(position: Position, record: list[Line]) -> Iterator[Stop]:
    due = number = played_at = 0
    for line in record:
        if isinstance(line, Event):
            while due <= line.t:
                yield Stop(position, number, due, due - played_at)
                due += STEP_MS
        position.read(line)
        if isinstance(line, Deal):
            due, number, played_at = STEP_MS, line.round, 0
            yield Stop(position, number, 0, 0)
        elif isinstance(line, Play):
            played_at = line.t
            if line.takes is not None:
                yield Stop(position, number, line.t, 0)


def shares(record: list[Line]) -> list[float]:
    """Each seat's share of the win. Empty for an abandoned match."""
    header, result = record[0], record[-1]
    if not isinstance(header, Header) or not isinstance(result, Result):
        return []
    return [(seat in result.winners) / len(result.winners) for seat in range(len(header.seats))]


def filled(values: Iterable[float]) -> list[float]:
    """A value for each seat, and 0 for those that are empty."""
    known = list(values)
    return known + [0.0] * (SEATS - len(known))
