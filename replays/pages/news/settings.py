"""An account's notifications away from the site, set on the page of news."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from games.people import mail
from games.people.visit import Request
from replays.models import NewsSettings


class NewsForm(forms.ModelForm):
    class Meta:
        model = NewsSettings
        fields = ("mail",)

    def clean_mail(self) -> bool:
        """Mail goes to a confirmed address alone."""
        wanted: bool = self.cleaned_data["mail"]
        user = self.instance.user
        if wanted and not mail.confirmed(user.pk, user.email):
            raise forms.ValidationError(_("Confirm your email address first."))
        return wanted


def form_of(request: Request, said: Any = None) -> NewsForm | None:
    """The form as its account has it. None for a child's account, which has no email."""
    visitor = request.visit.visitor
    if visitor.supervised:
        return None
    user: Any = request.user
    there = NewsSettings.objects.filter(user=visitor.account).select_related("user").first()
    return NewsForm(said, instance=there or NewsSettings(user=user))


@login_required
@require_POST
def save(request: Request) -> HttpResponse:
    """Save them. The first mail comes on the next day, with the news since now."""
    form = form_of(request, request.POST)
    assert form is not None  # the door refuses a child's
    if form.is_valid():
        row = form.save(commit=False)
        if "mail" in form.changed_data:
            row.mailed_until = timezone.now()
            row.mailed_on = row.mailed_until.date()
        row.save()
        messages.success(request, _("Saved."))
    else:
        messages.error(request, " ".join(str(errors[0]) for errors in form.errors.values()))
    return redirect("replays:news")
