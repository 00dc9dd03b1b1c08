"""Rollouts: bots play on from any position of a round, any number of times.

A position is a table of all facts: hidden cards are where they were dealt. Each seat's bot has
the tempo that its player has shown so far (`games.bots.tempo`); all have the same simple
temper, since guessing each player's own was found to add nothing.

A player in the middle of a round has moved recently and will soon move again, so a bot's first
thought is timed from its seat's last movement. It never comes while a try could still be tied
with a card already played, since that tie is settled.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from random import Random
from typing import Final, NamedTuple

from games.bots.base import Bot
from games.bots.simulate import MAX_ROUND_MS, drive
from games.bots.skill import BITS, Skill, network_lag
from games.bots.taker import Taker
from games.bots.view import PublicEvents, View
from games.engine.actions import Action, Refusal, Try
from games.engine.events import Event
from games.engine.referee import Judge
from games.engine.table import Table

TEMPER: Final = Taker
"""How all of them play."""
_LAST: Final = 7  # sorts after every seat among bots that think at the same time


class Movement(NamedTuple):
    """What a hand does at `t`, whatever its bot would do; the others play on from `since`.

    Both are ms in the round.
    """

    since: int
    t: int
    action: Action


class Start:
    """A position to play on from: its table, which is left unchanged, and its round so far."""

    def __init__(self, table: Table, events: Iterable[Event]) -> None:
        self.table = table
        self.public = PublicEvents(table.rules, table.seats)
        for event in events:
            self.public.settled(event)

    def rollout(
        self, skills: Sequence[Skill], randomness: Random, until: int = MAX_ROUND_MS
    ) -> list[Event]:
        """What happens next if bots of these skills, one per seat, play to the end of the round.

        They stop at `until` (ms in the round) if the round lasts longer; whatever they had begun by
        then is settled.
        """
        table, public = self.table.copy(), self.public.copy()
        known = len(public.events)
        judge = Judge(table, public.settled, _forget)
        judge.settle(table.t)
        play_on(judge, seat_all(table, public, skills, randomness), randomness, until)
        return public.events[known:]

    def with_table(self, table: Table) -> Start:
        """The same round so far with another table, on which hidden cards lie elsewhere."""
        twin = Start(table, ())
        twin.public = self.public
        return twin

    def rollout_after(
        self, skills: Sequence[Skill], randomness: Random, first: Movement, until: int
    ) -> tuple[Table, list[Event]]:
        """The same, except that one hand makes this movement first: its bot plays from then on.

        Also returns the table at the end.
        """
        table, public = self.table.copy(), self.public.copy()
        known = len(public.events)
        judge = Judge(table, public.settled, _forget)
        judge.settle(table.t)
        move_first(judge, seat_all(table, public, skills, randomness), randomness, first, until)
        if not table.ended:
            judge.settle(until + table.rules.tie_window_ms)
        return table, public.events[known:]

    def rollouts(
        self, skills: Sequence[Skill], count: int, seed: int = 0, until: int = MAX_ROUND_MS
    ) -> Iterator[list[Event]]:
        """`count` rollouts; the same seed gives the same ones."""
        for number in range(count):
            yield self.rollout(skills, Random(f"ratuki {seed}/{number}"), until)


def seat_all(
    table: Table, public: PublicEvents, skills: Sequence[Skill], randomness: Random
) -> list[Bot]:
    """A bot for each seat, with that seat's skill."""
    return [seat_one(table, public, seat, skill, randomness) for seat, skill in enumerate(skills)]


def seat_one(
    table: Table, public: PublicEvents, seat: int, skill: Skill, randomness: Random
) -> Bot:
    view = View(table, public, seat, skill.lag + network_lag(randomness))
    return TEMPER(view, skill, randomness)


def play_on(
    judge: Judge,
    bots: Collection[Bot],
    randomness: Random,
    until: int = MAX_ROUND_MS,
    since: int | None = None,
) -> None:
    """Let bots play on from `since`, or from the table's time, up to `until` (ms)."""
    table = judge.table
    now = table.t if since is None else since
    queue = [first_thought(table, bot, now, randomness) << 3 | bot.view.seat for bot in bots]
    if queue:
        drive(judge, {bot.view.seat: bot for bot in bots}, queue, until << 3 | _LAST)
    if not table.ended:
        judge.settle(max(until, now) + table.rules.tie_window_ms)


def move_first(
    judge: Judge, bots: Sequence[Bot], randomness: Random, first: Movement, until: int
) -> None:
    """Let bots play on up to `until` (ms), once one of their hands has made its movement."""
    now, t, action = first
    table = judge.table
    mine = bots[action.seat]
    others = {bot.view.seat: bot for bot in bots if bot is not mine}
    queue = [first_thought(table, bot, now, randomness) << 3 | seat for seat, bot in others.items()]
    mine.begin(now)
    drive(judge, others, queue, t << 3)
    if table.ended:
        return
    judge.offer(t, action)
    rest = mine.skill.pace[randomness.getrandbits(BITS)]
    if isinstance(action, Try):  # by then its outcome is seen
        rest = max(rest, mine.view.lag + table.rules.tie_window_ms)
    queue.append(t + 1 + rest << 3 | action.seat)
    drive(judge, dict(enumerate(bots)), queue, until << 3 | _LAST)


def first_thought(table: Table, bot: Bot, now: int, randomness: Random) -> int:
    """When a bot that sits down at `now` first thinks."""
    seat = bot.view.seat
    moved = max(0, min(now, table.free[seat] - table.hand_ms[seat]))
    first = bot.begin(now) - now + moved  # as if it had sat there since the seat's last movement
    if first <= now:
        pace = bot.skill.pace[randomness.getrandbits(BITS)]
        first = now + 1 + pace * randomness.getrandbits(BITS) // (1 << BITS)
    return max(first, table.t + table.rules.tie_window_ms)


def _forget(refusal: Refusal) -> None:
    """Ignore it: a bot sees the outcome of its action."""
