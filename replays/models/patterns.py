"""Searches for patterns, and what they look at."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from games.models import Match
from replays.models.jobs import Job
from replays.models.sharing import new_key


class StoredOccurrences(models.Model):
    """What patterns see of a match (`replays.patterns.occurrences`), as `storing` writes it."""

    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="occurrences")
    digest = models.CharField(max_length=64, help_text="SHA-256 of the log's stored pieces.")
    version = models.CharField(max_length=80, help_text="Of the measures and the occurrences.")
    body = models.BinaryField()

    def __str__(self) -> str:
        return f"occurrences of {self.match_id}"


class PatternSearch(models.Model):
    """A pattern that somebody searched for, and where it occurs.

    Anyone with its address sees the moments of the matches they may see.
    """

    key = models.CharField(max_length=64, unique=True, default=new_key)
    owner = models.CharField(max_length=71, blank=True, db_index=True, help_text="As stored.")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )
    text = models.CharField(max_length=500, help_text="What was searched for, in words.")
    query = models.JSONField(
        default=dict, db_default={}, help_text="The fields of PatternQuery that were given."
    )
    job = models.ForeignKey(Job, on_delete=models.SET_NULL, null=True, related_name="+")
    matches = models.PositiveIntegerField(default=0, help_text="How many were to be searched.")
    found = models.JSONField(
        null=True, help_text="Per match: its number, hits of each seat, and hits to show."
    )
    measures = models.PositiveSmallIntegerField(
        null=True, help_text="The version of the measures by which it was found."
    )
    created = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.text
