"""Account pages: sign up, profile, claim a guest's matches, delete."""

from contextlib import suppress
from datetime import timedelta
from http import HTTPStatus
from typing import Any, Final, cast
from unicodedata import normalize

from django.contrib import messages
from django.contrib.auth import get_user_model, login, logout
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.contrib.auth.views import (
    LoginView,
    LogoutView,
    PasswordChangeView,
    PasswordResetConfirmView,
)
from django.contrib.messages.views import SuccessMessageMixin
from django.db import IntegrityError, transaction
from django.db.models import F
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse, reverse_lazy
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST
from django.views.i18n import set_language
from ninja import Router
from typing_extensions import TypedDict

from games.archive.players import players_with_pages
from games.models import SignUpInvitation
from games.pages.accounts.forms import SPENT, LogInForm, PasswordAgain, RenameForm, SignUpForm
from games.pages.accounts.mail import ask_to_confirm
from games.pages.forms import NameForm
from games.pages.operations import RequestBody
from games.pages.problems import Refused
from games.people import classes, door, languages, log_ins, passwords, tokens
from games.people.accounts import keep_former_name, supervised
from games.people.keepers import keepers
from games.people.mail import confirmed
from games.people.person import account
from games.people.visit import Request
from games.tables import claiming, joining

router: Final = Router(tags=["people"])

TWICE: Final = timedelta(minutes=1)
"""How long a form that makes an account may be sent again."""
BACKEND = "django.contrib.auth.backends.ModelBackend"


class LogIn(LoginView):
    """The form to log in. A child comes to its class, where its homework is."""

    authentication_form = LogInForm
    redirect_authenticated_user = True

    def get_default_redirect_url(self) -> str:
        user = self.request.user.pk or 0
        mine = classes.classes_of(user) if supervised(user) else {}
        here = [reverse("replays:school_class", args=[key]) for key in mine]
        return here[0] if here else super().get_default_redirect_url()


@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
def sign_up(request: Request) -> HttpResponse:
    """Create an account and log in. The guest's work is included."""
    if request.user.is_authenticated:
        return redirect("accounts:profile")
    invited = not door.site().by_invitation or classes.invites(request.session)
    code = request.GET.get("invitation", "")
    form = SignUpForm(request.POST or None, invited=invited, initial={"invitation": code})
    if request.method == "POST" and (user := _create_account(form)):
        claimed = claiming.claim(user, request.session)
        login(request, user, backend=BACKEND)
        languages.choose(user.pk, get_language() or door.site().language)
        messages.success(request, _welcome(user.get_username(), claimed))
        if ask_to_confirm(request, user):
            messages.info(
                request, _("Check your email to confirm {address}.").format(address=user.email)
            )
        return onwards(request)
    return render(request, "registration/sign_up.html", {"form": form})


def _create_account(form: SignUpForm) -> User | None:
    """The new account, or the one that the same form, sent twice, has just made."""
    with suppress(IntegrityError), transaction.atomic():
        if form.is_valid():
            made = cast(User, form.save())
            code = form.cleaned_data.get("invitation")
            if code is None or SignUpInvitation.valid(code).update(used=F("used") + 1):
                return made
            transaction.set_rollback(True)  # another sign-up has just used it
            form.add_error("invitation", SPENT)
            return None
    just_now = get_user_model().objects.filter(date_joined__gte=timezone.now() - TWICE)
    name = normalize("NFKC", form.data.get("username", "").replace("\0", "")).strip()
    user = just_now.filter(username=name).first()
    if user and user.check_password(form.data.get("password1", "")):
        return user
    if form.is_valid():
        form.add_error("username", _("That name has just been taken. Choose another name."))
    return None


def onwards(request: Request) -> HttpResponse:
    """To the page of this site that the visitor wanted to see, else to their account.

    Somebody who came by a class's link wants to be in the class.
    """
    wanted = request.GET.get("next", "")
    hosts, https = {request.get_host()}, request.is_secure()
    if url_has_allowed_host_and_scheme(wanted, hosts, require_https=https):
        return HttpResponseRedirect(wanted)
    if classes.invites(request.session):
        return redirect("replays:join_class")
    return redirect("accounts:profile")


def _welcome(name: str, claimed: list[str]) -> str:
    welcome = _("Welcome, {name}.").format(name=name)
    return f"{welcome} {_added(claimed)}" if claimed else welcome


def _added(claimed: list[str]) -> str:
    if not claimed:
        return _("Added to your account: nothing.")
    return _("Added to your account: {things}.").format(things=", ".join(claimed))


def _logged_in(request: Request) -> AbstractBaseUser:
    """The user, who exists thanks to `login_required`."""
    return cast(AbstractBaseUser, request.user)


@login_required
def profile(request: Request) -> HttpResponse:
    context = {
        "code": passwords.is_code(request.user),
        "address_confirmed": confirmed(request.user.pk or 0, getattr(request.user, "email", "")),
        "claimable": ", ".join(claiming.claimable(request.session)),
        "has_played": players_with_pages().filter(name=_logged_in(request).get_username()).exists(),
    }
    return render(request, "registration/profile.html", context)


