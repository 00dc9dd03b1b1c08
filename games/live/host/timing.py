"""How long the phases of a match last, how long its host waits for people, and when it is given up.

The law: a match is abandoned in these cases. Every person who has not left votes for it. For
`Timing.empty_ms`, or `waiting_ms` before the first deal of a class's table that waits for all its
players, all of them have been absent or idle, and no one watched. A challenge's table has not begun
within `begins_ms`, since the bot that accepted is there for nothing. `IDLE_ROUNDS` rounds in a row
ended without a card played, or a round without a stall rule would not end. A round has as many
events as it may have.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from games.engine.events import FULL_ROUND
from games.live.host.presence import TablePresence
from games.live.host.round import LiveRound
from games.tables.plan import ALL, EMPTY_MS, Plan

IDLE_ROUNDS: Final = 3
"""After so many rounds in a row without a card played, a match is abandoned."""
COUNTS_MS: Final = 1_000
"""The minimum time between two updates of lag and spectator counts."""
KEPT_MS: Final = 3_600_000
"""How long a guided round is kept for a player who has gone."""


class Timing(NamedTuple):
    """How long things last, in ms."""

    countdown_ms: int = 3_000
    scoreboard_ms: int = 12_000
    pause_ms: int = 2_000
    """The most that a round is stopped after another host took over."""
    away_ms: int = 20_000
    """After this a bot plays on for an absent player."""
    empty_ms: int = EMPTY_MS
    """After this a match without anyone is abandoned."""
    idle_ms: int = 300_000
    """Beyond the rules' stall time: how long a round may go without a card played."""
    waiting_ms: int = 12 * 3_600_000
    """After this a class's table that waits for all its players is abandoned."""
    begins_ms: int = EMPTY_MS
    """After this a challenge's table that has not begun is abandoned."""
    linger_ms: int = 120_000
    """How long a match that is over waits for a rematch."""

    @property
    def unhurried(self) -> Timing:
        """For a guided round: it can be left and taken up again, and no bot plays on meanwhile."""
        return self._replace(away_ms=KEPT_MS, empty_ms=KEPT_MS, idle_ms=KEPT_MS)


class GivingUp:
    """When a match is given up. Every `now` is on the host's clock."""

    def __init__(self, timing: Timing, presence: TablePresence, now: int) -> None:
        self._timing = timing
        self._presence = presence
        self._since = now
        self._idle_rounds = 0

    def ended(self, live: LiveRound) -> None:
        """Note whether any card was played in a round that has ended."""
        self._idle_rounds = 0 if live.table.last_play else self._idle_rounds + 1

    def empty_at(self, plan: Plan, *, dealt: bool) -> int | None:
        """When everyone will have been gone for too long. None for a match that needs no people."""
        if not plan.needs_people:
            return None
        waits = plan.waits_for_class and plan.humans and not dealt
        limit = self._timing.waiting_ms if waits else self._timing.empty_ms
        return self._presence.empty_since + limit

    def unbegun_at(self, plan: Plan) -> int | None:
        """When a table that waits to begin is given up. None for one that may wait."""
        waits = plan.begins == ALL and not plan.waits_for_class
        return self._since + self._timing.begins_ms if waits else None

    def idle_at(self, live: LiveRound) -> int:
        """When a round that does not end by the rules is given up: no one plays, or it is full."""
        if live.table.events >= FULL_ROUND:
            return live.began + live.table.t
        limit = self._timing.idle_ms + live.table.rules.stall_ms
        return live.began + live.table.last_play + limit

    def unwanted(self, plan: Plan, now: int, *, dealt: bool) -> bool:
        """Whether the people have voted for it, or gone."""
        empty = self.empty_at(plan, dealt=dealt)
        return self._presence.agreed("abandon", now) or (empty is not None and now >= empty)

    @property
    def exhausted(self) -> bool:
        """Whether no other round may follow."""
        return self._idle_rounds >= IDLE_ROUNDS
