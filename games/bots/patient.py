"""The patient bot: company for somebody's first round, slow and without tricks.

It plays where least lies, so that it builds its own stacks and seldom meddles with a higher one;
it takes only what is low, and never says OUT. Its level is 0: it is no measure of anybody.
That it waits for people is its host's doing (`games.live.host.bot_seats`).
"""

from __future__ import annotations

from typing import Final

from games.bots.base import Bot, keeping
from games.bots.skill import Skill, quantiles
from games.engine.cards import Card

PATIENT: Final = "patient"
PATIENT_LEVEL: Final = 0
PATIENT_NAMES: Final = ("Ida", "Ole")
MODEST: Final = 4
"""The height, taking card included, above which it leaves a stack to others."""
PATIENT_SKILL: Final = Skill(
    pace=quantiles(1_500, 0.2),
    reach=quantiles(600, 0.2),
    lag=250,
    glance=60,
    hesitation=quantiles(1_000, 0.2),
    hesitates=0,
    slips=0,
    overlooks=0,
    patience=60_000,
)


class Patient(Bot):
    """Plays on the lowest stack, and leaves the high ones and the end of the round to others."""

    temper = PATIENT
    KEEP = keeping(5, 4, 3, 2, 1, 6)

    def worth(self, card: Card, slot: int, number: int | None, takes: bool) -> float:
        """The lower the stack the better; a high one is not worth a 5 or a wild."""
        height = self.view.heights[slot]
        if takes:
            return 0.1 if height + 1 <= MODEST else 0
        return 1 / (1 + height)

    def shouts(self) -> bool:
        return False
