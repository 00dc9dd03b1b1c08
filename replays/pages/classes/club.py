"""A club evening: pupils are seated with one press, and their tables watched on one page."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from games.pages.watching import wall_of
from games.people.visit import Request
from replays.classes import club
from replays.classes.limits import ClassError
from replays.classes.members import COACH
from replays.pages.classes.asked import coach_of, member_of
from replays.pages.classes.together import together
from replays.pages.rendering import private_page
from replays.query_string import numbers

LEVEL = 3
"""Of the bots in seats that are left over."""


@require_POST
def seat_class(request: Request, key: str) -> HttpResponse:
    """Seat the pupils that are chosen at tables."""
    coach = coach_of(request.visit, key)
    asked, size = numbers(request.POST, "pupil"), request.POST.get("size", "")
    try:
        count = club.seat(
            coach.school_class,
            request.user,
            list(coach.school_class.pupils.filter(pk__in=asked).select_related("user")),
            int(size) if size.isdecimal() and len(size) == 1 else 0,
            bots=LEVEL if "bots" in request.POST else 0,
            speedy="speedy" in request.POST,
            network=request.visit.caller.network,
        )
    except ClassError as error:
        messages.error(request, str(error))
        return redirect("replays:school_class", key)
    messages.success(request, f"{count} table{'' if count == 1 else 's'}: everybody is invited.")
    return redirect("replays:class_wall", key)


@login_required
@require_safe
def class_wall(request: Request, key: str) -> HttpResponse:
    """The tables of a class, live; its script fetches it again and again."""
    member = member_of(request.visit, key)
    tables = club.tables_of(key)
    begun = [table for table in tables if table.begun]
    context = {
        "school_class": member.school_class,
        "coach": member.role == COACH,
        "waiting": [table for table in tables if not table.begun],
        **wall_of(begun, reverse("replays:class_wall", args=[key]), len(begun) + 1),
        "matches": together(key, request.visit.visitor)["matches"],
    }
    return private_page(request, "classes/wall", context)
