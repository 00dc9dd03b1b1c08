"""Bots at a live table: each sees what its seat may see, and acts at its level's pace.

A bot's table is folded from redacted facts, so it has nothing that a player's browser would not
know. Times are ms in the round.

In a guided round bots wait for people: each makes one movement after each of theirs (a draw, which
the page may do by itself, does not count), and none before the first.
"""

from collections.abc import Collection, Iterable, KeysView, Mapping, Sequence
from random import Random
from typing import Final

from games.bots.base import Bot
from games.bots.roster import BotSpec, seat_bot
from games.bots.tempo import movements
from games.bots.view import PublicEvents
from games.engine.actions import Action
from games.engine.editions import Rules
from games.engine.events import Deal, Draw, Event
from games.engine.perspective import see, see_deal
from games.engine.table import Table, apply
from games.tables.plan import BOT, Plan

WEAKEST: Final = 1
STRONGEST: Final = 5
STEP: Final = 25
"""The lead (or deficit) of the best person, in points, for each level up (or down)."""
MOST_STEPS: Final = 2


class BotSeat:
    """One bot in one round, from the deal or from mid-round."""

    def __init__(self, bot: Bot, table: Table, t: int) -> None:
        self._bot = bot
        self._table = table
        self.due: int | None = bot.begin(t)
        """When it thinks next. None while it waits for a player."""

    def shown(self, event: Event) -> None:
        apply(self._table, see(event, self._bot.view.seat))

    def think(self, t: int) -> Action | None:
        """Its action at t, if it is time to think and it acts."""
        if self.due is None or self.due > t:
            return None
        action, self.due = self._bot.think(t)
        return action

    def wait(self) -> None:
        self.due = None

    def go(self, t: int) -> None:
        if self.due is None:
            self.due = self._bot.begin(t)


class BotSeats:
    """The bots of one round: in their own seats, and for people who are away.

    They share what everyone has been shown.
    """

    def __init__(
        self,
        rules: Rules,
        deal: Deal,
        beginners: Sequence[int],
        source: Random,
        waits_for: Collection[int] = (),
    ) -> None:
        """`waits_for`: the seats of the people whose movements the bots wait for."""
        self._rules = rules
        self._deal = deal
        self._beginners = beginners
        self._source = source
        self._waits_for = waits_for
        self._public = PublicEvents(rules, len(deal.decks))
        self._past: list[Event] = []
        self._seats: dict[int, BotSeat] = {}

    @property
    def seats(self) -> KeysView[int]:
        return self._seats.keys()

    def change(self, bots: Mapping[int, tuple[str, int]], t: int) -> None:
        """Bots, each of a temper and level, play these seats since t, and people the others.

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
        if self._waits_for and not any(map(self._awaited, self._past)):
            self._seats[seat].wait()

    def shown(self, events: Iterable[Event], t: int) -> None:
        for event in events:
            self._past.append(event)
            self._public.publish(event, t)
            for bot in self._seats.values():
                bot.shown(event)
            if self._awaited(event):
                for bot in self._seats.values():
                    bot.go(t)

    def _awaited(self, event: Event) -> bool:
        """Whether this is a movement that the bots wait for."""
        moved = type(event) is not Draw and movements(event)
        return any(seat in self._waits_for for seat, _ in moved or ())

    @property
    def due(self) -> int | None:
        """When a bot next thinks. None if there are none."""
        times = (bot.due for bot in self._seats.values())
        return min((time for time in times if time is not None), default=None)

    def think(self, t: int) -> list[Action]:
        """The actions of bots due to think. Everything decided before t has been shown."""
        actions = []
        for bot in self._seats.values():
            action = bot.think(t)
            if action is not None:
                actions.append(action)
                if self._waits_for:
                    bot.wait()
        return actions


# Bots that keep a match close. Their level follows from the totals, so another host finds it too.


def adapted(plan: Plan, level: int, totals: Sequence[int]) -> int:
    """The level, 1 to 5, at which a bot of this level plays after a round with those totals."""
    people = [totals[seat] for seat in plan.humans]
    bots = [totals[seat] for seat, place in enumerate(plan.places) if place.kind == BOT]
    if not (plan.adaptive and people and bots):
        return level
    ahead = max(people) - max(bots)
    steps = min(abs(ahead) // STEP, MOST_STEPS)
    return min(max(level + (steps if ahead > 0 else -steps), WEAKEST), STRONGEST)
