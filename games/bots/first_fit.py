"""First fit: plays the first card that it sees to fit."""

from __future__ import annotations

from collections.abc import Sequence

from games.bots.base import Bot
from games.bots.view import Candidate
from games.compiled import mypyc_attr


@mypyc_attr(allow_interpreted_subclasses=True)
class FirstFit(Bot):
    """Weighs nothing, so it readily feeds everyone's 5s."""

    temper = "first-fit"

    def pick(self, candidates: Sequence[Candidate]) -> Candidate | None:
        return candidates[0]
