"""Data about matches and players, all of it derived from the logs."""

import json
from typing import Any
from zlib import compress, decompress

from django.conf import settings
from django.db import models

from games.models import Match, Player, Seat
from replays.models.jobs import Job
from replays.models.sharing import new_key


class PackedJSONField(models.BinaryField):
    """A JSON value that is never searched, compressed: a third of `JSONField`'s size."""

    _pyi_private_set_type: Any  # what the checker takes its values for
    _pyi_private_get_type: Any

    def from_db_value(self, value: bytes | None, _expression: Any, _connection: Any) -> Any:
        return None if value is None else json.loads(decompress(bytes(value)))

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> Any:
        text = json.dumps(value, separators=(",", ":"))
        return super().get_db_prep_value(compress(text.encode(), 9), connection, prepared)


class SeatFigures(models.Model):
    """The contribution of a finished match to the figures of one seat's player.

    Made by `replays.players.counting`. The fields are those of `analysis.players.counts`.
    """

    seat = models.OneToOneField(
        Seat, on_delete=models.CASCADE, primary_key=True, related_name="figures"
    )
    version = models.PositiveSmallIntegerField(help_text="Of the measures.")

    rounds = models.PositiveIntegerField()
    duration_ms = models.PositiveBigIntegerField()
    points = models.IntegerField()
    plays = models.PositiveIntegerField()
    draws = models.PositiveIntegerField()
    misses = models.PositiveIntegerField()
    tries = models.PositiveIntegerField()
    races_won = models.PositiveIntegerField()
    races_lost = models.PositiveIntegerField()
    by_table = models.FloatField(db_default=0)
    by_speed = models.FloatField(db_default=0)
    by_noticing = models.FloatField(db_default=0)
    by_choice = models.FloatField(db_default=0)
    by_mistakes = models.FloatField(db_default=0)
    by_cards = models.FloatField(db_default=0)
    by_line = models.FloatField(db_default=0)
    takes = models.PositiveIntegerField()
    take_cards = models.PositiveIntegerField()
    kept = models.PositiveIntegerField()
    fed = models.PositiveIntegerField()
    rivals = models.PositiveIntegerField(db_default=0)
    even_share = models.FloatField(db_default=0)
    missed = models.PositiveIntegerField()
    reaction_ms = models.PositiveIntegerField(null=True)
    spans = PackedJSONField(default=list, help_text="Missed takes: MissedSpan, as lists.")
    costs = PackedJSONField(default=dict, help_text="By kind of weakness: Cost, as lists.")

    class Meta:
        verbose_name_plural = "seat figures"
        indexes = [models.Index(fields=["version", "seat"], name="figures_version")]

    def __str__(self) -> str:
        return f"figures of seat {self.seat_id}"


class RatingLedger(models.Model):
    """The ledger of an edition. Its row is locked while lines are written."""

    edition = models.CharField(max_length=32, primary_key=True)
    settled = models.DateTimeField(auto_now=True, help_text="When matches were last rated.")

    def __str__(self) -> str:
        return self.edition


class RatingChange(models.Model):
    """A player's rating after a match, in the ratings' ledger (docs/explanation/ratings.md)."""

    match = models.ForeignKey(
        Match, on_delete=models.CASCADE, related_name="rating_changes", db_index=False
    )
    player = models.ForeignKey(
        Player, on_delete=models.CASCADE, related_name="rating_changes", db_index=False
    )
    edition = models.CharField(max_length=32)
    ended_at = models.DateTimeField(help_text="The start plus the length of all rounds.")
    place = models.PositiveSmallIntegerField(help_text="1 for the highest total; equals share it.")
    mu = models.FloatField()
    sigma = models.FloatField()
    matches = models.PositiveIntegerField(help_text="Rated so far, this one included.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "player"], name="rating_change_once")
        ]
        indexes = [
            models.Index(fields=["player", "edition", "-ended_at"], name="rating_history"),
            models.Index(fields=["edition", "-ended_at"], name="rating_last"),
        ]

    def __str__(self) -> str:
        return f"rating of {self.player_id} after match {self.match_id}"


class Rating(models.Model):
    """A player's rating in an edition: the last line of the ledger about them."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="ratings")
    edition = models.CharField(max_length=32)
    mu = models.FloatField()
    sigma = models.FloatField()
    matches = models.PositiveIntegerField()
    provisional = models.BooleanField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["player", "edition"], name="rating_once")]
        indexes = [models.Index(fields=["edition", "provisional", "-mu"], name="rating_order")]

    def __str__(self) -> str:
        return f"rating of {self.player_id}, {self.edition}"


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


class StoredOccurrences(models.Model):
    """What patterns see of a match (`replays.patterns.occurrences`), as `storing` writes it."""

    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="occurrences")
    digest = models.CharField(max_length=64, help_text="SHA-256 of the log's stored pieces.")
    version = models.CharField(max_length=80, help_text="Of the measures and the occurrences.")
    body = models.BinaryField()

    def __str__(self) -> str:
        return f"occurrences of {self.match_id}"


class PatternSearch(models.Model):
    """A person's search for a pattern, and its places.

    Anyone with its address sees the moments of the matches they may see.
    """

    key = models.CharField(max_length=64, unique=True, default=new_key)
    owner = models.CharField(max_length=71, blank=True, db_index=True, help_text="As stored.")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )
    text = models.CharField(
        max_length=500, blank=True, help_text="In words, of searches before `query` was kept."
    )
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
        return f"search {self.key}"
