"""First fit: lays the first card that fits, wherever its eye falls first."""

from __future__ import annotations

from collections.abc import Sequence

from games.bots.base import Bot
from games.bots.view import Candidate


class FirstFit(Bot):
    """Never weighs anything, so it is quick to feed everybody's 5s."""

    temper = "first-fit"

    def pick(self, candidates: Sequence[Candidate]) -> Candidate | None:
        """The first candidate that meets the eye."""
        return candidates[0]
