"""What was worked out of matches, kept so that it is worked out once."""

from __future__ import annotations

from django.db import models

from games.models import Match


class StoredReport(models.Model):
    """The report of a match that is over: JSON, gzipped. Another version of the measures, or
    another log, makes it anew."""

    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="report")
    digest = models.CharField(max_length=64, help_text="SHA-256 of the log's stored pieces.")
    version = models.CharField(max_length=80, help_text="Of the measures and the model.")
    body = models.BinaryField()
    created = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"report of {self.match_id}"
