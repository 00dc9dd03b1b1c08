"""Pages that send mail: confirming an address, resetting a password."""

from http import HTTPStatus
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth import get_user_model
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import PasswordResetForm
from django.core.mail import EmailMessage
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, override
from django.views.decorators.http import require_http_methods

from games.pages.accounts.forms import PasswordAgain
from games.people import door, languages, mail


class AddressForm(PasswordAgain, forms.ModelForm):
    """The address for password resets: a person who changes it could take the account."""

    class Meta:
        model = get_user_model()
        fields = ("email",)
        labels = {"email": gettext_lazy("Email address")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(kwargs["instance"], *args, **kwargs)
        self.fields["email"].widget.attrs["autocomplete"] = "email"
        self.order_fields(["email", "password"])


class ResetForm(PasswordResetForm):
    """A link to reset the password, to a confirmed address, at most once an hour."""

    def get_users(self, email: str) -> Any:
        """The accounts that may receive mail at that address."""
        return [user for user in super().get_users(email) if mail.confirmed(user.pk, user.email)]

    def send_mail(  # type: ignore[override]
        self, subject: str, body: str, context: Any, *to: Any, **_html: Any
    ) -> None:
        """Send it outside the request. `subject` and `body` are templates, `to`: from and to."""
        sender, address = to
        if mail.may_send(mail.RESET, address):
            context["site"] = door.known().name
            with override(languages.of_account(context["user"].pk)):
                words = render_to_string(subject, context).strip()
                mail.send(EmailMessage(words, render_to_string(body, context), sender, [address]))


def ask_to_confirm(request: HttpRequest, user: AbstractBaseUser) -> bool:
    """Send the link that confirms an account's address, unless one was sent within the hour."""
    address = getattr(user, "email", "")
    if not address or not mail.may_send(mail.CONFIRM, address):
        return False
    path = reverse("accounts:confirm", args=[mail.token_for(user.pk, address)])
    link = request.build_absolute_uri(path)
    context = {"name": user.get_username(), "link": link, "site": door.known().name}
    with override(languages.of_account(user.pk)):
        subject = render_to_string("registration/confirm_subject.txt", context).strip()
        body = render_to_string("registration/confirm_email.txt", context)
    mail.send(EmailMessage(subject, body, None, [address]))
    return True


def _tell_former(user: AbstractBaseUser, former: str) -> None:
    """Tell an address that it has been changed, if it was confirmed."""
    if mail.confirmed(user.pk, former) and mail.may_send(mail.CHANGED, former):
        context = {"name": user.get_username(), "site": door.known().name}
        with override(languages.of_account(user.pk)):
            subject = render_to_string("registration/changed_subject.txt", context).strip()
            body = render_to_string("registration/changed_email.txt", context)
        mail.send(EmailMessage(subject, body, None, [former]))


@login_required
@require_http_methods(["GET", "POST"])
def address(request: HttpRequest) -> HttpResponse:
    """The account's mail address: change it, or have the link sent again."""
    user = get_user_model().objects.get(pk=request.user.pk or 0)
    form = AddressForm(request.POST or None, instance=user)
    before = user.email
    if request.method == "POST" and form.is_valid():
        user = form.save()
        if before != user.email:
            _tell_former(user, before)
        if not user.email:
            messages.success(request, _("Your email address has been removed."))
        elif mail.confirmed(user.pk, user.email):
            messages.success(
                request, _("{address} is already confirmed.").format(address=user.email)
            )
        elif ask_to_confirm(request, user):
            words = _("Check your email: a link is on its way to {address}.")
            messages.success(request, words.format(address=user.email))
        else:
            words = _("A link was sent there within the last hour. Try again later.")
            messages.error(request, words)
        return redirect("accounts:profile")
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.errors else HTTPStatus.OK
    return render(request, "registration/address.html", {"form": form}, status=status)


@require_http_methods(["GET", "POST"])
def confirm(request: HttpRequest, token: str) -> HttpResponse:
    """Where the mailed link leads. Confirming takes a button, so that mail scanners cannot."""
    asked = mail.asked_by(token)
    if asked is None:
        return render(request, "registration/confirm_gone.html", status=HTTPStatus.NOT_FOUND)
    if request.method == "POST":
        mail.confirm(*asked)
        messages.success(request, _("{address} has been confirmed.").format(address=asked[1]))
        return redirect("accounts:profile")
    return render(request, "registration/confirm.html", {"address": asked[1]})
