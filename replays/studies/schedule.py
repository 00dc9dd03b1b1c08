"""When a position comes back: the scheduler FSRS, over the answers that somebody has given to it.

The schedule follows from the attempts that are stored, and is stored nowhere. It has days and no
shorter steps: what was missed comes again on the next day, not in the same five minutes.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Final, NamedTuple

from fsrs import Card, Rating, Scheduler

from replays.models import Attempt

QUICK_MS: Final = 1_500
"""A right answer within this was easy;"""
SLOW_MS: Final = 5_000
"""one after this was hard, as is every one with a hint."""
# Without its random days: the same answers have to give the same day each time.
_SCHEDULER: Final = Scheduler(
    learning_steps=(), relearning_steps=(), maximum_interval=365, enable_fuzzing=False
)


class Review(NamedTuple):
    """An answer, as far as it matters for when the position comes back."""

    at: datetime
    verdict: str
    ms: int | None
    hinted: bool

    @property
    def rating(self) -> Rating:
        """How well the position was known."""
        if self.verdict != Attempt.Verdict.RIGHT:
            return Rating.Again
        ms = self.ms or 0
        if self.hinted or ms > SLOW_MS:
            return Rating.Hard
        return Rating.Easy if ms <= QUICK_MS else Rating.Good


def due(reviews: Iterable[Review]) -> datetime:
    """When a position comes back after these answers, the first one first."""
    card = Card(card_id=0)
    for review in reviews:
        card, _ = _SCHEDULER.review_card(card, review.rating, review.at)
    return card.due
