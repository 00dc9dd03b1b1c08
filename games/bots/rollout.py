"""Playing on with bots from any position of a round, any number of times.

A position is a table of all facts: hidden cards are where they were dealt. A bot of the site that
the record names plays on itself. Any other seat's bot has the tempo that its player has shown so
far (`games.bots.tempo`) and a temper that its choices suggest (`games.bots.temper`).

A player in the middle of a round has moved recently and will soon move again, so a bot's first
thought is timed from its seat's last movement. It never comes while a try could still be tied
with a card already played, since that tie is settled.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from random import Random
from typing import Final

from games.bots.base import Bot
from games.bots.roster import BotSpec, seat_bot
from games.bots.simulate import MAX_ROUND_MS, drive
from games.bots.skill import BITS, network_lag
from games.bots.temper import TemperMeter
from games.bots.tempo import TempoMeter, skill_at
from games.bots.view import PublicEvents, View
from games.engine.events import Event
from games.engine.referee import Judge
from games.engine.table import Table

_LAST: Final = 7  # sorts after every seat among bots that think at the same time


class Players:
    """The players to imitate: their tempos and tempers so far in a match, read in order.

    `known`: the site's bot in each seat, None for another player.
    """

    def __init__(self, known: Sequence[BotSpec | None]) -> None:
        self._known = known
        self._tempo, self._temper = TempoMeter(len(known)), TemperMeter(len(known))

    def read(self, events: Sequence[Event], table: Table | None = None) -> None:
        """Read a round or the start of one. Changes `table`, as dealt, by its events. Without it
        only tempos are learnt, which every player can see."""
        self._tempo.read(events)
        if table is not None:
            self._temper.read(table, events)

    def copy(self) -> Players:
        twin = Players(self._known)
        twin._tempo, twin._temper = self._tempo.copy(), self._temper.copy()
        return twin

    @property
    def tempos(self) -> tuple[float, ...]:
        return self._tempo.tempos

    def bot(self, table: Table, public: PublicEvents, seat: int, randomness: Random) -> Bot:
        """A bot in the seat's place. Each time an unknown temper is drawn again."""
        spec = self._known[seat]
        if spec is not None:
            return seat_bot(spec, table, public, seat, randomness)
        skill = skill_at(self.tempos[seat])
        view = View(table, public, seat, skill.lag + network_lag(randomness))
        return self._temper.draw(seat, randomness)(view, skill, randomness)


def published(table: Table, events: Iterable[Event]) -> PublicEvents:
    """What everyone has seen of a round after these events."""
    public = PublicEvents(table.rules, table.seats)
    for event in events:
        public.settled(event)
    return public


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


def first_thought(table: Table, bot: Bot, now: int, randomness: Random) -> int:
    """When a bot that sits down at `now` first thinks."""
    seat = bot.view.seat
    moved = max(0, min(now, table.free[seat] - table.hand_ms[seat]))
    first = bot.begin(now) - now + moved  # as if it had sat there since the seat's last movement
    if first <= now:
        pace = bot.skill.pace[randomness.getrandbits(BITS)]
        first = now + 1 + pace * randomness.getrandbits(BITS) // (1 << BITS)
    return max(first, table.t + table.rules.tie_window_ms)
