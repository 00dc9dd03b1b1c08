"""Who must not see a match for now, although they might: learners with an unanswered question."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from games.models.matches import Match


class Embargo(models.Model):
    """A person who sees nothing of a match until they have answered a chapter's question."""

    match = models.ForeignKey(
        Match, on_delete=models.CASCADE, related_name="embargoes", db_index=False
    )
    person = models.CharField(max_length=80, help_text="As games.people.person writes it.")
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        help_text="The account that this person's browser was logged in to.",
    )
    chapter = models.BigIntegerField(db_index=True)
    """The chapter's number; this app does not know what a chapter is."""
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "person", "chapter"], name="embargo_once")
        ]
        indexes = [models.Index(fields=["person"], name="embargo_person")]

    def __str__(self) -> str:
        return f"embargo on match {self.match_id}"
