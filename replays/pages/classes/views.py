"""Classes: the visitor's own, one of them, and its coaches' changes."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.pages.invitations import qr_of
from games.pages.problems import must_be_there
from games.pages.words import reason
from games.people import door
from games.people.following import follows
from games.people.visit import Request
from replays.classes import children, members
from replays.classes.limits import WEEK, ClassError, today
from replays.classes.membership import COACH
from replays.homework import giving
from replays.homework.progress import is_gone, progress_of, tallies_of
from replays.models import ClassMember, SchoolClass
from replays.pages.classes.access import (
    Works,
    coach_of,
    do,
    done,
    member_of,
    someone_in,
    to_changes,
)
from replays.pages.classes.club import together
from replays.pages.classes.inviting import link_to
from replays.pages.classes.tables import state_words
from replays.pages.rendering import private_page
from replays.query_string import numbers


@require_http_methods(["GET", "HEAD", "POST"])
def my_classes(request: Request) -> HttpResponse:
    """The visitor's classes, or what one is for. POST creates one."""
    account = request.visit.visitor.account
    if account is None:
        if request.method == "POST":
            return redirect_to_login(request.path)
        return private_page(request, "classes/my_classes", {})
    if request.method == "POST":
        return _create(request)
    context = {
        "classes": members.classes_of(account),
        "deleted": members.deleted_of(account),
    }
    return private_page(request, "classes/my_classes", context)


def _create(request: Request) -> HttpResponse:
    try:
        made = members.create(request.user, request.POST.get("name", ""))
    except ClassError as error:
        messages.error(request, reason(error))
        return redirect("replays:my_classes")
    return redirect("replays:school_class", made.key)


@login_required
@require_safe
def class_page(request: Request, key: str) -> HttpResponse:
    """A class: for its coaches to look after, for its pupils to see who is in it."""
    member = member_of(request.visit, key)
    school_class = member.school_class
    people = members.present(school_class, member)
    coach = member.role == COACH
    context = {
        "school_class": school_class,
        "member": member,
        "coach": coach,
        "follows": follows(member.user_id, None, key),
        "coaches": [person for person in people if person.role == COACH],
        "pupils": [person for person in people if person.role != COACH],
        "groups": members.groups_of(people),
        "changing": coach and bool(request.GET.get("change")),
        **together(key, request.visit.visitor),
    }
    context |= _coaching(request, school_class) if coach else _learning(member)
    return private_page(request, "classes/school_class", context)


@login_required
@require_safe
def class_together(request: Request, key: str) -> HttpResponse:
    """A class's activities now, alone: the class's page fetches them again and again."""
    member = member_of(request.visit, key)
    context = {
        "school_class": member.school_class,
        "coach": member.role == COACH,
        **together(key, request.visit.visitor),
    }
    return private_page(request, "classes/together", context)


def _coaching(request: Request, school_class: SchoolClass) -> dict[str, Any]:
    """What only coaches see: the homework, the earliest due first, and the invitation.

    Homework is listed until its day is over, and two weeks more while pupils have it to do.
    """
    day = today()
    due = list(giving.living_homework(school_class).filter(due__gte=day - 2 * WEEK).reverse())
    tallies = tallies_of(due)
    late = {row.pk for row in due if row.due < day}
    shown = [
        row for row in due if row.pk not in late or (tallies[row.pk].left and not is_gone(row))
    ]
    context: dict[str, Any] = {
        "children": children.children_of(school_class),
        "makes_accounts": door.may_make_accounts(request.user),
        "restorable": children.restorable(school_class),
        "homework": [(row, tallies[row.pk], row.pk in late) for row in shown],
    }
    if school_class.invitation:
        link = link_to(request, school_class)
        context |= {"invitation": link, "qr": qr_of(link)}
    return context


def _learning(member: ClassMember) -> dict[str, Any]:
    """A pupil's work in this class that is not over, or not done."""
    rows = progress_of(giving.assignments_of(member.user_id).filter(member=member))
    open_ = [row for row in rows if not row.finished or row.homework.due >= today()]
    return {"own": [(row, state_words(row)) for row in open_ if not row.gone]}


@require_POST
def change_class(request: Request, key: str) -> HttpResponse:
    """Change a class's name, link or groups, or delete it, by the pressed button."""
    coach = coach_of(request.visit, key)
    school_class, name = coach.school_class, request.POST.get("name", "")
    chosen = numbers(request.POST, "pupil")
    works: Works = {
        "rename": (
            lambda: members.rename(school_class, name, coach.user_id),
            _("The class has a new name."),
        ),
        "link": (
            lambda: members.invite(school_class),
            _("There is a new link. The old link no longer works."),
        ),
        "close": (
            lambda: members.invite(school_class, closed=True),
            _("No one can join any more. The old link no longer works."),
        ),
        "group": (
            lambda: members.put_in_group(school_class, chosen, name),
            _("The groups are changed."),
        ),
        "delete": (
            lambda: members.delete(school_class),
            _("{name} is deleted. You can restore it below.").format(name=school_class.name),
        ),
    }
    do(request, works)
    return redirect("replays:my_classes") if request.POST["do"] == "delete" else to_changes(key)


@require_POST
def change_member(request: Request, key: str, number: int) -> HttpResponse:
    """Rename, promote, demote or remove a member, by the pressed button."""
    coach = coach_of(request.visit, key)
    member = someone_in(coach, number)
    name = request.POST.get("name", "")
    works: Works = {
        "rename": (lambda: members.rename_member(member, name), _("Renamed.")),
        "promote": (
            lambda: members.promote(member),
            _("{name} is a coach now.").format(name=member.name),
        ),
        "demote": (
            lambda: members.demote(member),
            _("{name} is a pupil now.").format(name=member.name),
        ),
        "remove": (
            lambda: members.leave(member),
            _("{name} is not in the class any more.").format(name=member.name),
        ),
    }
    do(request, works)
    return (
        to_changes(key) if members.member_in(key, coach.user_id) else redirect("replays:my_classes")
    )


@require_http_methods(["GET", "HEAD", "POST"])
def leave_class(request: Request, key: str) -> HttpResponse:
    """Leave a class, which keeps a pupil's results."""
    member = member_of(request.visit, key)
    if request.method != "POST":
        context = {"school_class": member.school_class, "member": member}
        return private_page(request, "classes/leave", context)
    said = _("You have left {name}.").format(name=member.school_class.name)
    if done(request, lambda: members.leave(member), said):
        return redirect("replays:my_classes")
    return redirect("replays:school_class", key)


@login_required
@require_POST
def restore_class(request: Request, key: str) -> HttpResponse:
    rows = members.deleted_of(request.visit.visitor.account)
    school_class = next((row for row in rows if row.key == key), None)
    school_class = must_be_there(school_class, _("there is no such deleted class of yours"))
    members.restore(school_class)
    return redirect("replays:school_class", key)
