"""Who must not see a match for now, although they might: learners with an unanswered question."""

from __future__ import annotations

from django.db import models

from games.models.matches import Match


class Embargo(models.Model):
    """A person who sees nothing of a match until they have answered at `place`, a URL."""

    match = models.ForeignKey(
        Match, on_delete=models.CASCADE, related_name="embargoes", db_index=False
    )
    person = models.CharField(max_length=80, help_text="As games.people.person writes it.")
    place = models.CharField(max_length=100, db_index=True)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "person"], name="embargo_once")]
        indexes = [models.Index(fields=["person"], name="embargo_person")]

    def __str__(self) -> str:
        return f"embargo on match {self.match_id}"
