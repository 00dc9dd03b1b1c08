"""What a match keeps beside its lines, for the next host and for the archive.

The law: it is saved with each state that is shown, and nothing in it can be told from the lines.
Who leaves after the end has played to the end.
"""

from __future__ import annotations

from random import Random

from games.live.host.presence import TablePresence
from games.live.host.requests import HostState, SavedSalts
from games.tables.plan import Plan


class Beside:
    """Lags and stand-ins of the rounds played, and the rematch."""

    def __init__(self, presence: TablePresence) -> None:
        self.next: str | None = None
        """The id of the rematch."""
        self._presence = presence
        self._lags: list[list[int | None]] = []
        self._stand_ins: list[int] | None = None
        self._rematch: Plan | None = None

    def round_over(self) -> None:
        """Note each seat's lag in the round."""
        self._lags.append([player.lag for player in self._presence.all])

    def over(self, decided: bool, now: int) -> None:
        """Note, once, for whom a bot finished the match."""
        if self._stand_ins is None:
            self._stand_ins = self._presence.stand_ins(now) if decided else []

    def rematch(self, plan: Plan, randomness: Random) -> Plan:
        """The plan of the next match, without those who have left; always the same one."""
        if self._rematch is None:
            for seat, player in enumerate(self._presence.all):
                plan = plan.stand_up(seat) if player.left else plan
            self._rematch = plan.turned(f"{randomness.getrandbits(64):016x}")
        return self._rematch

    def saved(self, salts: SavedSalts | None, now: int) -> HostState:
        """What survives the host, besides the lines."""
        return {
            "players": self._presence.saved(now),
            "lags": self._lags,
            "next": self.next,
            "stand_ins": self._stand_ins,
            "salts": salts,
        }

    def restore(self, saved: HostState, dealt: bool) -> None:
        """Go on with what another host saved; `dealt`: whether there is a round already."""
        self._presence.restore(saved["players"], dealt)
        self._lags = saved["lags"]
        self._stand_ins = saved.get("stand_ins")
        self.next = saved["next"]
