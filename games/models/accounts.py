"""What the site keeps of an account beside Django's own user."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class Account(models.Model):
    """What an account's name looks like, and where its mail may go.

    A row is made or mended when it is first needed (`games.people.accounts`), since users can
    be made and renamed by Django's own commands and admin too.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="account"
    )
    name = models.CharField(max_length=150, help_text="The name that the skeleton is of.")
    skeleton = models.CharField(
        max_length=600, db_index=True, help_text="What the name looks like (games.people.names)."
    )
    address = models.CharField(
        max_length=254, blank=True, help_text="The mail address that was confirmed last."
    )
    mailed = models.DateTimeField(null=True, blank=True, help_text="When the last mail was sent.")

    def __str__(self) -> str:
        return self.name
