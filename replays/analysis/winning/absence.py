"""Who is away: a hand that does not move, though it has cards to turn over.

Somebody who plays and finds nothing to play turns over a card, until all are in the hand. So the
network, which knows habits only as they were in the whole match, need not wait for a leaver's
to fade. Whoever moves again is judged as ever.

No record says who is connected. At the site's own tables nobody is weighed: there a bot plays on
for an absent person before long, and the seat goes on having its chance.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from replays.analysis.winning.position import Position

USUAL: Final = 5
"""How many movements of each other hand somebody at the table may let pass."""
HALVED: Final = 2
"""After how many more a chance is half of what it was."""


def present(p: Sequence[float], position: Position) -> Sequence[float]:
    """The network's probabilities, less for who seems to be away and more for the others."""
    if position.stood_in:
        return p
    missed = [max(0.0, one - USUAL) for one in position.missed()]
    if not any(missed):
        return p
    least = min(missed)
    shares = [one * 0.5 ** ((more - least) / HALVED) for one, more in zip(p, missed, strict=True)]
    whole = sum(shares)
    return [share / whole for share in shares]
