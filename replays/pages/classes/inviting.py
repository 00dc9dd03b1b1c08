"""Joining a class by its link, whose end is behind the #, so that no server logs it.

The browser's session keeps it until its visitor has logged in.
"""

from http import HTTPStatus
from typing import Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.pages.words import reason
from games.people.classes import INVITATION
from games.people.visit import Request
from replays.classes import members
from replays.classes.limits import ClassError
from replays.classes.membership import invited_to
from replays.models import SchoolClass
from replays.pages.rendering import private_page

MAX_INVITATION: Final = 64


def link_to(request: Request, school_class: SchoolClass) -> str:
    """The whole address that invites to a class."""
    address = request.build_absolute_uri(reverse("replays:join_class"))
    return f"{address}#{school_class.invitation}"


@require_http_methods(["GET", "HEAD", "POST"])
def join_class(request: Request) -> HttpResponse:
    """Where an invitation leads. The page's script posts the part after the #."""
    if request.method == "POST":
        invitation = request.POST.get("invitation", "").replace("\0", "").strip()
        request.session[INVITATION] = invitation.rpartition("#")[2][:MAX_INVITATION]
        return redirect("replays:join_class")
    return _invitation_page(request)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def enter_class(request: Request) -> HttpResponse:
    """Join the class of the invitation that was followed last."""
    if request.method != "POST":  # a refused name's page in another language
        return redirect("replays:join_class")
    school_class = invited_to(request.session.get(INVITATION, ""))
    if school_class is None:
        return _invitation_page(request)
    try:
        members.join(school_class, request.user, request.POST.get("name", ""))
    except ClassError as error:
        return _invitation_page(request, reason(error))
    del request.session[INVITATION]
    messages.success(request, _("You are in {name} now.").format(name=school_class.name))
    return redirect("replays:school_class", school_class.key)


def _invitation_page(request: Request, fault: str = "") -> HttpResponse:
    """The page of an invitation: its class, or a field for one that was not followed yet."""
    invitation = request.session.get(INVITATION, "")
    school_class = invited_to(invitation)
    already = school_class and members.member_in(school_class.key, request.visit.visitor.account)
    if school_class and already and not fault:
        return redirect("replays:school_class", school_class.key)
    context = {
        "school_class": school_class,
        "coaches": school_class
        and [member.name for member in members.present(school_class) if member.role == "coach"],
        "dead": bool(invitation) and school_class is None,
        "name": request.POST.get("name", request.visit.visitor.name),
        "fault": fault,
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if fault else HTTPStatus.OK
    status = HTTPStatus.NOT_FOUND if context["dead"] else status
    return private_page(request, "classes/join", context, status)
