"""Bots at a live table: each sees what its seat may see, and acts at its level's pace.

A bot's table is folded from redacted facts, so it holds nothing that a player's browser would
not know. Times are ms in the round.
"""

from __future__ import annotations

from collections.abc import Iterable, KeysView, Mapping, Sequence
from random import Random

from games.bots.base import Bot
from games.bots.roster import BotSpec, seat_bot
from games.bots.view import PublicEvents
from games.engine.actions import Action
from games.engine.editions import Rules
from games.engine.events import Deal, Event
from games.engine.perspective import see, see_deal
from games.engine.table import Table, apply


class BotSeat:
    """One bot in one round, from the deal or from mid-round."""

    def __init__(self, bot: Bot, table: Table, t: int) -> None:
        self._bot = bot
        self._table = table
        self.due = bot.begin(t)
        """When it thinks next."""

    def shown(self, event: Event) -> None:
        """Show the bot an event."""
        apply(self._table, see(event, self._bot.view.seat))

    def think(self, t: int) -> Action | None:
        """What it does at t, if it is time to think and it does anything."""
        if self.due > t:
            return None
        action, self.due = self._bot.think(t)
        return action


class BotSeats:
    """The bots of one round: in their own seats, and for people who are away.

    They share what everyone has been shown.
    """

    def __init__(self, rules: Rules, deal: Deal, beginners: Sequence[int], source: Random) -> None:
        self._rules = rules
        self._deal = deal
        self._beginners = beginners
        self._source = source
        self._public = PublicEvents(rules, len(deal.decks))
        self._past: list[Event] = []
        self._seats: dict[int, BotSeat] = {}

    @property
    def seats(self) -> KeysView[int]:
        """The seats that bots play."""
        return self._seats.keys()

    def change(self, bots: Mapping[int, tuple[str, int]], t: int) -> None:
        """Let bots, each of a temper and level, play these seats from t on, and people the others.

        A bot that plays already stays as it is.
        """
        for seat in self._seats.keys() - bots.keys():
            del self._seats[seat]
        for seat in sorted(bots.keys() - self._seats.keys()):
            self._seat(seat, *bots[seat], t)

    def _seat(self, seat: int, temper: str, level: int, t: int) -> None:
        """Seat a bot, which knows what the seat has been shown."""
        table = Table(self._rules, len(self._deal.decks), self._beginners)
        table.deal(see_deal(self._deal, seat))
        for event in self._past:
            apply(table, see(event, seat))
        source = Random(self._source.getrandbits(64))
        bot = seat_bot(BotSpec(temper, level), table, self._public, seat, source)
        self._seats[seat] = BotSeat(bot, table, t)

    def shown(self, events: Iterable[Event], t: int) -> None:
        """Show everyone these events at t."""
        for event in events:
            self._past.append(event)
            self._public.publish(event, t)
            for bot in self._seats.values():
                bot.shown(event)

    @property
    def due(self) -> int | None:
        """When a bot next thinks; None if there are none."""
        return min((bot.due for bot in self._seats.values()), default=None)

    def think(self, t: int) -> list[Action]:
        """The actions of bots due to think; everything decided before t has been shown."""
        actions = (bot.think(t) for bot in self._seats.values())
        return [action for action in actions if action is not None]
