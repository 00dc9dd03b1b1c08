"""What every bot is: somebody who looks, decides, and reaches.

The protocol, for whoever drives a bot (the simulation by virtual time, the live host by
the wall clock). A bot does no I/O and has no clock:

1. Once the round has been dealt, `begin(now)` says when the bot first wants to think.
2. At that time call `think(now)`. By then everything that the referee had to decide
   before now must be settled and published (`Feed.publish`).
3. Its `Plan` says what to do: hand `action` to the referee at `at` (never before `at`),
   if there is one, and call `think` again at `again`, which is later than `at`.
   Nothing need be told back: what came of an action, a refusal included, shows in the view.
4. When the round ends, forget the plan.

Times are ms in the round and never fall. All randomness comes from the generator handed
in, so that the same deals and the same generator give the same game.

What a temper may change: `pick` or `worth` (which of the chances it wants), `KEEP` (what
it would rather not discard), `shouts` (when it says OUT), and nothing about time: that is
the level's (`games.bots.human`).
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import ClassVar, Final, NamedTuple

from games.bots.human import BITS, Human
from games.bots.view import Chance, View
from games.engine.actions import Action, DiscardOne, DrawOne, Shout, Try
from games.engine.cards import FACE, Card


class Plan(NamedTuple):
    """Hand `action` in at `at`, unless it is None, and think again at `again` (ms)."""

    action: Action | None
    at: int
    again: int


def keeping(*ranks: int) -> Mapping[Card, int]:
    """How dear each card is to a bot, from the ranks of 1, 2, 3, 4, 5 and the wild."""
    return {card: ranks[face - 1] for card, face in FACE.items()}


class Bot:
    """A player at a seat. Subclasses give the temper, `human` the speed and the slips."""

    temper: ClassVar[str]
    """One word that an onlooker would use."""
    KEEP: ClassVar[Mapping[Card, int]] = keeping(1, 1, 1, 2, 3, 3)
    """The card of the lowest rank is discarded first, the oldest of equals."""

    def __init__(self, view: View, human: Human, randomness: Random) -> None:
        self.view = view
        self.human = human
        self.focus = 0
        """The slot looked at last."""
        self.patience = 0
        """How long nothing may happen before this bot lays what it would rather not."""
        self._bits = randomness.getrandbits
        self._draw = DrawOne(view.seat)
        self._settling = view.lag + view.rules.tie_window_ms

    def begin(self, now: int) -> int:
        """A new round has been dealt and begins at `now`; when to think first."""
        self.view.begin()
        self.focus = self.view.seat
        self.patience = self.human.patience * (64 + self._bits(6)) >> 6
        return now + self._time(self.human.pace)

    def think(self, now: int) -> Plan:
        """What to do next, as far as the seat's eyes have caught up at `now`."""
        view = self.view
        view.look(now)
        wait = view.free_at
        if wait > now:
            return Plan(None, now, wait + self._time(self.human.reach))
        wanted = view.wanted
        for card in view.hand:
            if wanted >> FACE[card] & 1:
                chance = self.pick() if self._bits(BITS) >= self.human.overlooks else None
                if chance:
                    return self._lay(now, chance)
                break
        return self._pass_time(now)

    # What a temper decides

    def pick(self) -> Chance | None:
        """The chance to use now: the one of the greatest worth, None if none is worth it."""
        best, most = None, 0.0
        for chance in self.view.chances(self.focus):
            worth = self.worth(chance)
            if worth > most:
                best, most = chance, worth
        return best

    def worth(self, chance: Chance) -> float:
        """How much a chance is wanted; not at all at 0 or below."""
        raise NotImplementedError

    def shouts(self) -> bool:
        """Whether to say OUT now that it may be said: when ahead, or out of patience."""
        view = self.view
        mine = view.score(view.seat)
        return self.restless(1) or all(view.score(seat) <= mine for seat in range(view.seats))

    def restless(self, now: int) -> bool:
        """Whether nothing has happened in the middle for longer than this bot bears."""
        return now - self.view.changed > self.patience

    # How a person does it

    def _time(self, quantiles: tuple[int, ...]) -> int:
        return quantiles[self._bits(BITS)]

    def _lay(self, now: int, chance: Chance) -> Plan:
        view, human = self.view, self.human
        if view.rules.refill_before_play and view.can_draw:
            return self._move(now, self._draw)
        card, slot, number, _ = chance
        at = now + human.reach[self._bits(BITS)]
        at += human.glance * ((slot - self.focus) % view.seats)
        self.focus = slot
        luck = self._bits(BITS)
        if luck < human.hesitates:
            at += self._time(human.hesitation)
            if luck < human.slips:
                card, slot, number = self._slip(chance)
        after = max(human.pace[self._bits(BITS)], self._settling)
        return Plan(Try(view.seat, card, slot, number, view.seen), at, at + after)

    def _slip(self, chance: Chance) -> tuple[Card, int, int | None]:
        """The same card aimed at a wrong slot, or a wrong card at the same slot."""
        view, luck = self.view, self._bits(8)
        if luck & 1:
            return chance.card, (chance.slot + 1 + (luck >> 1) % (view.seats - 1)) % view.seats, None
        return view.hand[(luck >> 1) % len(view.hand)], chance.slot, None

    def _pass_time(self, now: int) -> Plan:
        """With nothing to lay: draw, or discard, or say OUT, or only wait."""
        view = self.view
        if view.can_draw:
            return self._move(now, self._draw)
        if view.left(view.seat):
            card = min(view.hand, key=self.KEEP.__getitem__)
            return self._move(now, DiscardOne(view.seat, card))
        if view.rules.out == "shout" and self.shouts():
            return self._move(now, Shout(view.seat))
        return Plan(None, now, now + self._time(self.human.pace))

    def _move(self, now: int, action: Action) -> Plan:
        return Plan(action, now, now + self.human.pace[self._bits(BITS)])
