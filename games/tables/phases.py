"""The phases of a table, as its `state` says them (docs/protocol.md)."""

from __future__ import annotations

from typing import Final

SEATING: Final = "seating"
COUNTDOWN: Final = "countdown"
ROUND: Final = "round"
PAUSE: Final = "pause"
SCOREBOARD: Final = "scoreboard"
FINISHED: Final = "finished"
ABANDONED: Final = "abandoned"
OVER: Final = (FINISHED, ABANDONED)
