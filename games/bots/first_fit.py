"""First fit: lays the first card that fits, wherever its eye falls first."""

from __future__ import annotations

from games.bots.base import Bot
from games.bots.view import Chance


class FirstFit(Bot):
    """Never weighs anything, so it is quick to feed everybody's 5s."""

    temper = "first-fit"

    def pick(self) -> Chance | None:
        """The first chance from the slot looked at last."""
        chances = self.view.chances(self.focus)
        return chances[0] if chances else None
