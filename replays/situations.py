"""Situations counted once for each match, and read for the latest ones that a visitor may see."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from typing import Final
from zlib import compress, decompress

from django.db.models import Exists, OuterRef, QuerySet

from games.archive.queries import listed
from games.bots.patient import PATIENT
from games.engine.message import Message
from games.models import Match
from replays.analysis.situations import VERSION, Cells, tally
from replays.analysis.versions import MEASURES_VERSION
from replays.jobs.kinds import Kind
from replays.jobs.matches import begin_again, failed_in, over_matches
from replays.models import StoredSituations
from replays.players.counting import COUNTED, recent_from
from replays.stored.logs import timeline_of

CURRENT: Final = f"{MEASURES_VERSION}/{VERSION}"
LATEST: Final = 1_000
"""How many public matches a reading, or a job, covers."""


def look_round() -> None:
    begin_again("situations", Message("Situations in matches"), waiting)


def waiting() -> list[int]:
    """The latest recent matches that are not counted."""
    stored = StoredSituations.objects.filter(match=OuterRef("pk"), version=CURRENT)
    rows = _public().filter(~Exists(stored), pk__gt=recent_from())
    return list(rows.order_by("-pk").values_list("pk", flat=True)[:LATEST])


def _public() -> QuerySet[Match]:
    finished = Match.objects.filter(listed(), state=Match.State.FINISHED, origin__in=COUNTED)
    return finished.exclude(seats__temper=PATIENT)


def count(match: Match) -> None:
    body = compress(json.dumps(tally(timeline_of(match)), separators=(",", ":")).encode())
    fields = {"version": CURRENT, "body": body}
    StoredSituations.objects.update_or_create(match=match, defaults=fields)


KIND: Final = Kind(over_matches(count), failed_in)


def cells_seen(block: str, embargoed: Collection[int]) -> Iterator[tuple[int, Cells]]:
    """The cells of a top and height in the latest public matches, newest first. One query.

    `embargoed`: the matches about which the visitor has questions.
    """
    seen = _public().exclude(pk__in=embargoed)
    rows = StoredSituations.objects.filter(version=CURRENT, match__in=seen).order_by("-match")
    for pk, body in rows.values_list("match", "body")[:LATEST]:
        yield pk, json.loads(decompress(bytes(body))).get(block, {})
