"""A class's season: its standings, and all its matches, over days that the address names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.archive.queries import rows_of
from games.models import Match
from games.pages.problems import must_be_there
from games.people.embargoes import with_embargoes
from games.people.names import in_order
from games.people.visit import Request, Visit
from replays.classes.members import present
from replays.classes.season import ORDERS, POINTS, matches_of, of_members, standings
from replays.models import ClassMember
from replays.notes.tagging import MOST_MATCHES
from replays.pages.classes.access import member_of
from replays.pages.notes.tags import as_lines, tags_in
from replays.pages.rendering import csv_download, page_of, private_page
from replays.pages.rows import MatchWords, words_of
from replays.pages.telling import rows_known
from replays.query_string import day, number_or_404

PAGE: Final = 12


class Shown(NamedTuple):
    """The members whose season is shown."""

    members: list[ClassMember]
    group: str
    pupil: ClassMember | None

    def of(self, matches: QuerySet[Match]) -> QuerySet[Match]:
        """Their matches."""
        if self.pupil:
            return of_members(matches, [self.pupil])
        return of_members(matches, self.members) if self.group else matches


@login_required
@require_safe
def season(request: Request, key: str) -> HttpResponse:
    """Standings and matches: `?since=&until=` days, a `group`, one `pupil`, ordered `by`."""
    shown, matches, context = _asked(request, key)
    page = number_or_404(request.GET, "page", 1) or 1
    rows, more = page_of(shown.of(matches), page, PAGE)
    by = request.GET.get("by", POINTS)
    by = by if by in ORDERS else POINTS
    context |= {
        "by": by,
        "standings": standings(shown.members, matches, by) if request.visit.shows_results else [],
        "matches": match_words(request.visit, rows),
        "page": page,
        "next_page": page + 1 if more else None,
    }
    return private_page(request, "classes/season", context)


@login_required
@require_safe
def class_tags(request: Request, key: str) -> HttpResponse:
    """The tags in the latest of these matches by player, as far as the visitor may read them."""
    shown, matches, context = _asked(request, key)
    context |= _tags(request, shown, matches)
    address = reverse("replays:class_tags_csv", args=[key])
    context["csv"] = f"{address}?{request.GET.urlencode()}"
    return private_page(request, "classes/tags", context)


@login_required
@require_safe
def class_tags_csv(request: Request, key: str) -> HttpResponse:
    """The same table as a file."""
    shown, matches, _context = _asked(request, key)
    return csv_download("tags.csv", *as_lines(_tags(request, shown, matches)["tags"]))


def _tags(request: Request, shown: Shown, matches: QuerySet[Match]) -> dict[str, Any]:
    latest = with_embargoes(shown.of(matches)).prefetch_related("seats")
    return tags_in(request.visit, list(latest[:MOST_MATCHES]))


def _asked(request: Request, key: str) -> tuple[Shown, QuerySet[Match], dict[str, Any]]:
    """The members and matches that the address asks for, and the fields that each page shows."""
    member = member_of(request.visit, key)
    people = present(member.school_class)
    shown = _shown(request, people)
    since, until = (day(request.GET, name) for name in ("since", "until"))
    context = {
        "school_class": member.school_class,
        "coach": member.role == ClassMember.Role.COACH,
        "member": member,
        "since": since,
        "until": until,
        "groups": groups_of(people),
        **shown._asdict(),
    }
    return shown, matches_of(key, since, until, request.visit.embargoed), context


def _shown(request: Request, people: Sequence[ClassMember]) -> Shown:
    group = request.GET.get("group", "")
    members = [one for one in people if not group or one.group == group]
    number = number_or_404(request.GET, "pupil")
    if number is None:
        return Shown(members, group, None)
    pupil = next((one for one in people if one.pk == number), None)
    return Shown(
        members, group, must_be_there(pupil, _("the class has no member with that number"))
    )


def groups_of(people: Iterable[ClassMember]) -> list[str]:
    """The names of the groups of these people, in order."""
    return sorted({one.group for one in people} - {""}, key=in_order)


def match_words(visit: Visit, matches: Iterable[Match]) -> list[MatchWords]:
    """Matches of a class in words, under the class's names. Four queries."""
    rows = rows_known(visit, rows_of([match.pk for match in matches]))
    return [words_of(row, spoilers=visit.shows_results) for row in rows]


def latest(visit: Visit, key: str, most: int) -> list[MatchWords]:
    """The class's latest matches."""
    return match_words(visit, matches_of(key, None, None, visit.embargoed)[:most])
