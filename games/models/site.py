"""The owner's settings in the admin: the visitors admitted, and the site's name."""

from __future__ import annotations

from datetime import datetime, timedelta
from secrets import token_urlsafe
from typing import Any

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

INVITED_FOR = timedelta(days=30)


def new_code() -> str:
    """An invitation's code, which can't be guessed."""
    return token_urlsafe(9)


def in_a_month() -> datetime:
    return timezone.now() + INVITED_FOR


def offered_languages() -> list[tuple[str, str]]:
    return settings.LANGUAGES


class SiteSettings(models.Model):
    """One row. All processes follow it within seconds (`games.people.door`)."""

    class SignUp(models.TextChoices):
        OPEN = "open", _("open to everyone")
        INVITATION = "invitation", _("by invitation")
        CLOSED = "closed", _("closed")

    class Watching(models.TextChoices):
        EVERYONE = "everyone", _("everyone")
        MEMBERS = "members", _("members only")

    id = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    name = models.CharField(
        max_length=40,
        default="Ratuki",
        help_text=_("Shown in the header, in page titles and in mails. No one may play under it."),
    )
    notice = models.TextField(
        max_length=1_000,
        blank=True,
        help_text=_("Shown on the home page, for example when your club meets. Empty: none."),
    )
    contact = models.CharField(
        max_length=200,
        blank=True,
        help_text=_(
            "An email or web address for visitors. It is shown at the foot of every page, "
            "and where a visitor may not go on."
        ),
    )
    language = models.CharField(
        max_length=12,
        choices=offered_languages,
        default=settings.LANGUAGE_CODE,
        db_default=settings.LANGUAGE_CODE,
        help_text=_("Of mails to accounts that have not chosen a language."),
    )
    sign_up = models.CharField(
        max_length=10,
        choices=SignUp,
        default=SignUp.OPEN,
        help_text=_(
            "Who may make an account. “By invitation”: those who have an invitation that you "
            "made here, and those who followed a class’s link. “Closed”: no one makes one alone. "
            "Accounts that may add invitations still make children’s accounts in their classes, "
            "and you can add accounts here."
        ),
    )
    watching = models.CharField(
        max_length=8,
        choices=Watching,
        default=Watching.EVERYONE,
        help_text=_(
            "Who sees matches, replays, players, studies and everything else. “Members” have "
            "an account. Other visitors see the home page, the rules and the forms to log in and "
            "sign up. The API and embedded matches follow it too."
        ),
    )
    guests = models.BooleanField(
        _("guests may play"),
        default=True,
        help_text=_(
            "Whether visitors without an account may play and write. If watching is for "
            "members, guests still see nothing but the tables where they play. Guests who already "
            "sit at a table may finish their match."
        ),
    )

    class Meta:
        verbose_name = verbose_name_plural = _("site settings")
        constraints = [models.CheckConstraint(condition=models.Q(pk=1), name="one_site")]

    def __str__(self) -> str:
        return self.name


class SignUpInvitation(models.Model):
    """An invitation to make an account where sign-up needs one."""

    code = models.CharField(max_length=32, unique=True, default=new_code, editable=False)
    label = models.CharField(
        max_length=100,
        blank=True,
        help_text=_("For yourself: whom it is for. No one else sees it."),
    )
    uses = models.PositiveSmallIntegerField(
        default=1,
        validators=[MinValueValidator(1), MaxValueValidator(1_000)],
        help_text=_("How many accounts may be made with it."),
    )
    used = models.PositiveSmallIntegerField(default=0, editable=False)
    ends = models.DateTimeField(
        null=True, blank=True, default=in_a_month, help_text=_("When it ends. Empty: never.")
    )

    class Meta:
        verbose_name = "invitation"

    def __str__(self) -> str:
        return self.label or self.code

    @classmethod
    def valid(cls, code: str) -> models.QuerySet[SignUpInvitation, Any]:
        """The invitation of that code, unless it is used up or has ended."""
        lasting = models.Q(ends=None) | models.Q(ends__gt=timezone.now())
        return cls.objects.filter(lasting, code=code, used__lt=models.F("uses"))
