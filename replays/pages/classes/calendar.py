"""A pupil's homework as a feed for calendars, opened by a link of its own."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import add_never_cache_headers
from django.views.decorators.http import require_POST, require_safe

from games.pages.problems import must_be_there
from games.people.visit import Request
from replays.classes import calendar, homework
from replays.classes.progress import Progress, progress_of


@login_required
@require_POST
def new_calendar(request: Request) -> HttpResponse:
    """Make the link of one's calendar, or a new one."""
    account = request.visit.visitor.account
    assert account is not None
    calendar.open_anew(account)
    messages.success(request, "Here is the link. Subscribe to it in your calendar.")
    return redirect("replays:my_classes")


@require_safe
def homework_calendar(request: HttpRequest, token: str) -> HttpResponse:
    """All homework of the account whose calendar this link opens."""
    account = must_be_there(calendar.opened_by(token), "there is no such calendar")
    rows = progress_of(homework.assignments_of(account))
    entries = [_entry(request, row) for row in rows if row.finished or not row.gone]
    text = calendar.calendar(entries, request.get_host(), timezone.now())
    response = HttpResponse(text, content_type="text/calendar; charset=utf-8")
    add_never_cache_headers(response)
    return response


def _entry(request: HttpRequest, row: Progress) -> calendar.Entry:
    piece = row.homework
    page = reverse("replays:homework", args=[piece.school_class.key, piece.key])
    return calendar.Entry(piece, row.finished is not None, request.build_absolute_uri(page))
