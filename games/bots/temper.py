"""Which of the site's tempers the choices of each seat suggest.

Every try, draw and discard is compared with the choice of a bot of each temper with the same cards
and the same center on its screen. Slips and overlooked cards keep any single choice from deciding.
With no choices all tempers are equally likely. A player may be like none of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import exp, log
from random import Random
from typing import Final

from games.bots.base import Bot
from games.bots.roster import TEMPERS
from games.bots.skill import DEFAULT_LEVEL, skill_of
from games.bots.view import PublicEvents, View
from games.engine.cards import FACE, OWNER
from games.engine.events import Discard, Draw, Event, Late, Play, Tie
from games.engine.table import HAND, Table, apply

_BOTS: Final = tuple(TEMPERS.values())
_DECIDED_MS: Final = 300
"""How long before a try its card was chosen, usually."""
_SEEN_MS: Final = 45
"""What the network adds to the time until a play is noticed."""
_PATIENCE: Final = 1.5
"""The mean patience of a bot, in those of its skill."""
_FITS: Final = log(0.9)
"""Log-likelihood of a choice that this temper would make."""
_STRAYS: Final = log(0.1)
"""Of any other choice, shared by the other options."""
_OVERLOOKS: Final = log(0.27)
"""Of not playing a card that it would have played."""
_WAITS: Final = log(0.95)
"""Of not playing a card that it would have kept."""
_AGAINST: Final = log(0.03)
"""Of playing a card that it would have kept."""


class TemperMeter:
    """The likely tempers of each seat, from the rounds of a match, read in order."""

    def __init__(self, seats: int) -> None:
        self._known = [[0.0] * len(_BOTS) for _ in range(seats)]

    def copy(self) -> TemperMeter:
        twin = TemperMeter(0)
        twin._known = [known[:] for known in self._known]
        return twin

    def read(self, table: Table, events: Iterable[Event]) -> None:
        """Read the events of a round or of its start. Changes `table`, as dealt, by them."""
        reader = _RoundFollower(table, self._known)
        for event in events:
            reader.read(event)

    def draw(self, seat: int, randomness: Random) -> type[Bot]:
        """A temper for the seat, each as often as it is likely."""
        known = self._known[seat]
        most = max(known)
        return randomness.choices(_BOTS, [exp(each - most) for each in known])[0]

    def likeliest(self, seat: int) -> type[Bot]:
        known = self._known[seat]
        return _BOTS[known.index(max(known))]


class _RoundFollower:
    """Follows a round with a bot of each temper looking over each player's shoulder."""

    def __init__(self, table: Table, known: Sequence[list[float]]) -> None:
        self._table, self._known = table, known
        self._public = PublicEvents(table.rules, table.seats)
        skill = skill_of(DEFAULT_LEVEL)
        self._views = [
            View(table, self._public, seat, skill.lag + _SEEN_MS) for seat in range(table.seats)
        ]
        self._bots = [[bot(view, skill, Random(0)) for bot in _BOTS] for view in self._views]
        for bots in self._bots:
            for bot in bots:
                bot.patience = round(_PATIENCE * skill.patience)
        self._focus = list(range(table.seats))
        self._moved = [0] * table.seats

    def read(self, event: Event) -> None:
        if isinstance(event, Play | Late):
            self._tried(event.seat, event.t, FACE[event.card], event.stack)
        elif isinstance(event, Draw):
            self._idle(event.seat, event.t)
        elif isinstance(event, Discard):
            self._idle(event.seat, event.t)
            self._discarded(event)
        elif isinstance(event, Tie):
            for card in event.cards:
                self._focus[OWNER[card]] = event.stack
        apply(self._table, event)
        self._public.settled(event)

    def _tried(self, seat: int, t: int, face: int, slot: int) -> None:
        view, known = self._views[seat], self._known[seat]
        view.look(max(self._moved[seat], t - _DECIDED_MS))
        candidates = view.candidates(self._focus[seat])
        if any(FACE[card] == face and at == slot for card, at, _, _ in candidates):
            strays = _STRAYS - log(len(candidates))
            for place, bot in enumerate(self._bots[seat]):
                picked = bot.pick(candidates)
                if picked is None:
                    known[place] += _AGAINST
                else:
                    fits = FACE[picked[0]] == face and picked[1] == slot
                    known[place] += _FITS if fits else strays
        self._focus[seat], self._moved[seat] = slot, t

    def _idle(self, seat: int, t: int) -> None:
        """The hand drew or discarded, whatever it could have played."""
        view, known = self._views[seat], self._known[seat]
        view.look(t)
        self._moved[seat] = t
        if view.rules.refill_before_play and len(view.hand) < HAND:
            return
        candidates = view.candidates(self._focus[seat])
        if candidates:
            for place, bot in enumerate(self._bots[seat]):
                known[place] += _WAITS if bot.pick(candidates) is None else _OVERLOOKS

    def _discarded(self, discard: Discard) -> None:
        hand, known = self._views[discard.seat].hand, self._known[discard.seat]
        strays = _STRAYS - log(len(hand))
        for place, bot in enumerate(_BOTS):
            usual = min(hand, key=bot.KEEP.__getitem__)
            known[place] += _FITS if usual == discard.card else strays
