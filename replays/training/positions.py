"""Positions of simulated matches with their outcomes, cached between trainings.

Every sample records its match, since fitting and testing must never share one: neighbouring
positions are so alike that a model tested on them would look far better than it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from multiprocessing import get_context
from os import nice
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

import games.bots
import games.engine
from games.engine.cards import SEATS
from games.engine.editions import EDITION_NUMBERS
from games.engine.events import Deal, End, Event, Play
from games.records.log import Header, Line, Result
from replays.analysis.winning import inputs, position
from replays.analysis.winning.inputs import SPECTATOR, spectator
from replays.analysis.winning.position import Position
from replays.analysis.winning.series import STEP_MS
from replays.training import bots, matches
from replays.training.matches import lines, plan

SHARE: Final = 0.12
"""The fraction of a curve's points that become samples."""
_SOURCES: Final = (inputs, position, matches, bots)
_CHUNK: Final = 50
"""Matches that a process plays at a time."""

Floats = NDArray[Any]
"""An array of numbers."""
Bools = NDArray[np.bool_]


class Samples(NamedTuple):
    """`n` positions; empty seats are zeros, in `x` and `won`."""

    x: Floats
    """(n, SEATS, inputs): the `SPECTATOR` inputs."""
    won: Floats
    """(n, SEATS): 1 for the winner, a share of it for each of several."""
    seats: Floats
    """(n,)"""
    match: Floats
    """(n,): which match of its population and seed."""
    edition: Floats
    """(n,): its number in `EDITION_NUMBERS`."""
    phase: Floats
    """(n,): 0 to 3, quarters of the way to the target and, in it, of the cards played."""


def samples(population: str, seed: int, matches: int, cache: Path, jobs: int = 1) -> Samples:
    """The samples of `matches` matches; those not in the cache are played."""
    path = cache / f"{population}-{seed}-{matches}-{_digest()}.npz"
    if path.exists():
        with np.load(path) as kept:
            return Samples(**{name: kept[name] for name in Samples._fields})
    played = _joined(list(_chunks(population, seed, matches, jobs)))
    cache.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(path, **played._asdict())
    return played


def chosen(samples: Samples, rows: Bools) -> Samples:
    return Samples(*(column[rows] for column in samples))


def sitting(samples: Samples) -> Bools:
    """Which seats are occupied: (n, SEATS)."""
    sits: Bools = np.arange(SEATS)[None, :] < samples.seats[:, None]
    return sits


def together(*parts: Samples) -> Samples:
    """Samples of several populations combined; their matches stay distinct."""
    moved, first = [], 0
    for part in parts:
        moved.append(part._replace(match=part.match + first))
        first += int(part.match.max()) + 1
    return _joined(moved)


def _joined(parts: list[Samples]) -> Samples:
    return Samples(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _digest() -> str:
    """A digest of the sources that samples depend on, so that no outdated cache is used."""
    rooms = [Path(next(iter(room.__path__))) for room in (games.engine, games.bots)]
    sources = [path for room in rooms for path in sorted(room.glob("*.py"))]
    sources += [Path(module.__file__ or "") for module in _SOURCES] + [Path(__file__)]
    return sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:8]


def _chunks(population: str, seed: int, matches: int, jobs: int) -> Iterator[Samples]:
    asked = [
        (population, seed, first, min(first + _CHUNK, matches))
        for first in range(0, matches, _CHUNK)
    ]
    if jobs == 1:
        yield from map(_chunk, asked)
        return
    with get_context("spawn").Pool(jobs, initializer=nice, initargs=(10,)) as pool:
        yield from pool.imap(_chunk, asked)


def _chunk(asked: tuple[str, int, int, int]) -> Samples:
    population, seed, first, last = asked
    rows: list[_Row] = []
    for index in range(first, last):
        rows += _rows(population, seed, index)
    return Samples(
        x=np.array([row.x for row in rows], np.float32),
        won=np.array([row.won for row in rows], np.float32),
        seats=np.array([row.seats for row in rows], np.int32),
        match=np.array([row.match for row in rows], np.int32),
        edition=np.array([row.edition for row in rows], np.int32),
        phase=np.array([row.phase for row in rows], np.int32),
    )


class _Row(NamedTuple):
    x: list[list[float]]
    won: list[float]
    seats: int
    match: int
    edition: int
    phase: int


def _rows(population: str, seed: int, index: int) -> Iterator[_Row]:
    """The samples of one match; none if it was abandoned."""
    played = list(lines(plan(population, seed, index)))
    header, result = played[0], played[-1]
    if not isinstance(header, Header) or not isinstance(result, Result):
        return
    position, seats = Position(header), len(header.seats)
    won = [float(seat in result.winners) / len(result.winners) for seat in range(seats)]
    edition, spare = EDITION_NUMBERS[header.edition], SEATS - seats
    share = Random(index)
    for _ in _points(position, played):
        if share.random() < SHARE:
            position.learn()
            x = spectator(position) + [[0.0] * len(SPECTATOR)] * spare
            yield _Row(x, won + [0.0] * spare, seats, index, edition, _phase(position))


def _points(position: Position, played: list[Line]) -> Iterator[None]:
    """Stop at every point of a curve, with the position updated to it."""
    due = 0
    for line in played:
        if isinstance(line, Event):
            while due <= line.t:
                yield
                due += STEP_MS
        position.read(line)
        if isinstance(line, Deal):
            due = STEP_MS
            yield
        elif isinstance(line, Play) and line.takes is not None:
            yield
        elif isinstance(line, End):
            due = 0


def _phase(position: Position) -> int:
    """The quarter of the match: by the best total, and by the cards played in this round."""
    rules, cards = position.rules, position.seats * position.deck
    played = 1 - (sum(position.piles) + sum(position.hands)) / cards
    before = 0.0 if rules.speedy else max(0.0, max(position.totals) / rules.target)
    return min(3, int(4 * (played if rules.speedy else before + 0.25 * played * (1 - before))))
