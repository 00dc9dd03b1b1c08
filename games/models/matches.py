"""Matches, who played in them, and their logs.

The log is the truth: a match's header line is in `Match`, every further line in `Chunk`s. All
other fields are derived from it (`games.archive.summary`) or concern a match being played: its
visibility and the epoch of its writer.
"""

from __future__ import annotations

from typing import Any, Final, NoReturn

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class AppendOnlyError(TypeError):
    """An attempt to change or delete lines of a log."""


class Player(models.Model):
    """A name that has been used at a table. Two people with the same name share it."""

    name = models.CharField(max_length=64, unique=True)
    skeleton = models.CharField(
        max_length=600, db_index=True, help_text="What the name is found by (games.people.names)."
    )

    def __str__(self) -> str:
        return self.name


class Match(models.Model):
    """A match: its header, its summary for lists, and who may write its log."""

    class State(models.TextChoices):
        OPEN = "open", _("being played")
        FINISHED = "finished", _("finished")
        ABANDONED = "abandoned", _("abandoned")
        UNFINISHED = "unfinished", _("unfinished")

    class Visibility(models.TextChoices):
        PUBLIC = "public", _("public")
        LINK = "link", _("by link only")

    class Origin(models.TextChoices):
        """Where it was played, whatever its record claims."""

        HOSTED = "hosted", _("played here")
        SIMULATED = "simulated", _("simulated here")
        IMPORTED = "imported", _("imported")
        UPLOADED = "uploaded", _("uploaded")

    record_id = models.CharField(max_length=64, unique=True)
    header = models.TextField(help_text="The first line, canonical, without its line feed.")
    lines = models.PositiveIntegerField(default=1, help_text="Lines stored, the header included.")

    edition = models.CharField(max_length=32)
    seat_count = models.PositiveSmallIntegerField()
    source = models.CharField(max_length=10, blank=True, help_text="As its record says.")
    origin = models.CharField(
        max_length=9, choices=Origin, default=Origin.IMPORTED, db_default=Origin.IMPORTED
    )
    started_at = models.DateTimeField(help_text="By the header. Without one: when it was stored.")
    day = models.IntegerField(help_text="The day of `started_at`, counted from 1970-01-01.")
    created = models.DateTimeField(auto_now_add=True)

    state = models.CharField(max_length=10, choices=State, default=State.OPEN)
    filter_bits = models.PositiveIntegerField(default=0, help_text="See games.archive.filters.")
    rounds = models.PositiveSmallIntegerField(default=0)
    events = models.PositiveIntegerField(default=0)
    ties = models.PositiveIntegerField(default=0)
    lates = models.PositiveIntegerField(default=0)
    duration_ms = models.PositiveBigIntegerField(default=0)
    winners = models.PositiveSmallIntegerField(null=True, help_text="Bit n: seat n won or drew.")
    margin = models.IntegerField(null=True, help_text="Points between the first and the second.")
    lead_history = models.CharField(
        max_length=64, blank=True, help_text="See games.archive.summary."
    )

    visibility = models.CharField(
        max_length=6, choices=Visibility, default=Visibility.PUBLIC, db_default=Visibility.PUBLIC
    )
    token = models.CharField(max_length=43, blank=True, help_text="Opens a match by link.")
    school_class = models.CharField(
        max_length=64,
        blank=True,
        default="",
        db_default="",
        db_index=True,
        help_text="The key of the class that alone may see it; empty: it is no match of a class.",
    )
    spectators = models.JSONField(default=dict, blank=True, help_text="Whether and how they watch.")
    owner_epoch = models.PositiveIntegerField(default=0, help_text="Rises with each new writer.")

    class Meta:
        verbose_name_plural = "matches"
        # One index per sort order answers any combination of filters.
        indexes = [
            models.Index(fields=["started_at", "id", "filter_bits"], name="match_newest"),
            models.Index(fields=["duration_ms", "id", "filter_bits", "day"], name="match_longest"),
            models.Index(fields=["margin", "id", "filter_bits", "day"], name="match_closest"),
            models.Index(fields=["ties", "id", "filter_bits", "day"], name="match_ties"),
            # Finds rare matches, and which filter bits exist at all.
            models.Index(fields=["filter_bits"], name="match_filter_bits"),
            models.Index(fields=["created"], condition=Q(state="open"), name="match_open"),
        ]

    def __str__(self) -> str:
        return self.record_id

    @property
    def over(self) -> bool:
        """Whether play is over: no further line of it can follow."""
        return self.state != self.State.OPEN

    @property
    def from_elsewhere(self) -> bool:
        """Whether its players are known only from its record: it counts in no statistics here."""
        return self.origin in (self.Origin.IMPORTED, self.Origin.UPLOADED)

    @property
    def hidden(self) -> bool:
        """Whether hands and piles are still secret, because the match is being played."""
        return not self.over and self.source == "live"


class SeatQuerySet(models.QuerySet["Seat"]):
    def in_order(self) -> SeatQuerySet:
        return self.select_related("player").order_by("number")


