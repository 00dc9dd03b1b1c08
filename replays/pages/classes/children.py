"""Children's accounts: making them, their codes on paper, giving them away, deleting them.

Codes are shown on a page of their own, which their maker closes once they are printed.
"""

from collections.abc import Sequence
from typing import Final, cast

from django.contrib import messages
from django.contrib.auth.base_user import AbstractBaseUser
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from games.pages import shown_once
from games.pages.accounts.forms import PasswordAgain
from games.pages.accounts.views import end_account
from games.pages.problems import must_be_there
from games.pages.words import reason
from games.people import door
from games.people.each import for_each
from games.people.visit import Request
from replays.classes import children
from replays.classes.children import Card
from replays.classes.limits import ClassError
from replays.models import SchoolClass
from replays.pages.classes.access import Works, coach_of, do, done, someone_in, to_changes
from replays.pages.rendering import private_page

MAX_NAMES: Final = 20_000
"""Characters of a list of names."""


@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def new_children(request: Request, key: str) -> HttpResponse:
    """Make accounts for a list of names, and show their codes."""
    school_class = coach_of(request.visit, key).school_class
    _verify_may_make(request)
    names = request.POST.get("names", "")[:MAX_NAMES]
    fault = ""
    if request.method == "POST":
        try:
            listed = [line for line in names.splitlines() if line.strip()]
            return _to_cards(request, school_class, children.make(school_class, listed))
        except ClassError as error:
            fault = reason(error)
    context = {"school_class": school_class, "names": names, "fault": fault}
    return private_page(request, "classes/new_children", context, 422 if fault else 200)


def _verify_may_make(request: Request) -> None:
    """Raise TurnedAwayError where the owner lets no one else make accounts."""
    if not door.may_make_accounts(request.user):
        raise door.TurnedAwayError(
            _("This site takes no new accounts. Its owner can permit you to invite people.")
        )


def _to_cards(request: Request, school_class: SchoolClass, cards: Sequence[Card]) -> HttpResponse:
    """Lead to the page of these codes."""
    address = reverse("replays:codes", args=[school_class.key])
    shown_once.put(request.session, address, cards)
    return redirect(address)


@require_http_methods(["GET", "HEAD", "POST"])
def codes(request: Request, key: str) -> HttpResponse:
    """The card for each child, for printing, until it is closed by POST."""
    school_class = coach_of(request.visit, key).school_class
    if request.method == "POST":
        shown_once.close(request.session)
        return redirect("replays:school_class", key)
    cards = shown_once.look(request.session, request.path)
    if cards is None:
        messages.info(request, _("These codes are closed. A lost code can be replaced."))
        return redirect("replays:school_class", key)
    context = {
        "school_class": school_class,
        "cards": [Card(*card) for card in cards],
        "address": request.build_absolute_uri(reverse("accounts:log_in")),
    }
    return private_page(request, "classes/cards", context)


@sensitive_post_parameters()
@require_POST
def new_codes(request: Request, key: str) -> HttpResponse:
    """New codes for all children of a class."""
    school_class = coach_of(request.visit, key).school_class
    if not _password_again(request):
        return to_changes(key)
    return _to_cards(request, school_class, children.reset_all(school_class))


def _password_again(request: Request) -> bool:
    """Whether the coach has typed their password: others' accounts need more than an open page."""
    form = PasswordAgain(cast("AbstractBaseUser", request.user), request.POST)
    if not form.is_valid():
        messages.error(request, _("That is not your password. Nothing was changed."))
    return form.is_valid()


@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def change_child(request: Request, key: str, number: int) -> HttpResponse:
    """Reset the code of a child's account, give the account to its owner, delete or restore it.

    The page explains it. Nothing happens before its button is pressed.
    """
    coach = coach_of(request.visit, key)
    if request.POST.get("do") == "restore":
        return _restore(request, coach.school_class, number)
    child = someone_in(coach, number)
    try:
        children.verify_child(child)
    except ClassError as error:
        messages.error(request, reason(error))
        return to_changes(key)
    if request.method != "POST":
        context = {
            "school_class": child.school_class,
            "child": child,
            "goes": children.goes_with(child),
            "days": children.KEPT.days,
            "makes_accounts": door.may_make_accounts(request.user),
        }
        return private_page(request, "classes/child", context)
    asked = request.POST.get("do", "")
    if asked == "reset":
        if not _password_again(request):
            return redirect("replays:change_child", key, number)
        return _to_cards(request, child.school_class, [children.reset(child)])
    if asked == "give":
        _verify_may_make(request)
    deleted = _("The account of {name} is deleted. You can restore it.")
    given = _("{name} has an ordinary account now. You can undo this.")
    works: Works = {
        "delete": (lambda: children.delete(child), deleted.format(name=child.name)),
        "give": (lambda: children.hand_over(child), given.format(name=child.name)),
    }
    do(request, works)
    return to_changes(key)


def _restore(request: Request, school_class: SchoolClass, number: int) -> HttpResponse:
    child = children.restorable(school_class).filter(pk=number).first()
    child = must_be_there(child, _("there is no such account to restore"))
    if child.deleted or _password_again(request):
        done(
            request,
            lambda: children.restore(child, request.user),
            _("The account of {name} is back.").format(name=child.name),
        )
    return to_changes(school_class.key)


def forget_deleted() -> None:
    """Delete for good the children's accounts that can no longer be restored."""
    for_each(children.to_forget(), lambda child: end_account(child.user), "deleting an account")