@login_required
@require_POST
def claim(request: Request) -> HttpResponse:
    """Claim what this browser's guest has played and written."""
    messages.success(request, _added(claiming.claim(_logged_in(request), request.session)))
    return redirect("accounts:profile")


@login_required
@require_http_methods(["GET", "POST"])
def rename(request: Request) -> HttpResponse:
    """Change the account's name. Matches already played keep the old one."""
    account_now = get_user_model().objects.get(pk=_logged_in(request).pk)
    form = RenameForm(request.POST or None, instance=account_now)
    if request.method == "POST" and form.is_valid():
        old = _logged_in(request).get_username()
        keep_former_name(account_now.pk, old)
        user = form.save()
        log_ins.forget_attempts(old)
        messages.success(
            request,
            _(
                "You are now {name}. "
                "Matches already played and tables already joined keep your old name."
            ).format(name=user.get_username()),
        )
        return redirect("accounts:profile")
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.errors else HTTPStatus.OK
    return render(request, "registration/name.html", {"form": form}, status=status)


class PasswordChange(SuccessMessageMixin, PasswordChangeView):
    """Django's own password change, confirmed on the account page."""

    success_url = reverse_lazy("accounts:profile")
    success_message = gettext_lazy(
        "Your password is changed. Other browsers are logged out, tokens revoked."
    )

    def form_valid(self, form: Any) -> HttpResponse:
        """Django has invalidated all other sessions, and given this one a new key."""
        response = super().form_valid(form)
        log_ins.end(self.request.user, self.request.session.session_key)
        agent = self.request.headers.get("User-Agent", "")
        log_ins.note(self.request.session, agent, self.request.user)
        return response


class PasswordReset(PasswordResetConfirmView):
    """A new password by a mailed link. Ends all log-ins with the old one."""

    success_url = reverse_lazy("accounts:log_in")

    def form_valid(self, form: Any) -> HttpResponse:
        """Forget the sessions that this ends."""
        response = super().form_valid(form)
        log_ins.end(self.user)
        return response


@login_required
@require_http_methods(["GET", "POST"])
def browsers(request: Request) -> HttpResponse:
    """Where the account is logged in. POST: log out everywhere else, and perhaps end its tokens."""
    user, here = _logged_in(request), request.session.session_key
    if request.method == "POST":
        log_ins.end(user, here)
        if "tokens" in request.POST:
            tokens.revoke(user)
        messages.success(request, _("All other browsers are logged out."))
        return redirect("accounts:browsers")
    rows = [(row, row.session == here) for row in log_ins.of(user)]
    context = {"rows": rows, "tokens": tokens.of(user).count()}
    return render(request, "registration/browsers.html", context)


class LogOut(LogoutView):
    """Django's own, after which this browser has no page of the person left.

    Its storage stays: there may be words that were not sent yet. A script removes the rest.
    """

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Log out. The browser's cache is cleared."""
        response = super().post(request, *args, **kwargs)
        response["Clear-Site-Data"] = '"cache"'
        return response


@csrf_exempt  # the foot of every page has this form, and most pages can be cached without a token
@require_POST
def language(request: Request) -> HttpResponseBase:
    """Change the language of this browser, and of the account."""
    code = request.POST.get("language", "")
    if request.user.is_authenticated and languages.known(code):
        languages.choose(request.user.pk, code)
    return set_language(request)


@sensitive_post_parameters()
@login_required
@require_http_methods(["GET", "POST"])
def delete(request: Request) -> HttpResponse:
    """Delete the account and its work. Its matches stay, under the name they were played."""
    user = _logged_in(request)
    form = PasswordAgain(user, request.POST or None)
    needing = [name for keeper in keepers() for name in keeper.needing(account(user.pk))]
    if request.method == "POST" and form.is_valid() and not needing:
        logout(request)
        end_account(user)
        messages.success(request, _("Your account has been deleted."))
        return redirect("games:home")
    return render(request, "registration/delete.html", {"form": form, "needing": needing})


def end_account(user: AbstractBaseUser) -> None:
    """Delete an account and its work. Its matches stay, under the name they were played."""
    joining.stand_up_everywhere(account(user.pk))
    keep_former_name(user.pk, user.get_username())
    user.delete()


class NewName(RequestBody):
    """A guest's name. Empty: the one they have, or any."""

    name: str = ""


class Named(TypedDict):
    """The visitor's new name."""

    name: str


@router.put("/name", url_name="name", response=Named)
def introduce(request: Request, asked: NewName) -> Named:
    """Let a guest choose a name without sitting down, or get one. Accounts already have one."""
    if request.user.is_authenticated or not asked.name.strip():
        return {"name": request.visit.player()[1]}
    form = NameForm({"name": asked.name})
    if not form.is_valid():
        words = str(form.errors["name"][0])
        raise Refused(words, HTTPStatus.UNPROCESSABLE_ENTITY, field="name")
    request.visit.rename_guest(form.cleaned_data["name"])
    return {"name": form.cleaned_data["name"]}
