"""What a class does together: its club tables, its latest matches, and the reviews that go on."""

from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from games.pages.watching import wall_of
from games.pages.words import reason
from games.pages.words import together as joined
from games.people.visit import Request
from games.people.visitor import Visitor
from games.tables.lobby import TableSummary
from games.tables.plan import NOW
from replays.classes import club
from replays.classes.limits import MOST_MEMBERS, ClassError
from replays.classes.members import pupils_of
from replays.classes.membership import COACH
from replays.models import Review
from replays.pages.classes.access import coach_of, member_of
from replays.pages.classes.season import latest_matches
from replays.pages.rendering import private_page
from replays.pages.telling import named
from replays.query_string import numbers
from replays.reviews.admission import enterable, listed

LEVEL: Final = 3
"""Of the bots in seats that are left over."""
LISTED: Final = 10
LATEST: Final = 6
"""Matches below the tables that are being played."""


def together(key: str, visitor: Visitor) -> dict[str, Any]:
    """The tables of the class with that key, and its reviews that this visitor may enter.

    Each review has its name. Six queries.
    """
    going = Review.objects.filter(enterable(visitor), school_class=key, ended=False)
    reviews = listed(visitor, going.order_by("-changed")[:LISTED])
    return {"tables": club.tables_of(key), "reviews": named(reviews, [key])}


@require_POST
def seat_class(request: Request, key: str) -> HttpResponse:
    """Seat the pupils that are chosen at tables."""
    coach = coach_of(request.visit, key)
    size, group = request.POST.get("size", ""), request.POST.get("group", "")
    chosen = coach.school_class.pupils.filter(pk__in=numbers(request.POST, "pupil"))
    chosen = chosen.filter(group=group) if group else chosen
    try:
        seating = club.seat(
            coach.school_class,
            request.user,
            list(chosen.select_related("user")),
            int(size) if size.isdecimal() and len(size) == 1 else 0,
            bots=LEVEL if "bots" in request.POST else 0,
            speedy="speedy" in request.POST,
            network=request.visit.caller.network,
        )
    except ClassError as error:
        messages.error(request, reason(error))
        return redirect(f"{reverse('replays:class_wall', args=[key])}?seat=yes#club")
    messages.success(
        request,
        ngettext(
            "{count} table: everyone is invited.",
            "{count} tables: everyone is invited.",
            seating.tables,
        ).format(count=seating.tables),
    )
    if seating.elsewhere:
        names = ", ".join(seating.elsewhere)
        messages.info(
            request,
            _("Not seated again, since they already sit at a table: {names}.").format(names=names),
        )
    return redirect("replays:class_wall", key)


@require_POST
def change_tables(request: Request, key: str) -> HttpResponse:
    """Start the tables that wait for players, or close one's own."""
    coach = coach_of(request.visit, key)
    asked = request.POST.get("do", "start")
    if asked == "close":
        club.close(key, coach.user_id)
        messages.success(request, _("Your tables that had not begun are closed."))
    elif asked == "start" and club.lacking(key):
        return redirect(f"{reverse('replays:class_wall', args=[key])}?start=ask")
    else:
        started = club.start(key, LEVEL if asked == "bots" else 0)
        words = ngettext("{count} table started.", "{count} tables started.", started)
        messages.success(request, words.format(count=started))
    return redirect("replays:class_wall", key)


@login_required
@require_safe
def class_wall(request: Request, key: str) -> HttpResponse:
    """The tables of a class, live. Its script fetches it again and again.

    Those that have been told to begin are among them: their hosts do so a moment later.
    """
    member = member_of(request.visit, key)
    coach = member.role == COACH
    tables = club.tables_of(key)
    started = [table for table in tables if table.begun or table.plan.begins == NOW]
    context = {
        "school_class": member.school_class,
        "coach": coach,
        "waiting": [(table, _away_words(table)) for table in tables if table not in started],
        "asks": coach and "start" in request.GET,
        "seating": not tables or "seat" in request.GET,
        **wall_of(started, request.get_full_path(), MOST_MEMBERS),
        "matches": latest_matches(request.visit, key, LATEST, coach=coach),
    }
    if coach:
        pupils = pupils_of(member.school_class)
        context |= {"pupils": pupils, "present": club.present_of(pupils, key), "sizes": club.SIZES}
    return private_page(request, "classes/wall", context)


def _away_words(table: TableSummary) -> str:
    """The people who have not come to a table. Empty if all are there."""
    names = joined([table.plan.places[seat].name for seat in table.away])
    if len(table.away) == table.people > 1:
        return _("no one is here yet")
    return _("not here yet: {names}").format(names=names) if names else ""
