"""Children's accounts: making them, their codes on paper, handing them over, deleting them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from games.pages.accounts.views import end_account
from games.people import changes
from games.people.visit import Request
from replays.classes import children
from replays.classes.children import Card
from replays.classes.limits import ClassError
from replays.models import SchoolClass
from replays.pages.classes.asked import coach_of, someone_in
from replays.pages.rendering import private_page

MOST: Final = 20_000
"""Characters of a list of names."""


@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def new_children(request: Request, key: str) -> HttpResponse:
    """Make accounts for a list of names, and show their codes, once."""
    school_class = coach_of(request.visit, key).school_class
    names = request.POST.get("names", "")[:MOST]
    fault = ""
    if request.method == "POST":
        try:
            return _cards(request, school_class, children.make(school_class, _listed(names)))
        except ClassError as error:
            fault = str(error)
    context = {"school_class": school_class, "names": names, "fault": fault}
    return private_page(request, "classes/new_children", context, 422 if fault else 200)


def _listed(names: str) -> list[str]:
    return [line for line in names.splitlines() if line.strip()]


def _cards(request: Request, school_class: SchoolClass, cards: Sequence[Card]) -> HttpResponse:
    """What each child is given on paper."""
    address = request.build_absolute_uri(reverse("accounts:log_in"))
    context = {"school_class": school_class, "cards": cards, "address": address}
    return private_page(request, "classes/cards", context)


@require_POST
def change_child(request: Request, key: str, number: int) -> HttpResponse:
    """Reset the code of a child's account, hand the account over, or delete it."""
    child = someone_in(coach_of(request.visit, key), number)
    asked = request.POST.get("do", "")
    if asked not in ("reset", "hand over", "delete"):
        raise Http404("there is no such action")
    try:
        if asked == "reset":
            return _cards(request, child.school_class, [children.reset(child)])
        children.verify_child(child)
    except ClassError as error:
        messages.error(request, str(error))
        return redirect("replays:school_class", key)
    if asked == "delete":
        end_account(child.user)
        changes.changed(changes.of_class(key))
        messages.success(request, f"The account of {child.name} is deleted.")
    else:
        children.hand_over(child)
        messages.success(request, f"{child.name} has an ordinary account now.")
    return redirect("replays:school_class", key)
