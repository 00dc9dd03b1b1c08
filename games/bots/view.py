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
from typing import Final

from games.engine.cards import FACE, WILD, Card
from games.engine.editions import Rules
from games.engine.events import Event, Play, Tie
from games.engine.fitting import TOPS, fit_masks, takes, uses
from games.engine.referee import Outcome, Settled
from games.engine.table import HAND, Table

FIVE: Final = 5


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


class Feed:
    """The events of a round that have been published, when each was, and the plays among them."""

    __slots__ = ("events", "plays", "times", "window")

    def __init__(self, window: int = 0) -> None:
        self.window = window
        """The rules' tie window, for `settle`."""
        self.clear()

    def clear(self) -> None:
        """A new round: nothing is published of it."""
        self.events: list[Event] = []
        self.times: list[int] = []
        self.plays: list[tuple[int, Play]] = []

    def publish(self, event: Event, at: int) -> None:
        """Everybody is shown an event, at a time that never falls."""
        self.events.append(event)
        self.times.append(at)
        if type(event) is Play:
            self.plays.append((at, event))

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
        "_layings",
        "_masks",
        "_next",
        "_orders",
        "_table",
        "changed",
        "fives",
        "hand",
        "lag",
        "layers",
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
        self._masks = fit_masks(table.rules.wild_starts)
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
        self._next = 0
        self.now = now
        self.tops: list[int] = [0] * self.seats
        """For each slot its top: 0 free, else 1 to 4."""
        self.layers: list[list[int]] = [[] for _ in range(self.seats)]
        """For each slot whose cards lie there, as seats, bottom first."""
        self.fives: list[int] = [self.rules.deck[FIVE - 1]] * self.seats
        """For each seat, how many of its 5s have not been played yet."""
        self.wanted = self._masks[0]
        """The faces that fit somewhere, as bits (1 << face)."""
        self.changed = now
        """When the last play was seen."""

    def look(self, now: int) -> None:
        """Take in what was published up to `lag` ms before now."""
        self.now = now
        horizon = now - self.lag
        plays = self._feed.plays
        if self._next < len(plays) and plays[self._next][0] <= horizon:
            self._take_in(horizon)
            self.changed = now

    def _take_in(self, horizon: int) -> None:
        for at, play in self._feed.plays[self._next :]:
            if at > horizon:
                break
            self._next += 1
            self._see(play)
        wanted = 0
        for top in self.tops:
            wanted |= self._masks[top]
        self.wanted = wanted

    def _see(self, play: Play) -> None:
        slot, face = play.stack, FACE[play.card]
        if play.takes is None:
            self.tops[slot] = play.number or face
            self.layers[slot].append(play.seat)
        else:
            self.tops[slot] = 0
            self.layers[slot].clear()
            if face == FIVE:
                self.fives[play.seat] -= 1

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
    def can_draw(self) -> bool:
        """Whether the hand has room for a card of the own draw pile."""
        return len(self.hand) < HAND and bool(self._table.draw_piles[self.seat])

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
        return self._table.free[self.seat]
