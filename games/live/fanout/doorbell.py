"""The doorbell between processes, as seen by those who ring it."""

from collections.abc import Callable


class Doorbell:
    """Rings in all other processes. May fail silently.

    This one, of a process that runs alone or relies on polling, rings nowhere.
    """

    def start(self, rung: Callable[[str, int], None]) -> None:
        """Begin to ring, and call `rung` when another process rings."""

    def stop(self) -> None:
        """Ring no more."""

    def ring(self, match: str, seq: int) -> None:
        """A match has news. `seq` is the seq of the next line, or -1 if the news is not a line."""
