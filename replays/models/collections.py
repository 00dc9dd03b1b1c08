"""Playlists of spans."""

from django.db import models

from games.models import Match
from replays.models.notes import Note, Variation
from replays.models.sharing import Shared


class Playlist(Shared):
    """Spans of one or more matches, in an order of the owner's choice."""

    title = models.CharField(max_length=100)

    def __str__(self) -> str:
        return self.title


class PlaylistItem(models.Model):
    """A span of a playlist. `note` is where it came from, if that still exists."""

    playlist = models.ForeignKey(Playlist, on_delete=models.CASCADE, related_name="items")
    place = models.PositiveSmallIntegerField()
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="+")
    round = models.PositiveSmallIntegerField()
    event = models.PositiveIntegerField()
    until = models.PositiveIntegerField()
    line = models.ForeignKey(
        Variation, on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )
    note = models.ForeignKey(
        Note, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    label = models.CharField(max_length=200, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["playlist", "place"], name="playlist_place_once")
        ]

    def __str__(self) -> str:
        return self.label or f"round {self.round}, events {self.event} to {self.until}"
