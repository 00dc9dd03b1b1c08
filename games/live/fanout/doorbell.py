"""The doorbell between processes, as those see it who ring it."""

from __future__ import annotations

from typing import Protocol


class Doorbell(Protocol):
    """Rings in all processes; may fail without a word."""

    def ring(self, match: str, seq: int) -> None:
        """Something is new of a match; `seq` is the next line's, -1 if it is not a line."""


class NoDoorbell:
    """For a process that is alone, or is polled."""

    def ring(self, match: str, seq: int) -> None:
        """Nothing rings."""
