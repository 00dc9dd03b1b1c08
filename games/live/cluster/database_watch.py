"""Whether this process can use its database, by writing to it once a second.

A process that cannot is of no use to its clients while another may be: it says so, disconnects them
(`games.live.cluster.supervisor`) and takes no new ones. A write shows a full disk too, and a write
that does not come back shows a lost network, where nothing else does.

Time counts in ticks: a process that was frozen or starved has not waited for its database.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from games.live.host.clock import Clock, pause
from games.live.host.leases import Reach, StoreUnavailableError

TICK_MS: Final = 250
REST_MS: Final = 750
"""The pause after a write that succeeded."""
PATIENCE: Final = 6
"""After so many ticks without a success the database counts as away."""
log: Final = logging.getLogger(__name__)


class DatabaseWatch:
    """`probe` writes, and returns how far that succeeded. It may raise StoreUnavailableError.

    `hangs`: whether a write that takes long shows that something is wrong. `stuck` says whether
    real writes have failed for some time. `lost` is called in each tick while it is away.
    """

    def __init__(
        self,
        probe: Callable[[], Awaitable[Reach]],
        clock: Clock,
        lost: Callable[[], None],
        stuck: Callable[[], bool] = lambda: False,
        *,
        hangs: bool = True,
    ) -> None:
        self.reach = Reach.WHOLE
        self._probe = probe
        self._clock = clock
        self._lost = lost
        self._stuck = stuck
        self._hangs = hangs
        self._missed = 0

    async def run(self) -> None:
        asked: asyncio.Future[Reach] | None = None
        while True:
            asked = asked or asyncio.ensure_future(self._ask())
            await pause(self._clock, TICK_MS)
            reach = asked.result() if asked.done() else None
            self._count(reach)
            if reach is not None:
                asked = None
            if not self._missed:
                await pause(self._clock, REST_MS)

    async def _ask(self) -> Reach:
        try:
            return await self._probe()
        except StoreUnavailableError:
            return Reach.NONE

    def _count(self, reach: Reach | None) -> None:
        if reach is Reach.WHOLE and self._stuck():
            reach = Reach.READING
        if reach is Reach.WHOLE:
            self._missed = 0
            self._be(Reach.WHOLE)
        elif reach is not None or self._hangs:
            self._missed += 1
        if self._missed >= PATIENCE:
            self._be(reach or (self.reach if self.reach is not Reach.WHOLE else Reach.NONE))
            self._lost()

    def _be(self, reach: Reach) -> None:
        if reach is not self.reach:
            log.warning("the database: %s", reach.value)
        self.reach = reach
