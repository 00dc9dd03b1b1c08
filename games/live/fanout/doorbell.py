"""The doorbell between processes, as seen by those who ring it."""

from __future__ import annotations

from typing import Protocol


class Doorbell(Protocol):
    """Rings in all processes. May fail silently."""

    def ring(self, match: str, seq: int) -> None:
        """A match has news. `seq` is the seq of the next line, or -1 if the news is not a line."""


class NoDoorbell:
    """The doorbell of a process that runs alone or relies on polling."""

    def ring(self, match: str, seq: int) -> None:
        """Do nothing."""
