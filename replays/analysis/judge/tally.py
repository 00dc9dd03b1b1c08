"""The results of some rollouts. Tallies of the same question add up."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any, Final, NamedTuple, Self

WIDE: Final = 2
"""An interval is so many standard errors to either side."""
_COLUMNS: Final = ("wins", "win_squares", "points", "point_squares", "takes", "take_ms")


class Batch(NamedTuple):
    """Rollouts by number: the same ones give the same tallies."""

    first: int
    size: int
    seed: int = 0


class Mean(NamedTuple):
    """A mean, and its standard error."""

    mean: float
    error: float

    def __sub__(self, other: Mean) -> Mean:
        return Mean(self.mean - other.mean, sqrt(self.error**2 + other.error**2))


class Tally:
    """What came of one way: for each seat, sums of its chances to win and of its points, how often
    it took the stack in question, and after how many ms in all."""

    def __init__(self, seats: int) -> None:
        self.rollouts = 0
        self.wins, self.win_squares = [0.0] * seats, [0.0] * seats
        self.points, self.point_squares = [0.0] * seats, [0.0] * seats
        self.takes, self.take_ms = [0] * seats, [0] * seats

    def add(self, points: Sequence[int], chances: Sequence[float]) -> None:
        self.rollouts += 1
        for seat, (scored, p) in enumerate(zip(points, chances, strict=True)):
            self.wins[seat] += p
            self.win_squares[seat] += p * p
            self.points[seat] += scored
            self.point_squares[seat] += scored * scored

    def took(self, seat: int, after_ms: int) -> None:
        self.takes[seat] += 1
        self.take_ms[seat] += after_ms

    def win(self, seat: int) -> Mean:
        return self._mean(self.wins[seat], self.win_squares[seat])

    def scored(self, seat: int) -> Mean:
        return self._mean(self.points[seat], self.point_squares[seat])

    def _mean(self, whole: float, squares: float) -> Mean:
        mean = whole / self.rollouts
        variance = max(0.0, squares / self.rollouts - mean * mean)
        return Mean(mean, sqrt(variance / max(1, self.rollouts - 1)))

    def __iadd__(self, other: Tally) -> Self:
        self.rollouts += other.rollouts
        for name in _COLUMNS:
            mine = getattr(self, name)
            for seat, value in enumerate(getattr(other, name)):
                mine[seat] += value
        return self

    def as_json(self) -> dict[str, Any]:
        """The tally, to be stored."""
        return {"rollouts": self.rollouts, **{name: getattr(self, name) for name in _COLUMNS}}

    @classmethod
    def of_json(cls, stored: dict[str, Any]) -> Tally:
        tally = cls(0)
        tally.rollouts = stored["rollouts"]
        for name in _COLUMNS:
            setattr(tally, name, stored[name])
        return tally


class Tallies(NamedTuple):
    as_played: Tally
    instead: Tally

    @property
    def rollouts(self) -> int:
        return self.instead.rollouts

    def add(self, more: Tallies) -> Tallies:
        """Both together. Changes this one."""
        as_played, instead = self
        as_played += more.as_played
        instead += more.instead
        return Tallies(as_played, instead)

    def win(self, seat: int) -> Mean:
        """What the change adds to a seat's chance to win."""
        return self.instead.win(seat) - self.as_played.win(seat)

    def scored(self, seat: int) -> Mean:
        """The change's effect on a seat's points."""
        return self.instead.scored(seat) - self.as_played.scored(seat)

    def as_json(self) -> list[dict[str, Any]]:
        return [tally.as_json() for tally in self]

    @classmethod
    def of_json(cls, stored: list[dict[str, Any]]) -> Tallies:
        return cls(*map(Tally.of_json, stored))
