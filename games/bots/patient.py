"""The patient bot: company for a beginner's first round, slow and without tricks.

It plays on the lowest stacks, so it builds its own and seldom disturbs a higher one. It takes only
low stacks, and never says OUT. Its level is 0: it is no measure of anyone's strength. Its host
makes it wait for people (`games.live.host.bot_seats`).
"""

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
        """The lower the stack the better. A high one is not worth a 5 or a wild."""
        height = self.view.heights[slot]
        if takes:
            return 0.1 if height + 1 <= MODEST else 0
        return 1 / (1 + height)

    def shouts(self) -> bool:
        return False
