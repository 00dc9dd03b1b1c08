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

from games.engine.cards import FACE, SEATS, WILD, Card
from games.engine.editions import Rules
from games.engine.events import Event, Play, Tie
from games.engine.fitting import TOPS, fit_masks, takes, uses
from games.engine.referee import Outcome, Settled
from games.engine.table import Table

FIVE: Final = 5
_T = TypeVar("_T")


Chance = tuple[Card, int, int | None, bool]
"""A hand card that fits, its slot, what a wild is laid as, and whether it takes."""
Laying = tuple[tuple[int | None, bool], ...]


@cache
def layings(rules: Rules) -> tuple[tuple[Laying, ...], ...]:
    """For each top and face: the uses that fit, as (number, whether it takes)."""
    return tuple(((), *(_laying(rules, top, face) for face in range(1, WILD + 1))) for top in TOPS)


def _laying(rules: Rules, top: int, face: int) -> Laying:
    return tuple((number, takes(top, face, number)) for number in uses(rules, top, face))


@cache
def slot_orders(slots: int) -> tuple[tuple[int, ...], ...]:
    """For each slot, all slots in the order in which an eye that rests on it meets them."""
    return tuple((*range(focus, slots), *range(focus)) for focus in range(slots))


@cache
def wanted_faces(wild_starts: bool, tops: tuple[int, ...]) -> int:
    """The faces that fit on some of the tops, as bits (1 << face)."""
    masks, wanted = fit_masks(wild_starts), 0
    for top in tops:
        wanted |= masks[top]
    return wanted


class Scene(NamedTuple):
    """The middle after a play that was published at `at`, for up to `SEATS` slots and seats."""

    at: int
    tops: tuple[int, ...]
    """For each slot its top: 0 free, else 1 to 4."""
    layers: tuple[tuple[int, ...], ...]
    """For each slot whose cards lie there, as seats, bottom first."""
    fives: tuple[int, ...]
    """For each seat, how many 5s it has played."""

    def after(self, play: Play, at: int) -> Scene:
        """The scene that a play makes of this one."""
        _, seat, card, slot, number, taken, _ = play
        top, fives = 0, self.fives
        layer: tuple[int, ...] = ()
        if taken is None:
            top, layer = number or FACE[card], (*self.layers[slot], seat)
        elif FACE[card] == FIVE:
            fives = _with(fives, seat, fives[seat] + 1)
        return Scene(at, _with(self.tops, slot, top), _with(self.layers, slot, layer), fives)


def _with(values: tuple[_T, ...], place: int, value: _T) -> tuple[_T, ...]:
    changed = list(values)
    changed[place] = value
    return tuple(changed)


_EMPTY: Final = Scene(-1, (0,) * SEATS, ((),) * SEATS, (0,) * SEATS)


class Feed:
    """The events of a round that have been published, when each was, and the scenes they made."""

    __slots__ = ("events", "scenes", "times", "window")

    def __init__(self, window: int = 0) -> None:
        self.window = window
        """The rules' tie window, for `settle`."""
        self.clear()

    def clear(self) -> None:
        """A new round: nothing is published of it."""
        self.events: list[Event] = []
        self.times: list[int] = []
        self.scenes = [_EMPTY]

    def publish(self, event: Event, at: int) -> None:
        """Everybody is shown an event, at a time that never falls."""
        self.events.append(event)
        self.times.append(at)
        if type(event) is Play:
            self.scenes.append(self.scenes[-1].after(event, at))

    def settle(self, outcomes: Sequence[Outcome]) -> None:
        """Publish what a referee settled, as it would: windows over, nothing out of order."""
        times = self.times
        for outcome in outcomes:
            if type(outcome) is Settled:
                event = outcome.event
                at = event.t
                if type(event) is Play or type(event) is Tie:
                    at += self.window
                self.publish(event, times[-1] if times and times[-1] > at else at)


class View:
    """One seat's eyes. `look` brings them up to date; all else tells what they see."""

    __slots__ = (
        "_feed",
        "_free",
        "_layings",
        "_orders",
        "_piles",
        "_scene",
        "_shown",
        "_table",
        "changed",
        "hand",
        "lag",
        "now",
        "rules",
        "seat",
        "seats",
        "tops",
        "wanted",
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
        self.now = now
        self._show(0)

    def look(self, now: int) -> None:
        """Take in what was published up to `lag` ms before now."""
        self.now = now
        horizon = now - self.lag
        scenes, shown = self._feed.scenes, self._shown + 1
        if shown < len(scenes) and scenes[shown][0] <= horizon:
            last = len(scenes) - 1
            while shown < last and scenes[shown + 1][0] <= horizon:
                shown += 1
            self._show(shown)

    def _show(self, number: int) -> None:
        self._shown = number
        self._scene = self._feed.scenes[number]
        self.tops = self._scene.tops[: self.seats]
        """For each slot its top: 0 free, else 1 to 4."""
        self.wanted = wanted_faces(self.rules.wild_starts, self.tops)
        """The faces that fit somewhere, as bits (1 << face)."""
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
        wanted, tops, table = self.wanted, self.tops, self._layings
        found: list[Chance] = []
        for card in self.hand:
            face = FACE[card]
            if wanted >> face & 1:
                for slot in self._orders[focus]:
                    for number, taking in table[tops[slot]][face]:
                        found.append((card, slot, number, taking))
        return found

    @property
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

    @property
    def free_at(self) -> int:
        """From when on the own hand may move again."""
        return self._free[self.seat]
