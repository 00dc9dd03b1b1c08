"""A whole match as cells: one for each round, or for a few rounds if there are very many."""

from __future__ import annotations

from typing import Final, NamedTuple

from replays.charts.course import Course, summed

MOST_CELLS: Final = 30
"""With five players and five owners' colours, that is half of the eye's capacity."""


class Cell(NamedTuple):
    """Rounds `first` to `last`. `seq` is the first one's deal, `fed` is theirs alone."""

    first: int
    last: int
    seq: int
    fed: list[list[int]]
    totals: tuple[int, ...]
    """Each seat's total after them."""

    @property
    def rounds(self) -> int:
        return self.last - self.first + 1

    @property
    def played(self) -> list[int]:
        """For each seat, its cards put into the center."""
        return [sum(row) for row in self.fed]

    @property
    def taken(self) -> list[int]:
        """For each seat, the cards that it took."""
        return [sum(column) for column in zip(*self.fed, strict=True)][:-1]

    @property
    def left(self) -> int:
        return sum(row[-1] for row in self.fed)

    @property
    def name(self) -> str:
        return f"{self.first}" if self.first == self.last else f"{self.first}–{self.last}"


def per_cell(rounds: int) -> int:
    return max(1, -(-rounds // MOST_CELLS))


def cells(course: Course) -> list[Cell]:
    """The cells, in order. The last may have fewer rounds."""
    size, seats = per_cell(len(course.rounds)), len(course.names)
    listed: list[Cell] = []
    for start in range(0, len(course.rounds), size):
        some = course.rounds[start : start + size]
        totals = course.totals[start + len(some) - 1]
        fed = summed((played.fed for played in some), seats)
        listed.append(Cell(some[0].round, some[-1].round, some[0].seq, fed, totals))
    return listed
