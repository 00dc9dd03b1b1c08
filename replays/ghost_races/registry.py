"""Which races are going on in this process: one per person, and a limited number in all."""

import asyncio
from contextlib import suppress
from typing import Final, Protocol

from games.live.fanout.close_codes import LEFT, RESTART, Close
from games.live.host.rate_limits import SlidingWindow

MAX_RACES: Final = 100
"""The most races at once in one process. Each costs about as much as a live match."""
DRAIN_S: Final = 3
"""How long a process that stops waits until its races are kept."""


OPENINGS: Final = (60, 60_000)
"""How many races a network may request within how many ms. Each takes a part of a second."""
_MOST_NETWORKS: Final = 10_000


class Ending(Protocol):
    """A race that can be ended from outside."""

    def stop(self, close: Close) -> None:
        """End it, and close its socket with that code."""

    def rights_changed(self, subject: str) -> None:
        """Rights may have changed (`games.people.changes`): see whether it may go on."""


class Registry:
    """The races of one process, by player."""

    def __init__(self, most: int = MAX_RACES) -> None:
        self._most = most
        self._running: dict[str, Ending] = {}
        self._openings: dict[str, SlidingWindow] = {}
        self._kept: set[Ending] = set()
        self._none = asyncio.Event()

    def may_open(self, network: str, now: int) -> bool:
        """Count an opening from a network. False if there were too many lately."""
        if len(self._openings) >= _MOST_NETWORKS:
            self._openings.clear()
        return self._openings.setdefault(network, SlidingWindow(OPENINGS)).take(now)

    def enter(self, person: str, race: Ending) -> bool:
        """Begin this person's race, ending the one they are in. False if there are too many."""
        before = self._running.pop(person, None)
        if before is not None:
            before.stop(LEFT)
        if len(self._running) >= self._most:
            return False
        self._running[person] = race
        self._kept.add(race)
        return True

    def leave(self, person: str, race: Ending) -> None:
        """This race is over and kept, whether or not it is still the person's."""
        if self._running.get(person) is race:
            del self._running[person]
        self._kept.discard(race)
        if not self._kept:
            self._none.set()

    def rights_changed(self, subject: str) -> None:
        """Let every race see whether it may go on."""
        for race in list(self._running.values()):
            race.rights_changed(subject)

    def close(self) -> None:
        for race in list(self._running.values()):
            race.stop(RESTART)

    async def wait_until_saved(self) -> None:
        """Wait until every race that has ended is kept, but not for long."""
        self._none.clear()
        if self._kept:
            with suppress(TimeoutError):
                async with asyncio.timeout(DRAIN_S):
                    await self._none.wait()
