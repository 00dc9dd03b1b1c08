"""Which races are going on in this process: one per person, and a limited number in all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

MOST: Final = 100
"""The most races at once in one process; each costs about as much as a live match."""


class Registry:
    """The races of one process, by who plays them."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._ending: dict[str, Callable[[], None]] = {}

    def enter(self, person: str, end: Callable[[], None]) -> bool:
        """Begin this person's race, ending the one they are in; False if there are too many.

        `end` ends this one, if the person begins another.
        """
        before = self._ending.pop(person, None)
        if before is not None:
            before()
        if len(self._ending) >= self._most:
            return False
        self._ending[person] = end
        return True

    def leave(self, person: str, end: Callable[[], None]) -> None:
        """This race is over, whether or not it is still the person's."""
        if self._ending.get(person) == end:
            del self._ending[person]
