"""Opportunity windows: how long each hand card could have been played on each slot.

A window is a maximal stretch of the event sequence in which a card is in a seat's hand and fits a
slot. It ends with any play on the slot, even if the card fits there again: then a new window
begins. Ties, late tries and misses change no slot.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

from games.engine.cards import FACE, Card
from games.engine.events import Discard, Draw, Event, Play, Tie
from games.engine.fitting import fits, takes
from games.engine.table import Table, apply
from replays.timeline import Round

PLAYED: Final = "played"
ELSEWHERE: Final = "elsewhere"
CLOSED: Final = "closed"
OVER: Final = "over"

_Key = tuple[int, int, Card]  # seat, slot, card


class Window(NamedTuple):
    """One window. `since` and `until` are ms in the round, `end` one of the four words above."""

    seat: int
    card: Card
    slot: int
    since: int
    until: int
    end: str
    takes: bool
    """Whether it would take the stack."""
    cards: int
    """The stack's cards when the window ended, before the play that ended it."""
    play: Play | None = None
    """The play on the slot that ended it."""
    top: int = 0
    """The slot's top while it lasted. 0: a free slot."""
    span: tuple[int, int] = (0, 0)
    """After how many events of the round it began and ended."""

    @property
    def ms(self) -> int:
        """How long it lasted."""
        return self.until - self.since

    @property
    def counted(self) -> int:
        """How many cards it is about: the stack's, and the card itself if it takes them."""
        return self.cards + self.takes

    @property
    def order(self) -> tuple[int, int, int, Card, int]:
        return self.since, self.until, self.seat, self.card, self.slot


class _WindowScan:
    """Follows a round. `open` are the windows that have not ended: since when, whether they would
    take, and after how many events they began."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.open: dict[_Key, tuple[int, bool, int]] = {}
        self.found: list[Window] = []
        for slot in range(table.seats):
            self._look_at(slot)

    def read(self, event: Event) -> None:
        if isinstance(event, Play):
            for key in [key for key in self.open if key[1] == event.stack]:
                self._end(key, event.t, PLAYED if key[2] == event.card else CLOSED, event)
            self._leave((event.card,), event.t)
        elif isinstance(event, Discard):
            self._leave((event.card,), event.t)
        elif isinstance(event, Tie):
            self._leave(event.cards, event.t)
        apply(self.table, event)
        if isinstance(event, Play):
            self._look_at(event.stack)
        elif isinstance(event, Draw):
            for slot in range(self.table.seats):
                self._consider(event.seat, slot, event.card)

    def _look_at(self, slot: int) -> None:
        for seat, hand in enumerate(self.table.hands):
            for card in hand:
                self._consider(seat, slot, card)

    def _consider(self, seat: int, slot: int, card: Card) -> None:
        top, face = self.table.tops[slot], FACE[card]
        if fits(self.table.rules, top, face):
            taking = takes(top, face, None)
            self.open[seat, slot, card] = self.table.t, taking, self.table.events

    def _leave(self, cards: Iterable[Card], t: int) -> None:
        for key in [key for key in self.open if key[2] in cards]:
            self._end(key, t, ELSEWHERE)

    def finish(self) -> None:
        for key in list(self.open):
            self._end(key, self.table.t, OVER)

    def _end(self, key: _Key, t: int, end: str, play: Play | None = None) -> None:
        seat, slot, card = key
        since, taking, begun = self.open.pop(key)
        table, ended = self.table, self.table.events + (end != OVER)
        height, top = len(table.stacks[slot]), table.tops[slot]
        self.found.append(
            Window(seat, card, slot, since, t, end, taking, height, play, top, (begun, ended))
        )


def windows(played: Round) -> list[Window]:
    """A round's windows, in the order in which they ended."""
    reader = _WindowScan(played.table())
    for event in played.events:
        reader.read(event)
    reader.finish()
    return reader.found


def reaction_ms(windows: Iterable[Window], seats: int) -> list[list[int]]:
    """For each seat, the ms from a window's start to the play that ended it.

    `windows` are in the order in which they ended, which is the order of the plays.
    """
    reactions: list[list[int]] = [[] for _ in range(seats)]
    for window in windows:
        if window.end == PLAYED:
            reactions[window.seat].append(window.ms)
    return reactions
