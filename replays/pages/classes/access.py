"""The class that a request names, the visitor's membership, and the result of a button."""

from collections.abc import Callable, Mapping

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from games.pages.problems import must_be_there
from games.pages.words import reason
from games.people.visit import Request, Visit
from replays.classes.limits import ClassError
from replays.classes.members import member_in
from replays.classes.membership import COACH
from replays.models import ClassMember


def member_of(visit: Visit, key: str) -> ClassMember:
    """This visitor's membership of a class. Raises Http404: others learn of no such class."""
    account = visit.visitor.account
    member = member_in(key, account) if account else None
    return must_be_there(member, _("there is no such class, or you are not in it"))


def coach_of(visit: Visit, key: str) -> ClassMember:
    """The same, of a coach. Raises Http404, PermissionDenied."""
    coach = member_of(visit, key)
    if coach.role != COACH:
        raise PermissionDenied(_("only the coaches of a class may do this"))
    return coach


def someone_in(coach: ClassMember, number: int) -> ClassMember:
    """Somebody in a coach's class. Raises Http404."""
    rows = ClassMember.objects.filter(school_class=coach.school_class, pk=number, left=None)
    member = rows.select_related("school_class", "user").first()
    return must_be_there(member, _("the class has no member with that number"))


def to_changes(key: str) -> HttpResponse:
    """Lead back to where a coach changes the class."""
    return redirect(f"{reverse('replays:school_class', args=[key])}?change=yes")


Works = Mapping[str, tuple[Callable[[], object], str]]
"""By the name of a button: its work, and the words for it on the next page."""


def do(request: Request, works: Works) -> bool:
    """Do what the pressed button says. Returns whether that was possible. Raises Http404."""
    asked = works.get(request.POST.get("do", ""))
    return done(request, *must_be_there(asked, _("there is no such action")))


def done(request: Request, work: Callable[[], object], said: str) -> bool:
    """Whether something could be done. Either way the next page says so."""
    try:
        work()
    except ClassError as error:
        messages.error(request, reason(error))
        return False
    messages.success(request, said)
    return True
