"""Counting situations: once for a match, and in totals of all public matches.

A private match is in no total: its counts are read with it, by who may see it. A match that is
private no longer, or from now on, goes into the totals or leaves them with the next job; what is
read leaves it out at once (`reading`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final
from zlib import compress, decompress

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q
from django.db.models.lookups import Exact

from games.archive.filters import BIT_RANGES
from games.archive.store import header_of
from games.bots.patient import PATIENT
from games.bots.roster import bot_spec
from games.models import Match
from replays.analysis.situations.reading import VERSION, Cells, tally
from replays.analysis.versions import MEASURES_VERSION
from replays.jobs import matches
from replays.jobs.kinds import Asked, Json
from replays.models import Rating, SituationTotals, StoredSituations
from replays.players.counting import COUNTED, recent_from
from replays.ratings.standing import NEW
from replays.stored.logs import timeline_of

CURRENT: Final = f"{MEASURES_VERSION}/{VERSION}"
KIND: Final = "situations"
GROUPS: Final = 20
"""Intervals come from leaving out each group of matches in turn."""
PLACES: Final = 3
"""Places kept of each cell of the totals, the latest."""
MOST: Final = 2_000
"""Matches in one job; the next minute's job has the rest."""
_LISTED: Final = BIT_RANGES["listed"]
PUBLIC: Final = Q(Exact(F("filter_bits").bitand(_LISTED.mask), _LISTED.put(1)))
RANKS: Final = (
    "people not rated yet",
    "people rated under 1,500",
    "people rated 1,500 or more",
    *(f"bots of level {level}" for level in range(1, 6)),
)
"""Whom situations are told apart by, each above the one before among people and among bots."""
_BOTS: Final = 2


class Counting(matches.MatchesJob):
    """Count the situations of matches."""

    def each(self, match: Match) -> None:
        count(match)

    def close(self, asked: Asked, states: Iterator[Json]) -> Json:
        return {"counted": sum(states)}


def look_round() -> None:
    """Start the job, if matches wait for it; let go of what no match has any more."""
    for row in StoredSituations.objects.filter(match=None):
        _settle(row.pk, listed=False)
        row.delete()
    SituationTotals.objects.exclude(version=CURRENT).delete()
    matches.look_round(KIND, "Situations in matches", waiting)


def waiting(*, recent: bool = True) -> list[int]:
    """The finished matches that are not counted, or whose place in the totals has changed."""
    finished = Match.objects.filter(state=Match.State.FINISHED, origin__in=COUNTED)
    if recent:
        finished = finished.filter(pk__gt=recent_from())
    stored = StoredSituations.objects.filter(match=OuterRef("pk"), version=CURRENT)
    settled = (PUBLIC & Exists(stored.filter(summed=True))) | (
        ~PUBLIC & Exists(stored.filter(summed=False))
    )
    rows = finished.exclude(settled).exclude(seats__temper=PATIENT).order_by("-pk")
    return list(rows.values_list("pk", flat=True)[: MOST if recent else None])


def count(match: Match) -> None:
    """Store the counts of a match, unless they are, and bring the totals up to date."""
    row, _ = StoredSituations.objects.get_or_create(
        match=match, defaults={"group": match.pk % GROUPS, "version": "", "body": b""}
    )
    if row.version != CURRENT:
        found = tally(timeline_of(match), ranks_of(match), match.pk)
        body = compress(json.dumps(found, separators=(",", ":")).encode())
        # What an older version summed is in that version's totals.
        old = StoredSituations.objects.filter(pk=row.pk).exclude(version=CURRENT)
        old.update(version=CURRENT, body=body, summed=False)
    _settle(row.pk, listed=match.filter_bits & _LISTED.mask != 0)


@transaction.atomic
def _settle(pk: int, *, listed: bool) -> None:
    """Let the totals include a match's counts, or not, whatever they did so far."""
    row = StoredSituations.objects.select_for_update().get(pk=pk)
    if row.summed == listed or row.version != CURRENT:
        return
    blocks = read(row)
    key = {"version": CURRENT, "group": row.group}
    SituationTotals.objects.bulk_create(
        [SituationTotals(block=block, **key) for block in sorted(blocks)], ignore_conflicts=True
    )
    totals = SituationTotals.objects.select_for_update().filter(block__in=blocks, **key)
    for total in (changed := list(totals.order_by("block"))):
        merge(total.cells, blocks[total.block], 1 if listed else -1)
    SituationTotals.objects.bulk_update(changed, ["cells"])
    row.summed = listed
    row.save(update_fields=["summed"])


def read(row: StoredSituations) -> dict[str, Cells]:
    """The counts of a match by block."""
    found: dict[str, Cells] = json.loads(decompress(bytes(row.body)))
    return found


def merge(into: Cells, cells: Cells, sign: int = 1) -> None:
    """Add counts to others, or take them away again."""
    for name, (counts, places) in cells.items():
        known, kept = into.get(name) or ([0] * len(counts), [])
        kept = [*places, *kept] if sign > 0 else [one for one in kept if one not in places]
        into[name] = [a + sign * b for a, b in zip(known, counts, strict=True)], kept[:PLACES]


def ranks_of(match: Match) -> list[int]:
    """Each seat's rank now, as an index of `RANKS`."""
    bots = dict(header_of(match).tags).get("bots")
    levels = [bot_spec(one).level for one in bots.split(",")] if bots else [0] * match.seat_count
    rated = Rating.objects.filter(edition=match.edition, provisional=False)
    known = {one.player_id: one for one in rated.filter(player__seats__match=match)}
    found = []
    for seat, simulated in zip(match.seats.in_order(), levels, strict=True):
        rating, level = known.get(seat.player_id), seat.level or simulated
        if seat.kind == "bot":
            found.append(level and _BOTS + level)
        else:
            found.append(0 if rating is None else 1 + (rating.mu >= NEW.mu))
    return found
