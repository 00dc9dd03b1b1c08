"""What is costly to compute for a request: a few at a time in a process, and clients in turn."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition
from typing import Final

from django.utils.translation import gettext as _

from games.people.visit import Caller

AT_ONCE: Final = 2
"""They share the process's memory and CPU."""
PATIENCE_S: Final = 2.0
RETRY_S: Final = 3


class BusyError(RuntimeError):
    """Too much is being computed. Ask again later."""


class ConcurrencyLimit:
    """How many requests may compute something costly at once: one for each caller.

    A waiting request comes before another of a network that has one already.
    """

    def __init__(self, count: int = AT_ONCE) -> None:
        self._count = count
        self._running: list[Caller] = []
        self.waiting: list[Caller] = []
        self._changed = Condition()

    @contextmanager
    def slot(self, caller: Caller) -> Iterator[None]:
        """The turn of this caller. Raises BusyError if it does not come for a while."""
        with self._changed:
            self.waiting.append(caller)
            try:
                if not self._changed.wait_for(lambda: self._turn_of(caller), PATIENCE_S):
                    raise BusyError(_("busy: too much is being computed"))
            finally:
                self.waiting.remove(caller)
            self._running.append(caller)
        try:
            yield
        finally:
            with self._changed:
                self._running.remove(caller)
                self._changed.notify_all()

    def _turn_of(self, caller: Caller) -> bool:
        if len(self._running) >= self._count or caller in self._running:
            return False
        there = {other.network for other in self._running}
        return caller.network not in there or {other.network for other in self.waiting} <= there


costly: Final = ConcurrencyLimit()
