"""The log that a stored result is of: its digest, and its timeline."""

from __future__ import annotations

from hashlib import sha256

from games.archive.store import header_of, log_of
from games.models import Match
from replays.timeline import Timeline


def digest_of(match: Match) -> str:
    """SHA-256 of the log's stored pieces, in hexadecimal."""
    found = sha256(match.header.encode())
    for body in match.chunks.order_by("first_seq").values_list("body", flat=True).iterator():
        found.update(bytes(body))
    return found.hexdigest()


def timeline_of(match: Match) -> Timeline:
    """The whole log, from the archive."""
    return Timeline.of([header_of(match), *log_of(match)])
