"""A player's biggest takes, as pictures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.engine.cards import WILD
from games.records.plural import counted
from replays.pages.moment_pictures import PicturedMoment, Place, pictured
from replays.patterns.language import TOOK
from replays.patterns.occurrences import KINDS, Occurrence
from replays.patterns.storing import stored_in
from replays.players.queries import Played

MOST: Final = 3


def best_takes(played: Sequence[Played]) -> list[PicturedMoment]:
    """The biggest takes of a player in these matches, as far as those are stored. Two queries."""
    by = {match.match: match for match in played}
    takes = [
        (by[match], one)
        for match, rows in stored_in(by, {KINDS.index(TOOK)})
        for one in map(Occurrence._make, rows)
        if one.seat == by[match].number
    ]
    best = sorted(takes, key=lambda take: take[1].cards, reverse=True)[:MOST]
    return pictured(
        (Place(match.match, one.round, one.seq), _said(one), f"{match.started_at:%-d %b %Y}")
        for match, one in best
    )


def _said(one: Occurrence) -> str:
    card = "a wild" if one.face == WILD else f"a {one.face}"
    return f"{counted(one.cards, 'card')} with {card}"
