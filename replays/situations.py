"""Situations over all matches: counted once for a match, summed over public ones, read for anyone.

A private match is in no total. The totals may still include matches that are no longer public,
deleted, or hidden from a visitor by a question. A reading subtracts these at once. So no counts
reveal a match that a visitor may not see, and the cost depends on such matches, not on how many are
public.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Final
from zlib import compress, decompress

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q
from django.db.models.lookups import Exact

from games.archive.filters import BIT_RANGES
from games.bots.patient import PATIENT
from games.engine.message import Message
from games.models import Match
from replays.analysis.situations import VERSION, Cells, tally
from replays.analysis.versions import MEASURES_VERSION
from replays.jobs.kinds import Kind
from replays.jobs.matches import begin_again, failed_in, over_matches
from replays.models import SituationTotals, StoredSituations
from replays.players.counting import COUNTED, recent_from
from replays.stored.logs import timeline_of

CURRENT: Final = f"{MEASURES_VERSION}/{VERSION}"
PLACES: Final = 3
"""To watch, kept of each cell of the totals."""
MOST: Final = 2_000
"""Matches in one job. The next minute's has the rest."""
_LISTED: Final = BIT_RANGES["listed"]
PUBLIC: Final = Q(Exact(F("filter_bits").bitand(_LISTED.mask), _LISTED.put(1)))


def look_round() -> None:
    """Start the job, if matches wait for it. Delete rows whose matches are gone."""
    for row in StoredSituations.objects.filter(match=None):
        _settle(row.pk, listed=False)
        row.delete()
    summed = StoredSituations.objects.filter(summed=True)
    others = SituationTotals.objects.exclude(version=CURRENT)
    others.exclude(version__in=summed.values("version")).delete()
    begin_again("situations", Message("Situations in matches"), lambda: waiting()[:MOST])


def waiting(*, recent: bool = True) -> list[int]:
    """The finished matches that are not counted, or whose place in the totals has changed."""
    finished = Match.objects.filter(state=Match.State.FINISHED, origin__in=COUNTED)
    stored = StoredSituations.objects.filter(match=OuterRef("pk"), version=CURRENT)
    summed, alone = (Exists(stored.filter(summed=whether)) for whether in (True, False))
    rows = finished.exclude((PUBLIC & summed) | (~PUBLIC & alone)).exclude(seats__temper=PATIENT)
    # Every reader's answer leaves out one that is no longer public, until the totals do.
    rows = rows.filter(Q(pk__gt=recent_from()) | (~PUBLIC & summed)) if recent else rows
    return list(rows.order_by("-pk").values_list("pk", flat=True))


def count(match: Match) -> None:
    """Store the counts of a match, unless they are, and bring the totals up to date."""
    row, _ = StoredSituations.objects.get_or_create(
        match=match, defaults={"version": "", "body": b""}
    )
    if row.version != CURRENT:
        by_stack = tally(timeline_of(match), match.pk)
        _replace(row.pk, compress(json.dumps(by_stack, separators=(",", ":")).encode()))
    _settle(row.pk, listed=match.filter_bits & _LISTED.mask != 0)


@transaction.atomic
def _replace(pk: int, body: bytes) -> None:
    """Store this version's counts. Another version's totals, which its processes may still read and
    bring up to date, lose those that they include."""
    _settle(pk, listed=False)
    StoredSituations.objects.filter(pk=pk).update(version=CURRENT, body=body, summed=False)


@transaction.atomic
def _settle(pk: int, *, listed: bool) -> None:
    """Let the totals of its version include a match's counts, or not, whatever they did so far."""
    row = StoredSituations.objects.select_for_update().get(pk=pk)
    if row.summed == listed:
        return
    blocks, version = read(row), row.version
    SituationTotals.objects.bulk_create(
        [SituationTotals(block=block, version=version) for block in sorted(blocks)],
        ignore_conflicts=True,
    )
    totals = SituationTotals.objects.select_for_update().filter(block__in=blocks, version=version)
    for total in (changed := list(totals.order_by("block"))):
        _merge(total.cells, blocks[total.block], 1 if listed else -1)
    SituationTotals.objects.bulk_update(changed, ["cells"])
    row.summed = listed
    row.save(update_fields=["summed"])


def read(row: StoredSituations) -> dict[str, Cells]:
    """The counts of a match by top and height."""
    by_stack: dict[str, Cells] = json.loads(decompress(bytes(row.body)))
    return by_stack


def _merge(into: Cells, cells: Cells, sign: int) -> None:
    """Add counts to others, or take them away again."""
    for name, (counts, places) in cells.items():
        known, kept = into.get(name) or ([0] * len(counts), [])
        kept = [*places, *kept] if sign > 0 else [place for place in kept if place not in places]
        into[name] = [a + sign * b for a, b in zip(known, counts, strict=True)], kept[:PLACES]


KIND: Final = Kind(over_matches(count), failed_in)


def cells_seen(block: str, embargoed: Collection[int]) -> Cells:
    """The cells of a top and height, for a visitor with questions about these matches."""
    totals = SituationTotals.objects.filter(version=CURRENT, block=block).first()
    cells: Cells = totals.cells if totals else {}
    rows, unlisted = StoredSituations.objects.filter(version=CURRENT), Match.objects.filter(~PUBLIC)
    gone = rows.filter(Q(match=None) | Q(match__in=embargoed), summed=True)
    hidden = rows.filter(match__in=unlisted.values("pk"), summed=True)
    for row in {row.pk: row for row in (*gone, *hidden)}.values():
        _merge(cells, read(row).get(block, {}), -1)
    return cells
