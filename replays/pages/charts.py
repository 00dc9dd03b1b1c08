"""Chart responses: cached within a memory budget.

All charts of a round come from one reading and are cached together, gzipped. A chart requested by
its name is cached by itself. A log that has grown, or been cut at a different line, is a new
response. There are few places to cut a log: the lines that `shown_until` gives.
"""

import gzip
import json
from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from typing import Final

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.archive.store import shown_header
from games.models import Match
from games.pages.words import HERE
from games.people.visit import Visit
from replays.charts import CHARTS
from replays.charts.course import Course
from replays.pages.concurrency import costly
from replays.pages.match_log import numbered_from, numbered_of_round
from replays.pages.telling import names_in
from replays.timeline import Timeline

KEPT_BYTES: Final = 16 * 2**20
KEPT_AT_MOST: Final = 2**18
"""Per response, gzipped. A larger one is made again each time."""
CUTS: Final = 64
"""A log or round is cut at least at so many places, at most at twice as many."""


class ResponseCache:
    """Responses by key. The least recently used are dropped when there are too many bytes."""

    def __init__(self, most: int = KEPT_BYTES, largest: int = KEPT_AT_MOST) -> None:
        self._most = most
        self._largest = largest
        self._known: OrderedDict[Hashable, bytes] = OrderedDict()
        self._lock = Lock()
        self.size = 0

    def get(self, key: Hashable) -> bytes | None:
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
        with self._lock:
            self._known.clear()
            self.size = 0


chart_cache: Final = ResponseCache()


def figures(
    match: Match, number: int | None, until: int | None, visit: Visit, name: str = ""
) -> bytes:
    """All charts of a round or (None) of the match by name, or the named one, as gzipped JSON, for
    this visitor.

    Raises LookupError for a missing round or chart, and BusyError.
    """
    if name and name not in CHARTS:
        raise LookupError(_("no chart {name!r}").format(name=name))
    until = shown_until(match, number, until)
    # A cut log never changes, however much follows.
    log = match.pk, match.record_id, match.created, match.hidden, match.lines if not until else 0
    names = tuple(names_in(match, visit))
    key = *log, number, until, name, get_language(), *names
    body = chart_cache.get(key)
    if body is not None:
        return body
    with costly.slot(visit.caller):
        body = chart_cache.get(key) or _draw(match, number, until, name, names)
    chart_cache.put(key, body)
    return body


def _draw(
    match: Match, number: int | None, until: int | None, name: str, names: tuple[str, ...]
) -> bytes:
    course = Course.of(_timeline(match, number, until), number, names, HERE)
    made = CHARTS[name](course) if name else {name: CHARTS[name](course) for name in CHARTS}
    return gzip.compress(json.dumps(made, separators=(",", ":")).encode(), 6, mtime=0)


def shown_until(match: Match, number: int | None, until: int | None) -> int | None:
    """The line up to which charts are drawn for a viewer who has seen line `until`. None: all.

    It is the newest line, or one of few at which logs are cut, so that most charts are made once.
    """
    if until is None or until >= match.lines - 1:
        return None
    first, end = 0, match.lines
    if number is not None:
        starts = match.chunks.filter(round__in=(number, number + 1)).order_by("first_seq")
        first_seqs = dict(reversed(starts.values_list("round", "first_seq")))
        first, end = first_seqs.get(number, 0), first_seqs.get(number + 1, match.lines)
        if until >= end - 1:
            return None
    step = 1 << max(0, ((end - first) // CUTS).bit_length() - 1)
    return max(first, until - until % step) if until >= first else until


def _timeline(match: Match, number: int | None, until: int | None) -> Timeline:
    """The timeline of one round, or (None) of all, up to and including line `until`."""
    timeline = Timeline(shown_header(match))
    for seq, line in numbered_of_round(match, number) if number else numbered_from(match, 1):
        if until is not None and seq > until:
            break
        timeline.seq = seq - 1
        timeline.add(line)
    return timeline
