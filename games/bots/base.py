"""The base of all bots: a player who looks, decides, and reaches.

The protocol for driving a bot (the simulation uses virtual time, the live host the wall clock). A
bot does no I/O and has no clock:

1. Once a round has been dealt, `begin(now)` returns when the bot first wants to think.
2. At that time, or as soon after it as possible, call `think(now)`. Everything the referee
   had to decide before now must have been settled and published to the view's
   `PublicEvents`.
3. It returns a `Decision`: pass its action to the referee with t = now, unless it is None, and
   call `think` again at the time given, which is always later than now. The bot needs no
   answer: the outcome of an action, even a refusal, shows in the view.
4. When the round ends, drop the decision.

A try takes two thoughts. The first decides on it. The second, when the hand arrives, withdraws if
the bot has seen in the meantime that it is too late. Events that it has not seen yet cause late
tries and ties.

Times are ms in the round and never decrease. All randomness comes from the generator passed in, so
the same deals and the same generators give the same game.

A temper may override the bot's preferences: `worth` or `pick` (which candidate to use), `KEEP`
(cards it is slow to discard), `shouts` (when to say OUT). Timing is the level's
(`games.bots.skill`), not the temper's.

Compiled tempers carry the same `mypyc_attr` as `Bot`. Without it `__init__` runs twice, and the
first run's values are never freed.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import ClassVar, Final, NamedTuple

from games.bots.skill import BITS, Skill
from games.bots.view import Candidate, View
from games.compiled import mypyc_attr
from games.engine.actions import Action, DiscardOne, DrawOne, Shout, Try
from games.engine.cards import FACE, Card
from games.engine.table import HAND

Decision = tuple[Action | None, int]
"""An action to submit now (or None), and when to think again (ms)."""
_new: Final = tuple.__new__  # a named tuple from a whole tuple, at half the cost
_Intent = tuple[Card, int, int | None, int]
"""A try in progress. Last, the slot's top when it was decided on."""


def keeping(*ranks: int) -> Mapping[Card, int]:
    """How much a bot values each card, given ranks for 1, 2, 3, 4, 5 and the wild."""
    return {card: ranks[face - 1] for card, face in FACE.items()}


class Persona(NamedTuple):
    """How people know a bot."""

    name: str
    """At a table, in records and on pages."""
    about: str
    """How it plays, after its name."""
    face: str
    """Eyes and mouth: the path of lines in a square of 20 by 20."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Bot:
    """A player at a seat. Subclasses define the temper. `skill` sets speed and slips."""

    temper: ClassVar[str]
    """One word for the style of play, by which programs and stored seats know the bot."""
    persona: ClassVar[Persona]
    """Its name and face for people. A bot that no table offers has none."""
    KEEP: ClassVar[Mapping[Card, int]] = keeping(1, 1, 1, 2, 3, 4)
    """The card of the lowest rank is discarded first, the oldest among equals."""

    def __init__(self, view: View, skill: Skill, randomness: Random) -> None:
        self.view = view
        self.skill = skill
        self.focus = 0
        """The slot looked at last."""
        self.patience = 0
        """How long, in ms, nothing may happen before this bot does what it would rather not."""
        self._bits = randomness.getrandbits
        self._intent: _Intent | None = None
        self._keep_rank = self.KEEP.__getitem__
        self._draw = DrawOne(view.seat)
        self._after_try = view.lag + view.rules.tie_window_ms + 1  # by then its outcome is seen

    def begin(self, now: int) -> int:
        """Take up a round that is dealt and begins at `now`. Returns when to think first."""
        self.view.begin(now)
        self.focus = self.view.seat
        self._intent = None
        self.patience = self.skill.patience * (64 + self._bits(6)) >> 6
        return now + 1 + self.skill.pace[self._bits(BITS)]

    def think(self, now: int) -> Decision:
        view, skill, bits = self.view, self.skill, self._bits
        view.look(now)
        intent = self._intent
        if intent:
            return self._arrive(now, intent)
        if view.free > now:  # a card was taken back, or house rules are slow
            return None, view.free + skill.reach[bits(BITS)]
        if not view.playable.isdisjoint(view.hand) and bits(BITS) >= skill.overlooks:
            candidate = self.pick(view.candidates(self.focus))
            if candidate is not None:
                return self._resolve(now, candidate)
        return self._idly(), now + 1 + skill.pace[bits(BITS)]

    # What a temper decides

    def pick(self, candidates: Sequence[Candidate]) -> Candidate | None:
        """The candidate to use now: the one with the greatest worth, or None if none has any."""
        best, most = None, 0.0
        for candidate in candidates:
            card, slot, number, takes = candidate
            worth = self.worth(card, slot, number, takes)
            if worth > most:
                best, most = candidate, worth
        return best

    def worth(self, card: Card, slot: int, number: int | None, takes: bool) -> float:
        """How much a candidate is wanted. 0 or less: not at all."""
        raise NotImplementedError

    def shouts(self) -> bool:
        """Whether to say OUT, now that it is allowed: when no one is ahead, or after waiting."""
        view = self.view
        mine = view.score(view.seat)
        return self.restless or all(view.score(seat) <= mine for seat in range(view.seats))

    @property
    def restless(self) -> bool:
        """Whether the center has been quiet for longer than this bot's patience."""
        return self.view.now - self.view.changed > self.patience

    # How a person moves

    def _resolve(self, now: int, candidate: Candidate) -> Decision:
        """Start a try. Nothing can be played while the hand must be refilled first."""
        view, skill, bits = self.view, self.skill, self._bits
        if view.rules.refill_before_play and len(view.hand) < HAND and view.pile():
            return self._draw, now + 1 + skill.pace[bits(BITS)]
        card, slot, number, _ = candidate
        arrival = now + 1 + skill.reach[bits(BITS)]
        if slot != self.focus:
            arrival += skill.glance
            self.focus = slot
        luck = bits(BITS)
        if luck < skill.hesitates:
            arrival += skill.hesitation[bits(BITS)]
            if luck < skill.slips:
                card, slot, number = self._slip(card, slot)
        self._intent = (card, slot, number, view.tops[slot])
        return None, arrival

    def _slip(self, card: Card, slot: int) -> tuple[Card, int, int | None]:
        """The same card on a wrong slot, or a wrong card on the same slot."""
        view, luck = self.view, self._bits(8)
        if luck & 1:
            away = 1 + (luck >> 1) % (view.seats - 1)
            return card, (slot + away) % view.seats, None
        return view.hand[(luck >> 1) % len(view.hand)], slot, None

    def _arrive(self, now: int, intent: _Intent) -> Decision:
        """The hand is over the slot: play the card, or withdraw if the slot has changed."""
        self._intent = None
        view, skill = self.view, self.skill
        card, slot, number, top = intent
        if view.tops[slot] != top or card not in view.hand:
            return None, now + 1 + skill.reach[self._bits(BITS)]
        after = skill.pace[self._bits(BITS)]
        if after < self._after_try:  # noqa: PLR1730 - max() takes four times as long
            after = self._after_try
        return _new(Try, (view.seat, card, slot, number, view.seen)), now + after

    def _idly(self) -> Action | None:
        """With nothing to play: draw, discard, say OUT, or just watch."""
        view = self.view
        if view.pile():
            if len(view.hand) < HAND:
                return self._draw
            return _new(DiscardOne, (view.seat, min(view.hand, key=self._keep_rank)))
        if view.rules.out == "shout" and self.shouts():
            return Shout(view.seat)
        return None
