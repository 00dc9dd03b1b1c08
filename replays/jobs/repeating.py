"""Doing something again and again in a thread, as long as a block runs."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Final

from django.db import DatabaseError, close_old_connections, connection

_log: Final = logging.getLogger(__name__)


@contextmanager
def repeated(act: Callable[[], None], every_s: float, name: str) -> Iterator[None]:
    """Call `act` every so many seconds while the block runs; the database may refuse it."""
    over = Event()

    def beat() -> None:
        while not over.wait(every_s):
            try:
                act()
            except DatabaseError:
                _log.warning("the database refused a sign of life (%s)", name)
                close_old_connections()
        connection.close()

    thread = Thread(target=beat, name=name, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
