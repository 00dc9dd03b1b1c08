"""News that rights may have changed, for the open sockets of all processes.

`games.people.changes` calls its listeners in the threads of pages. Here the news comes to the event
loop of the sockets, and to other processes by a doorbell. A ring may be lost, so sockets also check
from time to time. Each process looks itself whether the owner has closed the door to strangers
(`games.people.door`).
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from django.db import DatabaseError

from games.live.fanout.doorbell import Doorbell
from games.people import changes, door
from games.people.visit import in_session

GROUP: Final = "rights"
Listener = Callable[[str], None]
"""Called with a subject (`games.people.changes`), in the event loop."""


class RightsNews:
    """One per process. `doorbell` makes its doorbell."""

    def __init__(self, doorbell: Callable[[str], Doorbell]) -> None:
        self._doorbell = doorbell
        self._bell: Doorbell = Doorbell()
        self._listeners: list[Listener] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self._looking: asyncio.Task[None] | None = None

    def follow(self, listener: Listener) -> None:
        self._listeners.append(listener)

    def start(self) -> None:
        """Start to listen, inside a running event loop. Only the first call does."""
        if self._loop is not None:
            return
        self._loop = asyncio.get_running_loop()
        self._bell = self._doorbell(GROUP)
        self._bell.start(lambda subject, _: self._tell(subject))
        changes.listen(self._changed)
        self._looking = self._loop.create_task(self._follow_door())

    async def _follow_door(self) -> None:
        """Tell of each change of who may come, for ever."""
        before = None
        while True:
            with suppress(DatabaseError):
                now = await in_session(None, lambda _: door.site())
                rules = now.members_only, now.guests
                if before not in (None, rules):
                    self._tell(changes.SITE)
                before = rules
            await asyncio.sleep(door.FRESH_S)

    def stop(self) -> None:
        changes.forget(self._changed)
        if self._looking is not None:
            self._looking.cancel()
        self._bell.stop()
        self._loop = None

    def _changed(self, subject: str) -> None:
        """Called in any thread."""
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop has been closed
                self._loop.call_soon_threadsafe(self._here, subject)

    def _here(self, subject: str) -> None:
        self._bell.ring(subject, -1)
        self._tell(subject)

    def _tell(self, subject: str) -> None:
        for listener in self._listeners:
            listener(subject)