class Seat(models.Model):
    """A seat of a match: its player, and the outcome.

    What lists of a player's matches look for is copied from the match, so that they find them in
    an index of seats, however many others the player has.
    """

    class Shown(models.IntegerChoices):
        """What pages of players show of a match."""

        NOTHING = 0
        MATCH = 1
        """It is public."""
        RESULT = 2
        """It is public and finished."""

    ABSENT: Final = Q(stand_in=True, lag_ms=None)
    """A bot played all of it: a lag is measured at the end of each round with the player there."""

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="seats", db_index=False)
    number = models.PositiveSmallIntegerField()
    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="seats", db_index=False
    )
    kind = models.CharField(max_length=5)
    beginner = models.BooleanField(default=False)
    # Bots in live matches only. A simulated match names its bots in its header's tags.
    temper = models.CharField(max_length=32, blank=True)
    level = models.PositiveSmallIntegerField(null=True, blank=True)
    started_at = models.DateTimeField(help_text="As of the match, for a player's newest first.")
    origin = models.CharField(max_length=9, db_default="", help_text="As of the match.")
    shown = models.PositiveSmallIntegerField(
        default=0, db_default=0, help_text="What pages of players show of the match: `Shown`."
    )
    stand_in = models.BooleanField(
        default=False,
        db_default=False,
        help_text="A bot was playing for its player when the match ended.",
    )
    total = models.IntegerField(null=True)
    won = models.BooleanField(default=False, help_text="Won, or drew with the highest total.")
    lag_ms = models.PositiveIntegerField(
        null=True, blank=True, help_text="Median of the lag measured in each live round."
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="seats",
        db_index=False,
    )
    guest = models.CharField(max_length=43, blank=True, help_text="The key of a guest's session.")
    rated = models.BooleanField(
        default=False, db_default=False, help_text="A ledger of ratings has a line about it."
    )
    # A column with statistics: so the database knows that there are next to none.
    rated_wrongly = models.GeneratedField(
        expression=Q(rated=True) & (Q(user=None) | Q(shown__lt=Shown.RESULT)),  # type: ignore[arg-type]
        output_field=models.BooleanField(),
        db_persist=True,
    )

    objects = SeatQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "number"], name="seat_once")]
        indexes = [
            models.Index(fields=["player", "started_at", "match", "won"], name="seat_newest"),
            models.Index(
                fields=["player", "shown", "origin", "started_at", "match"],
                condition=Q(shown__gt=0),
                name="seat_shown",
            ),
            models.Index(
                fields=["user", "started_at", "match"],
                condition=Q(user__isnull=False),
                name="seat_of_user",
            ),
            models.Index(
                fields=["guest", "started_at", "match"],
                condition=~Q(guest=""),
                name="seat_of_guest",
            ),
            models.Index(
                fields=["match"], condition=Q(rated_wrongly=True), name="seat_rated_wrongly"
            ),
        ]

    def __str__(self) -> str:
        return f"seat {self.number}"

    @property
    def name(self) -> str:
        return self.player.name


def refuse(*_args: Any, **_kwargs: Any) -> NoReturn:
    """Replaces the methods that would change a log's lines."""
    raise AppendOnlyError("a log's lines are never changed or deleted")


class ChunkQuerySet(models.QuerySet["Chunk"]):
    """Chunks can only be read and added."""

    update = bulk_update = delete = update_or_create = refuse
    aupdate = abulk_update = adelete = aupdate_or_create = refuse

    def bulk_create(self, objs: Any, *args: Any, **kwargs: Any) -> Any:
        if kwargs.get("update_conflicts") or kwargs.get("ignore_conflicts"):
            refuse()
        return super().bulk_create(objs, *args, **kwargs)

    def purge(self) -> None:
        """Delete the lines of a match from elsewhere.

        Only for `games.archive.moderation.purge`: hosted matches keep their logs.
        """
        models.QuerySet(self.model, using=self.db).filter(pk__in=self.values("pk")).delete()

    def replace_by(self, packed: Chunk) -> None:
        """Replace these chunks by one packed chunk with the same lines.

        Only for `games.archive.append.compact`, after it has compared the lines.
        """
        replaced = [chunk.pk for chunk in self]
        packed.save(force_insert=True)
        gone, _ = models.QuerySet(self.model, using=self.db).filter(pk__in=replaced).delete()
        if gone != len(replaced):
            raise AppendOnlyError(f"{len(replaced)} chunks to replace, {gone} found")


class Chunk(models.Model):
    """Consecutive lines of a match's log. The first is `first_seq`.

    While a round is played, each commit is one chunk: `body` has its lines in canonical form, each
    with its line feed. A finished round is one packed chunk (`games.archive.packing`).
    """

    match = models.ForeignKey(
        Match, on_delete=models.PROTECT, related_name="chunks", db_index=False
    )
    first_seq = models.PositiveIntegerField()
    lines = models.PositiveIntegerField()
    round = models.PositiveSmallIntegerField(help_text="The round that its first line belongs to.")
    events = models.PositiveIntegerField(help_text="How many of the lines are events.")
    duration_ms = models.PositiveIntegerField(default=0, help_text="A packed round's length.")
    packed = models.BooleanField(default=False)
    body = models.BinaryField()
    digest = models.BinaryField(
        null=True,
        max_length=32,
        help_text="The log's digest after a packed round of a match played here.",
    )

    objects = ChunkQuerySet.as_manager()

    class Meta:
        base_manager_name = "objects"
        constraints = [
            models.UniqueConstraint(fields=["match", "first_seq", "packed"], name="chunk_once")
        ]

    def __str__(self) -> str:
        return f"lines {self.first_seq} to {self.first_seq + self.lines - 1}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            refuse()
        kwargs["force_insert"] = True
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        refuse()
