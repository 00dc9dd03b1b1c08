"""The counts of situations that a visitor may see, read from the totals.

What the totals include of matches that are public no longer, are gone, or must be kept from this
visitor until they have answered a question, is taken off; what they lack, the visitor's private
matches, is added. So nobody's counts tell of a match that they may not see, and the cost depends
on such matches, not on how many are public.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
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
    """The cells of a top and height, by group of matches."""
    totals = SituationTotals.objects.filter(version=CURRENT, block=block)
    found = defaultdict[int, Cells](dict, totals.values_list("group", "cells"))
    rows, unlisted = StoredSituations.objects.filter(version=CURRENT), Match.objects.filter(~PUBLIC)
    gone = rows.filter(Q(match=None) | Q(match__in=embargoed), summed=True)
    hidden = rows.filter(match__in=unlisted.values("pk"), summed=True)
    for row in {row.pk: row for row in (*gone, *hidden)}.values():
        merge(found[row.group], read(row).get(block, {}), -1)
    for row in rows.filter(match__in=_private(visitor)):
        merge(found[row.group], read(row).get(block, {}))
    return found


def _private(visitor: Visitor) -> list[int]:
    """The latest private matches that are over and that the visitor may see."""
    entered = Q(token__in=visitor.keys) | Q(school_class__in=visitor.classes)
    mine = Q(pk__in=seats_played_by(visitor.persons).values("match"))
    wanted = Match.objects.filter(entered | mine, ~PUBLIC, state=Match.State.FINISHED)
    latest = with_embargoes(wanted).order_by("-pk")[:PRIVATE]
    return [match.pk for match in latest if rights(visitor, access_of(match)).see]
