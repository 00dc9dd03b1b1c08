"""First fit: plays the first card that it sees to fit."""

from collections.abc import Sequence

from games.bots.base import Bot, Persona
from games.bots.view import Candidate
from games.compiled import mypyc_attr


@mypyc_attr(allow_interpreted_subclasses=True)
class FirstFit(Bot):
    """Weighs nothing, so it readily feeds everyone's 5s."""

    temper = "first-fit"
    persona = Persona(
        "Pim",
        "plays the first card that fits",
        "M6.5 8.5h0M13.5 8.5h0M9 13a1 1 0 0 0 2 0 1 1 0 0 0-2 0",
    )

    def pick(self, candidates: Sequence[Candidate]) -> Candidate | None:
        return candidates[0]
