"""A pupil's page over weeks: for that pupil, and for the coaches of the class.

What comes from outside the class is what the one who looks may see anyway: notes and tags that are
shared with them, and figures of public matches.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from django.contrib.auth.decorators import login_required
from django.db.models import Q
from django.http import Http404, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from games.models import Match, Seat
from games.people.person import account
from games.people.visit import Request, Visit
from replays.annotations.access import readable_notes
from replays.annotations.tagging import MOST_MATCHES, matrix
from replays.classes.homework import assignments_in, homework_of
from replays.classes.members import COACH
from replays.classes.progress import progress_of
from replays.classes.weeks import Moved, moved, weeks_of
from replays.models import ClassMember, Note
from replays.pages.classes.asked import member_of
from replays.pages.classes.tables import row_of
from replays.pages.priorities import Priorities, shown_priorities
from replays.pages.rendering import private_page
from replays.players.queries import LATEST, hosted_of, priced_of

MOST_NOTES: Final = 30
_CHANGES: Final = {1: "clearly higher", 0: "no clear change", -1: "clearly lower"}


@login_required
@require_safe
def pupil(request: Request, key: str, number: int) -> HttpResponse:
    """A pupil: their homework, weeks, figures, tags and notes."""
    member = member_of(request.visit, key)
    shown = _shown_to(member, number)
    given = homework_of(member.school_class).filter(deleted=None)
    rows = progress_of(assignments_in(given).filter(member=shown).order_by("-homework__due"))
    played = [] if shown.left else hosted_of(shown.user_id)[:LATEST]
    context = {
        "school_class": member.school_class,
        "member": member,
        "shown": shown,
        "rows": [row_of(row) for row in rows],
        "weeks": weeks_of(rows, (one.started_at for one in played)),
        "figures": [_figure(one) for one in moved([one.entry for one in reversed(played)])],
        "matches": len(played),
        "priorities": None if shown.left else _priorities(shown),
        "own": shown == member,
        "tags": [] if shown.left else _tags(request.visit, shown),
        "notes": [] if shown.left else _notes(request.visit, shown),
    }
    return private_page(request, "classes/pupil", context)


def _shown_to(member: ClassMember, number: int) -> ClassMember:
    """The pupil of that number, for a coach of theirs or themselves. Raises Http404."""
    rows = member.school_class.members.filter(pk=number, role=ClassMember.Role.PUPIL)
    found = rows.select_related("user").first()
    if found is None or (member.role != COACH and found != member):
        raise Http404("there is no such pupil, or their page is not for you")
    return found


def _priorities(shown: ClassMember) -> Priorities | None:
    """What costs a pupil most in their public matches, and whether it moved."""
    if shown.user_id is None:
        return None
    played = priced_of(Seat.objects.filter(user=shown.user_id))
    return shown_priorities(played, persons=[account(shown.user_id)])


def _figure(one: Moved) -> dict[str, Any]:
    figure = one.figure
    return {
        "title": figure.title,
        "first": (figure.value(one.first), figure.interval(one.first)),
        "last": (figure.value(one.last), figure.interval(one.last)),
        "change": _CHANGES[one.change],
        "moved": one.change != 0,
    }


def _tags(visit: Visit, shown: ClassMember) -> list[tuple[str, int]]:
    """How often each tag was given to a pupil in their latest matches, the most frequent first."""
    own = Match.objects.filter(seats__user=shown.user_id, origin=Match.Origin.HOSTED)
    latest = list(own.order_by("-started_at", "-pk").distinct()[:MOST_MATCHES])
    seen = visit.reviewed(latest)
    matches = [one for one in latest if one.pk in seen]
    names = set(
        Match.objects.filter(pk__in=seen, seats__user=shown.user_id).values_list(
            "seats__player__name", flat=True
        )
    )
    counts = Counter[str]()
    for (tag, player), notes in matrix(matches, visit.reader).cells.items():
        if player in names:
            counts[tag] += len(notes)
    return counts.most_common()


def _notes(visit: Visit, shown: ClassMember) -> list[tuple[Note, str]]:
    """The latest notes for a pupil, or that mention them, as far as the visitor may read them."""
    to_them = Q(readers=shown.user_id, visibility=Note.Visibility.PEOPLE) | Q(
        mentions=shown.user_id
    )
    rows = Note.objects.filter(readable_notes(visit.reader), to_them, deleted=None)
    latest = rows.select_related("match", "study").distinct().order_by("-created", "-pk")
    found = list(latest[:MOST_NOTES])
    seen = visit.reviewed(note.match for note in found)
    return [(note, _place(note)) for note in found if note.match_id in seen]


def _place(note: Note) -> str:
    """Where a note stands."""
    return f"{reverse('replays:replay', args=[note.match_id])}#note={note.key}"
