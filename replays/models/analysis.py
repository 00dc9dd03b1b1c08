"""Results of analyses, stored so that each is computed only once."""

from __future__ import annotations

from django.db import models

from games.models import Match


class StoredReport(models.Model):
    """The report of a finished match: JSON, gzipped.

    It is made again if a version (see `analysis.versions`), or the log, has changed.
    """

    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="report")
    digest = models.CharField(max_length=64, help_text="SHA-256 of the log's stored pieces.")
    version = models.CharField(max_length=80, help_text="Of the measures and the model.")
    body = models.BinaryField()
    created = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"report of {self.match_id}"
