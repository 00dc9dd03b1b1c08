"""Which live match an unattended screen shows.

Such a screen shows every match `DELAY_MS` late, so its next seconds are known already: it goes
where the chances to win are about to change most. It stays for `SHOT_MS` at least, and never leaves
around a large take.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from replays.analysis.winning.series import TAKE, Point

DELAY_MS: Final = 10_000
SHOT_MS: Final = 9_000
RUN_UP_MS: Final = 1_500
AFTER_MS: Final = 2_000
LEAD_MS: Final = 3_000
"""A screen needs a moment to show another match, and its viewers one to see the take coming."""
LARGE: Final = 0.03
"""A take that moves chances by so much is shown from its run-up until it has been seen."""
BETTER: Final = 1.2
MARGIN: Final = 0.02
"""Another match must have more ahead: so many times as much, and this on top."""


class Swing(NamedTuple):
    """A take: in how many ms the screen shows it (negative: ago), by whom, and half the sum of
    the seats' changes of their chance to win."""

    ahead_ms: int
    seat: int
    size: float


class Scene(NamedTuple):
    """A live match and its swings around what the screen shows."""

    table: str
    swings: Sequence[Swing]

    @property
    def stake(self) -> float:
        """How much is about to change."""
        return self.stake_after(0)

    def stake_after(self, ms: int) -> float:
        return sum(swing.size for swing in self.swings if swing.ahead_ms > ms)

    @property
    def seat(self) -> int | None:
        """The player of the largest swing ahead. None without one."""
        ahead = [swing for swing in self.swings if swing.ahead_ms > 0]
        return max(ahead, key=lambda swing: swing.size).seat if ahead else None

    @property
    def mid_take(self) -> bool:
        """Whether a large take is on the screen, or about to be."""
        return any(
            -AFTER_MS <= swing.ahead_ms <= RUN_UP_MS and swing.size >= LARGE
            for swing in self.swings
        )


def swings(points: Sequence[Point], idle_ms: int = 0) -> Iterator[Swing]:
    """The takes among the last points of a detailed series, of one round.

    `idle_ms`: how long ago the last of them happened.
    """
    for before, point in pairwise(points):
        if point.cause == TAKE:
            ahead = point.t - points[-1].t + DELAY_MS - idle_ms
            size = sum(abs(a - b) for a, b in zip(point.p, before.p, strict=True)) / 2
            yield Swing(ahead, point.seats[0], size)


def choose(scenes: Sequence[Scene], on: str = "", shown_ms: int = 0) -> Scene | None:
    """The scene for the screen now. `on`: the table it has shown for that time. None: no match."""
    best = max(scenes, key=lambda scene: scene.stake_after(LEAD_MS), default=None)
    current = next((scene for scene in scenes if scene.table == on), None)
    if current is None or best is None:
        return best
    stays = shown_ms < SHOT_MS or current.mid_take
    worth = current.stake * BETTER + MARGIN
    return current if stays or best.stake_after(LEAD_MS) <= worth else best
