"""A bot's view: its own hand, and the center stacks as it has noticed them so far.

`PublicEvents` has the published events of a round, with their times. A `View` reads a table and
these events, and shows one seat the view of a person there: its own cards, the stacks as they were
`lag` ms ago, how many cards each pile has. It never reveals another hand or the order of a pile, so
its table may have all facts (as in a simulation) or be folded from redacted ones (as in a live
host): the answers are the same.

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
"""For each slot its top: 0 for free, otherwise 1 to 4."""
Candidate = tuple[Card, int, int | None, bool]
"""A hand card that fits, its slot, what a wild is played as, and whether it takes."""
Placement = tuple[int, int | None, bool]
"""A slot, what a wild is played as there, and whether it takes."""


class Placements(dict[tuple[Tops, int], tuple[tuple[Placement, ...], ...]]):
    """The fitting placements, by tops and the focused slot: for each face, starting from that slot.

    Each entry is computed on first use.
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
        self[seen] = placed = tuple(
            tuple(chain.from_iterable([on[slot][tops[slot]] for slot in slots])) for on in self._on
        )
        return placed


placements: Final = cache(Placements)
"""The placements under some rules, shared by all views with those rules."""


def _on(rules: Rules, slot: int, top: int, face: int) -> list[Placement]:
    return [(slot, number, takes(top, face, number)) for number in uses(rules, top, face)]


@cache
def playable_cards(wild_starts: bool, tops: Tops) -> frozenset[Card]:
    masks, faces = fit_masks(wild_starts), 0
    for top in tops:
        faces |= masks[top]
    return _cards_of(faces)


@cache
def _cards_of(faces: int) -> frozenset[Card]:
    """The cards with these faces, given as bits (1 << face)."""
    return frozenset(card for card, face in FACE.items() if faces >> face & 1)


Counts = tuple[int, ...]
Scene = tuple[Tops, Counts, Counts, frozenset[Card]]
"""The center: each slot's top and its number of cards, how many 5s each seat has played, and all
cards that fit somewhere.
"""


class PublicEvents:
    """The published events of a round, their times, and the scenes that they show.

    `scenes` has one for each play, after the initial one. `changes` are the times of the plays.
    """

    def __init__(self, rules: Rules, seats: int) -> None:
        self._rules, self._seats = rules, seats
        self._window, self._wild_starts = rules.tie_window_ms, rules.wild_starts
        self.clear()

    def clear(self) -> None:
        self.events: list[Event] = []
        self.times: list[int] = []
        self._last = 0
        self._tops = [FREE] * self._seats
        self._heights = [0] * self._seats
        self._fives = [0] * self._seats
        self.scenes = [self._scene()]
        self.changes: list[int] = []

    def copy(self) -> PublicEvents:
        twin = PublicEvents(self._rules, self._seats)
        twin.events, twin.times, twin._last = self.events[:], self.times[:], self._last
        twin._tops, twin._heights, twin._fives = self._tops[:], self._heights[:], self._fives[:]
        twin.scenes, twin.changes = self.scenes[:], self.changes[:]
        return twin

    def publish(self, event: Event, at: int) -> None:
        """Show an event to everyone, at a time that never decreases."""
        self.events.append(event)
        self.times.append(at)
        if type(event) is Play:
            self._play(event, at)

    def settled(self, event: Event, _actions: object = ()) -> None:
        """Publish an event that a judge settled, at the time it would: windows over, in order."""
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
    """One seat's eyes. `look` brings them up to date. Everything else reports their view."""

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
        self.hand = self._table.hands[self.seat]
        """The own hand, oldest card first. Not to be changed."""
        self._piles, self._all_free = self._table.draw_piles, self._table.free
        self._scenes, self._changes = self._public.scenes, self._public.changes
        self.free = self.now = now
        """From when on the own hand may move, and when that was looked at."""
        self._show(0)

    def look(self, now: int) -> None:
        """Take in what was published up to `lag` ms ago."""
        self.now = now
        self.free = self._all_free[self.seat]
        changes, known, shown = self._changes, now - self.lag, self._shown
        while shown < len(changes) and changes[shown] <= known:  # usually there is nothing new
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
        """How many of a seat's 5s have not been seen played yet."""
        return self.rules.deck[FIVE - 1] - self._fives[seat]

    @property
    def seen(self) -> int:
        """How many events of the round had been shown at the last look."""
        return bisect_right(self._public.times, self.now - self.lag)

    # The seat's own cards, and public counts

    def candidates(self, focus: int) -> list[Candidate]:
        """The cards that fit, as far as seen: for each, the slots starting at `focus`.

        Not empty if `playable` contains a card of the hand.
        """
        fitting = self._placements[self.tops, focus]
        return [
            (card, slot, number, taking)
            for card in self.hand
            for slot, number, taking in fitting[FACE[card]]
        ]

    def pile(self) -> int:
        """How many cards the own draw pile has. 0 only if the discard pile is empty too."""
        return len(self._piles[self.seat])

    def left(self, seat: int) -> int:
        """How many cards a seat's draw and discard piles have together."""
        return len(self._table.draw_piles[seat]) + len(self._table.discard_piles[seat])

    def held(self, seat: int) -> int:
        return len(self._table.hands[seat])

    def score(self, seat: int) -> int:
        """A seat's round score so far: score pile minus draw and discard piles."""
        return len(self._table.score_piles[seat]) - self.left(seat)
