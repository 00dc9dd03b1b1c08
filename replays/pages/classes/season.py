"""A class's season: its standings, and all its matches, over days that the address names."""

from collections.abc import Iterable
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
from games.people.visit import Request, Visit
from replays.classes.members import groups_of, present
from replays.classes.season import ORDERS, POINTS, matches_of, of_members, standings
from replays.models import ClassMember
from replays.notes.tagging import MOST_MATCHES
from replays.pages.classes.access import member_of
from replays.pages.notes.tags import as_lines, tags_in
from replays.pages.rendering import csv_download, page_of, private_page
from replays.pages.rows import MatchWords, words_of
from replays.pages.telling import rows_known
from replays.query_string import day, number_or_404

PAGE: Final = 6


class Asked(NamedTuple):
    """The members and matches of an address, and the fields of its page."""

    people: list[ClassMember]
    all_matches: QuerySet[Match]
    matches: QuerySet[Match]
    """Those that the chosen people played."""
    context: dict[str, Any]


@login_required
@require_safe
def season(request: Request, key: str) -> HttpResponse:
    """Standings and matches: `?since=&until=` days, a `group`, one `pupil`, ordered `by`."""
    asked = _season_fields(request, key)
    page = number_or_404(request.GET, "page", 1) or 1
    rows, more = page_of(asked.matches, page, PAGE)
    by = request.GET.get("by", POINTS)
    by = by if by in ORDERS else POINTS
    table = standings(asked.people, asked.all_matches, by) if request.visit.shows_results else []
    context = {
        "by": by,
        "standings": table,
        "matches": match_words(request.visit, rows),
        "page": page,
        "next_page": page + 1 if more else None,
    }
    return private_page(request, "classes/season", asked.context | context)


@login_required
@require_safe
def class_tags(request: Request, key: str) -> HttpResponse:
    """The tags in the latest of these matches by player, as far as the visitor may read them."""
    asked = _season_fields(request, key)
    file = f"{reverse('replays:class_tags_csv', args=[key])}?{request.GET.urlencode()}"
    context = asked.context | _tags(request, asked) | {"csv": file}
    return private_page(request, "classes/tags", context)


@login_required
@require_safe
def class_tags_csv(request: Request, key: str) -> HttpResponse:
    """The same table as a file."""
    return csv_download("tags.csv", *as_lines(_tags(request, _season_fields(request, key))["tags"]))


def _season_fields(request: Request, key: str) -> Asked:
    member = member_of(request.visit, key)
    everyone, group = present(member.school_class, member), request.GET.get("group", "")
    people = [one for one in everyone if not group or one.group == group]
    pupil, number = None, number_or_404(request.GET, "pupil")
    if number is not None:
        pupil = next((one for one in everyone if one.pk == number), None)
        must_be_there(pupil, _("the class has no member with that number"))
    since, until = (day(request.GET, name) for name in ("since", "until"))
    coach = member.role == ClassMember.Role.COACH
    matches = matches_of(key, since, until, request.visit.embargoed, coach=coach)
    context = {
        "school_class": member.school_class,
        "coach": coach,
        "member": member,
        "since": since,
        "until": until,
        "groups": groups_of(everyone),
        "group": group,
        "pupil": pupil,
    }
    chosen = of_members(matches, [pupil] if pupil else people) if pupil or group else matches
    return Asked(people, matches, chosen, context)


def _tags(request: Request, asked: Asked) -> dict[str, Any]:
    latest = with_embargoes(asked.matches).prefetch_related("seats")
    return tags_in(request.visit, list(latest[:MOST_MATCHES]))


def match_words(visit: Visit, matches: Iterable[Match]) -> list[MatchWords]:
    """Matches of a class in words, under the class's names. Four queries."""
    rows = rows_known(visit, rows_of([match.pk for match in matches]))
    return [words_of(row, spoilers=visit.shows_results) for row in rows]


def latest_matches(visit: Visit, key: str, most: int, *, coach: bool) -> list[MatchWords]:
    """The class's latest matches."""
    return match_words(visit, matches_of(key, None, None, visit.embargoed, coach=coach)[:most])
