"""Situations (`replays.analysis.situations`), counted by match and over all public matches."""

from __future__ import annotations

from django.db import models

from games.models import Match


class StoredSituations(models.Model):
    """The counts of a match; of one that is gone they stay until the totals are rid of them."""

    match = models.OneToOneField(
        Match, on_delete=models.SET_NULL, null=True, related_name="situations"
    )
    group = models.PositiveSmallIntegerField(help_text="Of the totals; matches share it.")
    version = models.CharField(max_length=80, help_text="Of the measures and the situations.")
    summed = models.BooleanField(default=False, help_text="Whether the totals include it.")
    body = models.BinaryField()

    def __str__(self) -> str:
        return f"situations of {self.match_id}"


class SituationTotals(models.Model):
    """The sums of a group of public matches, for one top card and height."""

    version = models.CharField(max_length=80)
    block = models.CharField(max_length=8, help_text="The top card and the height.")
    group = models.PositiveSmallIntegerField()
    cells = models.JSONField(default=dict, help_text="By hand, score and rank: `Cell`.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["version", "block", "group"], name="situations_once")
        ]

    def __str__(self) -> str:
        return f"{self.block} in group {self.group}"
