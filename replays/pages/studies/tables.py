"""Pictures of the tables of chapters."""

from collections.abc import Collection
from typing import Final

from django.db.models import OuterRef, Q, Subquery
from django.urls import reverse

from games.models import Match
from games.people.visit import Visit
from replays.models import Chapter, Study
from replays.notes.missed_takes import OwnMissedTake

EVENTS_BEFORE: Final = 30
"""How many events before its stop the table of a question is shown until then."""


def first_pictures(studies: Collection[int], visit: Visit) -> dict[int, str]:
    """For each study, the address of a picture of its first position.

    One query. Only public positions are shown.
    """
    everyone = Q(match__visibility=Match.Visibility.PUBLIC, match__state=Match.State.FINISHED)
    chapters = Chapter.objects.filter(everyone, study=OuterRef("pk"), line=None)
    first = chapters.exclude(match__in=visit.embargoed).order_by("place").values("pk")[:1]
    firsts = Study.objects.filter(pk__in=studies).annotate(first=Subquery(first)).values("first")
    rows = Chapter.objects.filter(pk__in=firsts)
    return {row.study_id: table_before(row) if row.question else table_at(row) for row in rows}


def table_at(chapter: Chapter) -> str:
    """The address of a picture of the table at a chapter's position."""
    return "" if chapter.line_id else _table(chapter.match_id, chapter.round, chapter.event)


def table_before(chapter: Chapter) -> str:
    """The same well before a question, as spectators saw it."""
    if chapter.line_id:
        return ""
    return _before(chapter.match_id, chapter.round, chapter.event)


def before_take(take: OwnMissedTake) -> str:
    """The same for a missed take that is about to be asked."""
    return _before(take.match, take.span.round, take.span.event)


def _before(match: int, number: int, event: int) -> str:
    return f"{_table(match, number, max(0, event - EVENTS_BEFORE))}&pov=spectator"


def _table(match: int, number: int, event: int) -> str:
    address = reverse("replays:picture_svg", args=[match])
    return f"{address}?round={number}&event={event}"
