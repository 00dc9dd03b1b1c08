"""Bots that keep a match close: between rounds they play stronger or weaker than planned.

How strong follows from the totals alone, which are in the log: whoever takes the match over
comes to the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.tables.plan import BOT, Plan

WEAKEST: Final = 1
STRONGEST: Final = 5
STEP: Final = 25
"""Points that the best person is ahead, or behind, for each level more, or less."""
MOST_STEPS: Final = 2


def adapted(plan: Plan, level: int, totals: Sequence[int]) -> int:
    """The level, 1 to 5, at which a bot of that level plays the round after those totals."""
    people = [totals[seat] for seat in plan.humans]
    bots = [totals[seat] for seat, place in enumerate(plan.places) if place.kind == BOT]
    if not (plan.adaptive and people and bots):
        return level
    ahead = max(people) - max(bots)
    steps = min(abs(ahead) // STEP, MOST_STEPS)
    return min(max(level + (steps if ahead > 0 else -steps), WEAKEST), STRONGEST)
