"""Bots that keep a match close: between rounds their level goes up or down.

The level follows from the totals alone, which are in the log, so a host that takes the match
over arrives at the same one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.tables.plan import BOT, Plan

WEAKEST: Final = 1
STRONGEST: Final = 5
STEP: Final = 25
"""The lead (or deficit) of the best person, in points, for each level up (or down)."""
MOST_STEPS: Final = 2


def adapted(plan: Plan, level: int, totals: Sequence[int]) -> int:
    """The level, 1 to 5, at which a bot of this level plays after a round with those totals."""
    people = [totals[seat] for seat in plan.humans]
    bots = [totals[seat] for seat, place in enumerate(plan.places) if place.kind == BOT]
    if not (plan.adaptive and people and bots):
        return level
    ahead = max(people) - max(bots)
    steps = min(abs(ahead) // STEP, MOST_STEPS)
    return min(max(level + (steps if ahead > 0 else -steps), WEAKEST), STRONGEST)
