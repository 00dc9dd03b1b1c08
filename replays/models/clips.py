"""Clips: animated pictures of spans, kept for a while (`replays.stored.clips`)."""

from django.db import models

from games.models import Match
from replays.models.sharing import new_key


class Clip(models.Model):
    """An animated WebP of a span, for people who may see the match."""

    key = models.CharField(max_length=64, unique=True, default=new_key)
    subject = models.CharField(max_length=64, unique=True, help_text="A digest of what it shows.")
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="clips")
    body = models.BinaryField()
    created = models.DateTimeField(auto_now_add=True, db_index=True)

    def __str__(self) -> str:
        return f"clip of {self.match_id}"
