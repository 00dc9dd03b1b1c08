"""Chart responses: cached within a memory budget.

All charts of a round come from one reading and are cached together, gzipped; one that is asked for
by its name, by itself. A log that has grown, or been cut at a different line, is a new response.
There are few places to cut a log: so many lines as `shown_until` says.
"""

from __future__ import annotations

import gzip
import json
from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from typing import Final

from games.models import Match
from games.people.visit import Caller
from replays.charts import CHARTS, drawn
from replays.pages.charts.source import course_of, shown_until
from replays.pages.concurrency import costly

KEPT_BYTES: Final = 16 * 2**20
KEPT_AT_MOST: Final = 2**18
"""Per response, gzipped; a larger one is made again each time."""


class ResponseCache:
    """Responses by key; the least recently used are dropped when there are too many bytes."""

    def __init__(self, most: int = KEPT_BYTES, largest: int = KEPT_AT_MOST) -> None:
        self._most = most
        self._largest = largest
        self._known: OrderedDict[Hashable, bytes] = OrderedDict()
        self._lock = Lock()
        self.size = 0

    def get(self, key: Hashable) -> bytes | None:
        """The response, if still cached."""
        with self._lock:
            body = self._known.get(key)
            if body is not None:
                self._known.move_to_end(key)
            return body

    def put(self, key: Hashable, body: bytes) -> None:
        """Cache the response, unless it is too large."""
        if len(body) > self._largest:
            return
        with self._lock:
            self.size += len(body) - len(self._known.pop(key, b""))
            self._known[key] = body
            while self.size > self._most:
                self.size -= len(self._known.popitem(last=False)[1])

    def clear(self) -> None:
        """Drop everything."""
        with self._lock:
            self._known.clear()
            self.size = 0


kept: Final = ResponseCache()


def figures(
    match: Match, number: int | None, until: int | None, caller: Caller, name: str = ""
) -> bytes:
    """All charts of a round or (None) of the match by name, or the named one, as gzipped JSON.

    Raises LookupError for a missing round or chart, and BusyError.
    """
    if name and name not in CHARTS:
        raise LookupError(f"no chart {name!r}")
    until = shown_until(match, number, until)
    # What is cut stays as it is, however much follows.
    log = match.pk, match.record_id, match.created, match.hidden, match.lines if not until else 0
    key = *log, number, until, name
    body = kept.get(key)
    if body is not None:
        return body
    with costly.slot(caller):
        body = kept.get(key) or _made(match, number, until, name)
    kept.put(key, body)
    return body


def _made(match: Match, number: int | None, until: int | None, name: str) -> bytes:
    course = course_of(match, number, until)
    made = drawn(name, course) if name else {name: drawn(name, course) for name in CHARTS}
    return gzip.compress(json.dumps(made, separators=(",", ":")).encode(), 6, mtime=0)
