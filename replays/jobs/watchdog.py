"""Whether this process's work goes on: a step that hangs must not pass for one that is long.

Signs of life come from threads of their own, so that long steps do not end them. While a step
runs for longer than any should, they are left out: other workers take over, `manage.py jobs
health` and systemd's watchdog notice, and a part that hangs everywhere is given up in the end.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Final

LIMIT_S: Final = 300
"""Steps take well under a second, a few seconds on a busy machine."""
_log: Final = logging.getLogger(__name__)


class Watchdog:
    """When the step that is running began."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._told = False
        self.since: float | None = None
        """None between steps."""

    @contextmanager
    def step(self) -> Iterator[None]:
        """A step runs as long as the block does."""
        self.since, self._told = self._clock(), False
        try:
            yield
        finally:
            self.since = None

    @property
    def hangs(self) -> bool:
        """Whether a step has run for too long; logged once."""
        since = self.since
        hangs = since is not None and self._clock() - since > LIMIT_S
        if hangs and not self._told:
            self._told = True
            _log.error("a step has run for over %d s: no sign of life until it ends", LIMIT_S)
        return hangs


WATCHDOG: Final = Watchdog()
"""Of this process, which does one step at a time."""
