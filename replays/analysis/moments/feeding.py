"""Feeding: plays that let another player take at once, and what could have been played instead."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from typing import Final, NamedTuple

from games.engine.cards import FACE, Card
from games.engine.events import Play
from games.engine.fitting import fits
from games.engine.table import Table, apply
from replays.analysis.moments import wording
from replays.analysis.moments.swings import Fed, Swing
from replays.analysis.winning.network import model
from replays.analysis.winning.position import FIVE
from replays.analysis.winning.series import PLAY, TAKE
from replays.timeline import Round, Timeline

_SAFE: Final = range(1, FIVE - 1)
"""The faces that let nobody take with a 5."""


class Safer(NamedTuple):
    """Another hand card that fitted, and on which no 5 could have been played."""

    card: Card
    slot: int


class Feed(NamedTuple):
    """A play, and the take with a 5 that another player made on it within `wording.SOON_MS`."""

    play: Swing
    take: Swing
    seat: int
    """Who fed."""
    safer: Safer | None
    ready: bool
    """Whether this seat had a 5 in hand too, and was not quick enough with it."""

    @property
    def before(self) -> float:
        """What the seat's win probability would be without the take.

        A safer card would have brought what this play did, so with one only the take counts;
        otherwise it is compared with no play.
        """
        return (self.take if self.safer else self.play).before[self.seat]

    @property
    def price(self) -> float:
        """What it changed in the seat's win probability; negative is a loss."""
        take = self.take.change(self.seat)
        return take if self.safer else take + self.play.change(self.seat)

    @property
    def error(self) -> float:
        """The price's standard error."""
        error = model("spectator").error(self.take.change(self.seat))
        if self.safer:
            return error
        return float((error**2 + model("spectator").error(self.play.change(self.seat)) ** 2) ** 0.5)


def feeds(timeline: Timeline, found: Sequence[Swing]) -> Iterator[Feed]:
    """The feeds of a match, in order; `found`: its swings."""
    swing_at = {swing.seq: swing for swing in found if swing.cause == PLAY}
    taken = {fed.seq: swing for swing in found if (fed := _fed(swing))}
    for played in timeline.rounds:
        wanted = taken.keys() & swing_at.keys() & set(played.seqs)
        for seq, seat, table in _before(played, wanted) if wanted else ():
            ready = any(FACE[card] == FIVE for card in table.hands[seat])
            yield Feed(swing_at[seq], taken[seq], seat, _safer(table, seat), ready)


def _fed(swing: Swing) -> Fed | None:
    fed = swing.facts.fed if swing.facts and swing.cause == TAKE else None
    return fed if fed and fed.ms <= wording.SOON_MS else None


def _before(played: Round, wanted: Container[int]) -> Iterator[tuple[int, int, Table]]:
    """Each wanted play: its seq, its seat, and the table before it (which is reused)."""
    table = played.table()
    for event, seq in zip(played.events, played.seqs, strict=True):
        if seq in wanted and isinstance(event, Play):
            yield seq, event.seat, table
        apply(table, event)


def _safer(table: Table, seat: int) -> Safer | None:
    hand = [card for card in table.hands[seat] if FACE[card] in _SAFE]
    fitting = (
        Safer(card, slot)
        for card in hand
        for slot, top in enumerate(table.tops)
        if fits(table.rules, top, FACE[card])
    )
    return next(fitting, None)
