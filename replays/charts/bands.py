"""Where cards are drawn: bands in their owner's colour and pattern, in lanes above each other.

On top is the center, under it a lane for each player's score pile. Cards rise in the center, and
lie in the pile of whoever took them, the taker's own at the bottom.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any, Final, NamedTuple

from replays.analysis.marks import COLOURS, PATTERNS, SIGNS, label
from replays.charts.course import Course
from replays.charts.frame import Json, end_label, level, of_seat

LANE: Final = 0.9
"""The fraction of a lane's height that its highest stack or pile may use."""
GAP: Final = 0.45
"""Between the center and the piles, for words, in lanes."""

Corner = tuple[float, float]


class Taken(NamedTuple):
    """Cards that `taker` took at `x`, counted by owner."""

    x: float
    taker: int
    counts: Sequence[int]


class Lanes(NamedTuple):
    """Positions: one unit is a lane of the center; `card` and `won` are a card's share of a unit.

    `pile_lane`: the height of a pile's lane. The whole is as high as if it were 1.
    """

    seats: int
    card: float
    won: float
    pile_lane: float = 1

    @property
    def floor(self) -> float:
        """The bottom of the center."""
        return self.seats * self.pile_lane + GAP

    @property
    def top(self) -> float:
        """The top of everything."""
        return 2 * self.seats + GAP

    def slot(self, slot: int, cards: float) -> float:
        """The height of that many cards in a center stack; slot 0 is on top."""
        return round(self.floor + self.seats - 1 - slot + cards * self.card, 4)

    def center(self, cards: float) -> float:
        """The height of that many cards in a center that is one lane."""
        return round(self.floor + cards * self.card, 4)

    def pile(self, seat: int, cards: float) -> float:
        """The height of that many cards in a seat's pile; seat 0 is on top."""
        return round((self.seats - 1 - seat) * self.pile_lane + cards * self.won, 4)

    def pile_middle(self, seat: int) -> float:
        """The middle of a pile's lane."""
        return self.pile(seat, 0) + self.pile_lane * LANE / 2

    def base_lines(self) -> list[Json]:
        """What the piles and the center stand on."""
        piles = (self.pile(seat, 0) for seat in range(self.seats))
        return [level("floor", y) for y in (*piles, self.floor)]


def filled(seat: int, name: str, corners: Iterable[Corner | None], **meta: Any) -> Json:
    """Areas in a seat's look, as one outline with gaps (None): quick to draw, however many."""
    pattern = {"shape": PATTERNS[seat], "fillmode": "overlay", "size": 6, "solidity": 0.2}
    return of_seat(
        seat,
        name,
        (corner or (None, None) for corner in corners),
        meta={"edge": True, **meta},
        line={"width": 0.75, "color": "#fff"},
        fill="toself",
        fillcolor=COLOURS[seat],
        fillpattern=pattern,
    )


def box(x0: float, x1: float, low: float, high: float) -> list[Corner | None]:
    """A rectangle and a gap."""
    return [(x0, low), (x0, high), (x1, high), (x1, low), (x0, low), None]


def piles(course: Course, lanes: Lanes, taken: Sequence[Taken], end: float) -> list[Json]:
    """What each seat took, by owner, growing from left to right: a band for each pair."""
    return [
        band
        for taker in course.seats
        for band in _pile(
            course, lanes, taker, [take for take in taken if take.taker == taker], end
        )
    ]


def _pile(
    course: Course, lanes: Lanes, taker: int, taken: Sequence[Taken], end: float
) -> list[Json]:
    xs = [take.x for take in taken]
    low = [0] * len(taken)
    bands = []
    for owner in sorted(course.seats, key=lambda seat: seat != taker):
        high = [
            under + cards
            for under, cards in zip(
                low, accumulate(take.counts[owner] for take in taken), strict=True
            )
        ]
        if cards := high[-1] - low[-1] if taken else 0:
            heights = [
                (lanes.pile(taker, a), lanes.pile(taker, b)) for a, b in zip(low, high, strict=True)
            ]
            name = f"{label(owner, course.names[owner])} in pile {taker + 1}"
            band = filled(owner, name, _steps(xs, heights, end), taker=taker, cards=cards)
            bands.append({**band, "showlegend": False})
        low = high
    return bands


def _steps(xs: Sequence[float], heights: Sequence[Corner], end: float) -> list[Corner]:
    """The outline of a band whose bottom and top change at `xs`, from where it begins."""
    start = next(at for at, (low, high) in enumerate(heights) if high > low)
    stretches = list(zip(xs[start:], [*xs[start + 1 :], end], heights[start:], strict=True))
    upper = [(x, high) for since, to, (_, high) in stretches for x in (since, to)]
    lower = [(x, low) for since, to, (low, _) in stretches for x in (since, to)]
    return [*upper, *reversed(lower), upper[0]]


def pile_labels(course: Course, lanes: Lanes) -> list[Json]:
    """Whose pile each lane is, and how many cards it holds at the end."""
    return [
        end_label(course, seat, str(sum(row[seat] for row in course.fed)), lanes.pile_middle(seat))
        for seat in course.seats
    ]


def pile_ticks(course: Course, lanes: Lanes) -> tuple[list[float], list[str]]:
    """Where the lanes of the piles have their marks, and which."""
    return [lanes.pile_middle(seat) for seat in course.seats], [
        SIGNS[seat] for seat in course.seats
    ]


def most_won(course: Course) -> int:
    """The cards of the greatest pile."""
    return max((sum(row[seat] for row in course.fed) for seat in course.seats), default=0)
