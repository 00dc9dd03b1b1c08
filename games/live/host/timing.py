"""How long the phases of a match last, and how long its host waits for people."""

from __future__ import annotations

from typing import Final, NamedTuple

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
    empty_ms: int = 120_000
    """After this a match without anyone is abandoned."""
    idle_ms: int = 300_000
    """Beyond the rules' stall time: how long a round may go without a card played."""
    waiting_ms: int = 12 * 3_600_000
    """After this a table that waits for all its players is abandoned."""
    linger_ms: int = 120_000
    """How long a match that is over waits for a rematch."""

    @property
    def unhurried(self) -> Timing:
        """For a guided round: it can be left and taken up again, and no bot plays on meanwhile."""
        return self._replace(away_ms=KEPT_MS, empty_ms=KEPT_MS, idle_ms=KEPT_MS)
