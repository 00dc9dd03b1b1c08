"""What a bot sees: its own hand, and the middle as its eyes have caught up with it.

A `Feed` is what has been published of a round, and when. A `View` stands on a table and
a feed and lets one seat see what a person in that seat would: the own cards, the stacks
as they were `lag` ms ago, how many cards lie everywhere. It never tells another hand or
the order of a pile, so it may stand on the table of all facts (a simulation does) or on
one folded from redacted facts (a live host does): it answers the same.

Times are ms in the round.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple, TypeVar

from games.engine.cards import FACE, WILD, Card
from games.engine.editions import Rules
from games.engine.events import Event, Play, Tie
from games.engine.fitting import FREE, TOPS, fit_masks, takes, uses
from games.engine.referee import Outcome, Settled
from games.engine.table import Table

FIVE: Final = 5
_new: Final = tuple.__new__  # a named tuple of a whole tuple, at half its price
_T = TypeVar("_T")


Chance = tuple[Card, int, int | None, bool]
"""A hand card that fits, its slot, what a wild is laid as, and whether it takes."""
Laying = tuple[tuple[int | None, bool], ...]


@cache
def layings(rules: Rules) -> tuple[tuple[Laying, ...], ...]:
    """For each face and top: the uses that fit, as (number, whether it takes)."""
    return tuple(tuple(_laying(rules, top, face) for top in TOPS) for face in range(WILD + 1))


def _laying(rules: Rules, top: int, face: int) -> Laying:
    return tuple((number, takes(top, face, number)) for number in uses(rules, top, face))


@cache
def slot_orders(slots: int) -> tuple[tuple[int, ...], ...]:
    """For each slot, all slots in the order in which an eye that rests on it meets them."""
    return tuple((*range(focus, slots), *range(focus)) for focus in range(slots))


@cache
def wanted_cards(wild_starts: bool, tops: frozenset[int]) -> frozenset[Card]:
    """All cards that fit on some of the tops."""
    masks = fit_masks(wild_starts)
    return frozenset(card for card, face in FACE.items() for top in tops if masks[top] >> face & 1)


class Scene(NamedTuple):
    """The middle after a play that was published at `at`."""

    at: int
    tops: tuple[int, ...]
    """For each slot its top: 0 free, else 1 to 4."""
    layers: tuple[tuple[int, ...], ...]
    """For each slot whose cards lie there, as seats, bottom first."""
    fives: tuple[int, ...]
    """For each seat, how many 5s it has played."""
    wanted: frozenset[Card]
    """All cards that fit somewhere."""

    def after(self, play: Play, at: int, wild_starts: bool) -> Scene:
        """The scene that a play makes of this one."""
        _, seat, card, slot, number, taken, _ = play
        top, fives = 0, self.fives
        layer: tuple[int, ...] = ()
        if taken is None:
            top, layer = number or FACE[card], (*self.layers[slot], seat)
        elif FACE[card] == FIVE:
            fives = _with(fives, seat, fives[seat] + 1)
        tops = _with(self.tops, slot, top)
        wanted = wanted_cards(wild_starts, frozenset(tops))
        return _new(Scene, (at, tops, _with(self.layers, slot, layer), fives, wanted))


def _with(values: tuple[_T, ...], place: int, value: _T) -> tuple[_T, ...]:
    changed = list(values)
    changed[place] = value
    return tuple(changed)


class Feed:
    """The events of a round that have been published, when each was, and the scenes they made."""

    __slots__ = ("_empty", "_last", "_wild_starts", "_window", "events", "scenes", "times")

    def __init__(self, rules: Rules, seats: int) -> None:
        self._window, self._wild_starts = rules.tie_window_ms, rules.wild_starts
        wanted = wanted_cards(self._wild_starts, frozenset({FREE}))
        self._empty = Scene(-1, (FREE,) * seats, ((),) * seats, (0,) * seats, wanted)
        self.clear()

    def clear(self) -> None:
        """A new round: nothing is published of it."""
        self.events: list[Event] = []
        self.times: list[int] = []
        self._last = 0
        self.scenes = [self._empty]

    def publish(self, event: Event, at: int) -> None:
        """Everybody is shown an event, at a time that never falls."""
        self.events.append(event)
        self.times.append(at)
        if type(event) is Play:
            self.scenes.append(self.scenes[-1].after(event, at, self._wild_starts))

    def settle(self, outcomes: Sequence[Outcome]) -> None:
        """Publish what a referee settled, as it would: windows over, nothing out of order."""
        for outcome in outcomes:
            if type(outcome) is Settled:
                event = outcome.event
                at = event.t
                if type(event) is Play or type(event) is Tie:
                    at += self._window
                self._last = max(self._last, at)
                self.publish(event, self._last)


class View:
    """One seat's eyes. `look` brings them up to date; all else tells what they see."""

    __slots__ = (
        "_feed",
        "_free",
        "_layings",
        "_orders",
        "_piles",
        "_scene",
        "_scenes",
        "_shown",
        "_table",
        "_wanted",
        "changed",
        "hand",
        "lag",
        "now",
        "rules",
        "seat",
        "seats",
        "tops",
    )

    def __init__(self, table: Table, feed: Feed, seat: int, lag: int) -> None:
        self._table = table
        self._feed = feed
        self._layings = layings(table.rules)
        self._orders = slot_orders(table.seats)
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
        self._piles, self._free = self._table.draw_piles, self._table.free
        self._scenes = self._feed.scenes
        self.now = now
        self._show(0)

    def look(self, now: int) -> None:
        """Take in what was published up to `lag` ms before now."""
        self.now = now
        ahead = len(self._scenes) - 1 - self._shown
        if ahead:
            horizon, shown = now - self.lag, self._shown
            while ahead and self._scenes[shown + 1].at <= horizon:
                shown, ahead = shown + 1, ahead - 1
            if shown > self._shown:
                self._show(shown)

    def _show(self, number: int) -> None:
        self._shown = number
        self._scene = scene = self._scenes[number]
        self.tops, self._wanted = scene.tops, scene.wanted
        """For each slot its top: 0 free, else 1 to 4; and the cards that fit there."""
        self.changed = self.now
        """When the last play was seen."""

    @property
    def layers(self) -> tuple[tuple[int, ...], ...]:
        """For each slot whose cards lie there, as seats, bottom first."""
        return self._scene.layers

    def fives(self, seat: int) -> int:
        """How many of a seat's 5s have not been seen to be played yet."""
        return self.rules.deck[FIVE - 1] - self._scene.fives[seat]

    @property
    def seen(self) -> int:
        """How many events of the round had been shown when this view looked last."""
        return bisect_right(self._feed.times, self.now - self.lag)

    # The own cards, and what anybody can count

    def chances(self, focus: int) -> list[Chance]:
        """What fits as far as is seen: for each card, the slots from `focus` on."""
        wanted = self._wanted
        if wanted.isdisjoint(self.hand):
            return []
        found: list[Chance] = []
        tops, order = self.tops, self._orders[focus]
        for card in self.hand:
            if card in wanted:
                fitting = self._layings[FACE[card]]
                for slot in order:
                    for number, taking in fitting[tops[slot]]:
                        found.append((card, slot, number, taking))
        return found

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

    def free_at(self) -> int:
        """From when on the own hand may move again."""
        return self._free[self.seat]
