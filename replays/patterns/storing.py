"""Occurrences as they are stored: once for a log and the versions of what made them."""

from __future__ import annotations

import gzip
import json
from typing import Final

from games.models import Match
from replays.analysis.versions import MEASURES_VERSION
from replays.models import StoredOccurrences
from replays.patterns.occurrences import VERSION, Occurrence, occurrences
from replays.stored.logs import digest_of, timeline_of

_CURRENT: Final = f"{MEASURES_VERSION}/{VERSION}"


def occurrences_in(match: Match) -> list[Occurrence]:
    """Those of a match that is over: stored, or computed and stored now."""
    made = {"digest": digest_of(match), "version": _CURRENT}
    row = StoredOccurrences.objects.filter(match=match, **made).first()
    if row is not None:
        return [Occurrence._make(one) for one in json.loads(gzip.decompress(bytes(row.body)))]
    found = occurrences(timeline_of(match))
    body = gzip.compress(json.dumps(found, separators=(",", ":")).encode(), 6, mtime=0)
    StoredOccurrences.objects.update_or_create(match=match, defaults={**made, "body": body})
    return found
