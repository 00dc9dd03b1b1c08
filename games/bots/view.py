"""What a bot sees: its own hand, and the middle as its eyes have caught up with it.

`PublicEvents` is what has been published of a round, and when. A `View` stands on a table and
on these, and lets one seat see what a person in that seat would: the own cards, the stacks
as they were `lag` ms ago, how many cards lie everywhere. It never tells another hand or
the order of a pile, so it may stand on the table of all facts (a simulation does) or on
one folded from redacted facts (a live host does): it answers the same.

Times are ms in the round.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cache
from itertools import chain
from typing import Final

from games.engine.cards import FACE, SEATS, WILD, Card
from games.engine.editions import Rules
from games.engine.events import Event, Play, Tie
from games.engine.fitting import FREE, TOPS, fit_masks, takes, uses
from games.engine.table import Table

FIVE: Final = 5

Tops = tuple[int, ...]
"""For each slot its top: 0 free, else 1 to 4."""
Candidate = tuple[Card, int, int | None, bool]
"""A hand card that fits, its slot, what a wild is laid as, and whether it takes."""
Placement = tuple[int, int | None, bool]
"""A slot, what a wild is laid there as, and whether it takes."""


class Placements(dict[tuple[Tops, int], tuple[tuple[Placement, ...], ...]]):
    """What fits, by tops and the slot that an eye rests on: for each face, that slot first.

    Each is made when it is first asked for.
    """

    def __init__(self, rules: Rules) -> None:
        super().__init__()
        self._on = [
            [[_on(rules, slot, top, face) for top in TOPS] for slot in range(SEATS)]
            for face in range(WILD + 1)
        ]

    def __missing__(self, seen: tuple[Tops, int]) -> tuple[tuple[Placement, ...], ...]:
        tops, focus = seen
        slots = [*range(focus, len(tops)), *range(focus)]
        self[seen] = found = tuple(
            tuple(chain.from_iterable([on[slot][tops[slot]] for slot in slots])) for on in self._on
        )
        return found


placements: Final = cache(Placements)
"""The placements of some rules, shared by all who play by them."""


def _on(rules: Rules, slot: int, top: int, face: int) -> list[Placement]:
    """The placements of a face on a slot with that top."""
    return [(slot, number, takes(top, face, number)) for number in uses(rules, top, face)]


@cache
def playable_cards(wild_starts: bool, tops: Tops) -> frozenset[Card]:
    """All cards that fit on some of the tops."""
    masks, faces = fit_masks(wild_starts), 0
    for top in tops:
        faces |= masks[top]
    return _cards_of(faces)


@cache
def _cards_of(faces: int) -> frozenset[Card]:
    """The cards of some faces, which are bits (1 << face)."""
    return frozenset(card for card, face in FACE.items() if faces >> face & 1)


Counts = tuple[int, ...]
Scene = tuple[Tops, Counts, Counts, frozenset[Card]]
"""The middle: for each slot its top, and how many cards lie there; for each seat, how many
5s it has played; and all cards that fit somewhere."""


class PublicEvents:
    """The events of a round that have been published, when each was, and what they show.

    `scenes` has one for each play, after the empty one; `changes` are the plays' times.
    """

    def __init__(self, rules: Rules, seats: int) -> None:
        self._rules, self._seats = rules, seats
        self._window, self._wild_starts = rules.tie_window_ms, rules.wild_starts
        self.clear()

    def clear(self) -> None:
        """A new round: nothing is published of it."""
        self.events: list[Event] = []
        self.times: list[int] = []
        self._last = 0
        self._tops = [FREE] * self._seats
        self._heights = [0] * self._seats
        self._fives = [0] * self._seats
        self.scenes = [self._scene()]
        self.changes: list[int] = []

    def copy(self) -> PublicEvents:
        """The same events, to go on from; changing one leaves the other as it is."""
        twin = PublicEvents(self._rules, self._seats)
        twin.events, twin.times, twin._last = self.events[:], self.times[:], self._last
        twin._tops, twin._heights, twin._fives = self._tops[:], self._heights[:], self._fives[:]
        twin.scenes, twin.changes = self.scenes[:], self.changes[:]
        return twin

    def publish(self, event: Event, at: int) -> None:
        """Everybody is shown an event, at a time that never falls."""
        self.events.append(event)
        self.times.append(at)
        if type(event) is Play:
            self._play(event, at)

    def settled(self, event: Event, _actions: object = ()) -> None:
        """Publish what a judge settled, as it would: windows over, nothing out of order."""
        at = event[0]
        if type(event) is Play or type(event) is Tie:
            at += self._window
        if at < self._last:  # noqa: PLR1730 - asked of every event, and max() takes four times as long
            at = self._last
        self._last = at
        self.publish(event, at)

    def _play(self, play: Play, at: int) -> None:
        _, seat, card, slot, number, taken, _ = play
        if taken is None:
            self._tops[slot] = number or FACE[card]
            self._heights[slot] += 1
        else:
            self._tops[slot], self._heights[slot] = FREE, 0
            if FACE[card] == FIVE:
                self._fives[seat] += 1
        self.scenes.append(self._scene())
        self.changes.append(at)

    def _scene(self) -> Scene:
        tops = tuple(self._tops)
        playable = playable_cards(self._wild_starts, tops)
        return tops, tuple(self._heights), tuple(self._fives), playable


class View:
    """One seat's eyes. `look` brings them up to date; all else tells what they see."""

    __slots__ = (
        "_all_free",
        "_changes",
        "_fives",
        "_piles",
        "_placements",
        "_public",
        "_scenes",
        "_shown",
        "_table",
        "changed",
        "free",
        "hand",
        "heights",
        "lag",
        "now",
        "playable",
        "rules",
        "seat",
        "seats",
        "tops",
    )

    def __init__(self, table: Table, public: PublicEvents, seat: int, lag: int) -> None:
        self._table = table
        self._public = public
        self._placements = placements(table.rules)
        self.rules = table.rules
        self.seats = table.seats
        self.seat = seat
        self.lag = lag
        """From an event's publication to this seat's knowing of it: network, eye and mind."""
        self.begin()

    def begin(self, now: int = 0) -> None:
        """Begin to look at a round that has been dealt."""
        self.hand = self._table.hands[self.seat]
        """The own hand, oldest card first; not to be changed."""
        self._piles, self._all_free = self._table.draw_piles, self._table.free
        self._scenes, self._changes = self._public.scenes, self._public.changes
        self.free = self.now = now
        """From when on the own hand may move, and when that was looked at."""
        self._show(0)

    def look(self, now: int) -> None:
        """Take in what was published up to `lag` ms before now."""
        self.now = now
        self.free = self._all_free[self.seat]
        changes, known, shown = self._changes, now - self.lag, self._shown
        while shown < len(changes) and changes[shown] <= known:  # mostly there is nothing new
            shown += 1
        if shown != self._shown:
            self._show(shown)

    def _show(self, plays: int) -> None:
        self._shown = plays
        self.tops, self.heights, self._fives, self.playable = self._scenes[plays]
        """As in `Scene`."""
        self.changed = self.now
        """When the last play was seen."""

    def fives(self, seat: int) -> int:
        """How many of a seat's 5s have not been seen to be played yet."""
        return self.rules.deck[FIVE - 1] - self._fives[seat]

    @property
    def seen(self) -> int:
        """How many events of the round had been shown when this view looked last."""
        return bisect_right(self._public.times, self.now - self.lag)

    # The own cards, and what anybody can count

    def candidates(self, focus: int) -> list[Candidate]:
        """What fits as far as is seen: for each card, the slots from `focus` on.

        There is something if `playable` has a card of the hand.
        """
        fitting = self._placements[self.tops, focus]
        return [
            (card, slot, number, taking)
            for card in self.hand
            for slot, number, taking in fitting[FACE[card]]
        ]

    def pile(self) -> int:
        """How many cards lie in the own draw pile; none only if none is discarded either."""
        return len(self._piles[self.seat])

    def left(self, seat: int) -> int:
        """How many cards lie in a seat's draw and discard pile."""
        return len(self._table.draw_piles[seat]) + len(self._table.discard_piles[seat])

    def held(self, seat: int) -> int:
        """How many cards a seat has in hand."""
        return len(self._table.hands[seat])

    def score(self, seat: int) -> int:
        """What the round is worth to a seat so far: score pile minus draw and discard pile."""
        return len(self._table.score_piles[seat]) - self.left(seat)
