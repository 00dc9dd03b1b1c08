"""The counts of situations that a visitor may see, read from the totals.

The totals leave nothing out by themselves: what they include of matches that are public no
longer, are gone, or must be kept from this visitor until they have answered a question, is taken
off; what they lack, the visitor's private matches, is added. So nobody's counts tell of a match
that they may not see, and the cost depends on such matches, not on how many are public.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from typing import Final

from django.db.models import Q

from games.archive.own import seats_played_by
from games.models import Match
from games.people.embargoes import with_embargoes
from games.people.matches import access_of
from games.people.rights import rights
from games.people.visitor import Visitor
from replays.analysis.situations.reading import Cells
from replays.models import SituationTotals, StoredSituations
from replays.situations.counting import CURRENT, PUBLIC, merge, read

PRIVATE: Final = 200
"""How many of the visitor's latest private matches are added."""


def cells_seen(block: str, visitor: Visitor, embargoed: Collection[int]) -> dict[int, Cells]:
    """The cells of a block by group of matches."""
    totals = SituationTotals.objects.filter(version=CURRENT, block=block)
    found = defaultdict[int, Cells](dict, totals.values_list("group", "cells"))
    rows = StoredSituations.objects.filter(version=CURRENT)
    unlisted = Match.objects.filter(~PUBLIC).values("pk")
    gone = Q(match=None) | Q(match__in=embargoed)
    _change(found, block, rows.filter(gone, summed=True), -1)
    _change(found, block, rows.filter(match__in=unlisted, summed=True), -1, but=embargoed)
    _change(found, block, rows.filter(match__in=_private(visitor)), 1)
    return found


def _change(
    found: dict[int, Cells],
    block: str,
    rows: Iterable[StoredSituations],
    sign: int,
    but: Collection[int] = (),
) -> None:
    for row in rows:
        if row.match_id not in but:
            merge(found[row.group], read(row).get(block, {}), sign)


def _private(visitor: Visitor) -> list[int]:
    """The latest private matches that are over and that the visitor may see."""
    entered = Q(token__in=visitor.keys, school_class="") | Q(school_class__in=visitor.classes)
    mine = Q(pk__in=seats_played_by(visitor.persons).values("match"))
    wanted = Match.objects.filter(entered | mine, ~PUBLIC, state=Match.State.FINISHED)
    latest = with_embargoes(wanted).order_by("-pk")[:PRIVATE]
    return [match.pk for match in latest if rights(visitor, access_of(match)).see]


def places_of(cells: Iterable[Cells], names: Collection[str]) -> Iterator[list[int]]:
    """Where such situations were, the latest match first, each match once."""
    places = [at for of in cells for name, (_, kept) in of.items() if name in names for at in kept]
    last = {place[0]: place for place in sorted(places)}
    return iter(sorted(last.values(), reverse=True))
