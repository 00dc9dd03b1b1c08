"""Notes and variations, stored beside the log of a match.

They never change the log. Their fields are those of the record format's remarks
(docs/reference/record-format.md), so each can be exported as a line.
"""

from typing import Final

from django.conf import settings
from django.db import models
from simple_history.models import HistoricalRecords

from games.models import Match
from replays.models.sharing import Complaint, Shared


class Annotation(Shared):
    """A position: a number of events into a round, along the mainline or a variation."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="%(class)ss")
    round = models.PositiveSmallIntegerField()
    event = models.PositiveIntegerField(help_text="After so many events; 0: the deal.")
    line = models.ForeignKey(
        "replays.Variation",
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="%(class)ss_along",
        help_text="The variation along which the events are counted; none: the mainline.",
    )
    study = models.ForeignKey(
        "replays.Study",
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="%(class)ss",
        help_text="The study to which it belongs: whoever reads that, reads it.",
    )
    text = models.TextField(blank=True, help_text="Markdown.")
    html = models.TextField(blank=True, help_text="Of the text, made when it was saved.")
    tags = models.JSONField(default=list, blank=True)

    class Meta:
        abstract = True


class Note(Annotation):
    """A remark on a position or a span. With `reply`, an answer to another note."""

    until = models.PositiveIntegerField(null=True, blank=True, help_text="Where a span ends.")
    glyph = models.CharField(max_length=2, blank=True)
    marks = models.JSONField(default=list, blank=True)
    arrows = models.JSONField(default=list, blank=True)
    reply = models.ForeignKey(
        "self", on_delete=models.CASCADE, null=True, blank=True, related_name="replies"
    )
    settled = models.BooleanField(default=False, help_text="Of a thread's first note.")
    mentions = models.ManyToManyField(
        settings.AUTH_USER_MODEL,
        blank=True,
        related_name="+",
        help_text="Accounts that the text names as @name.",
    )

    history = HistoricalRecords(
        excluded_fields=["html"], user_db_constraint=False, cascade_delete_history=True
    )

    class Meta:
        indexes = [
            models.Index(fields=["match", "round", "event"], name="note_place"),
            models.Index(fields=["visibility", "-id"], name="note_newest"),
            models.Index(fields=["owner", "-edited"], name="note_owned"),
        ]

    def __str__(self) -> str:
        return f"note by {self.by} on round {self.round}, event {self.event}"


RACED: Final = "race"
"""The first tag of a variation that was raced against ghosts."""


class Variation(Annotation):
    """An alternative continuation after a position. `events` are canonical, a JSON array."""

    events = models.TextField()
    length = models.PositiveIntegerField(help_text="Of its line: up to the branch, and its own.")
    depth = models.PositiveSmallIntegerField(help_text="1: a variation of the mainline.")
    ended = models.BooleanField(default=False, help_text="Whether the round ends in it.")
    order = models.SmallIntegerField(
        default=0, db_default=0, help_text="Among those of the same round and line: lower first."
    )

    class Meta:
        indexes = [models.Index(fields=["match", "round", "event"], name="variation_place")]

    def __str__(self) -> str:
        return f"variation by {self.by} from round {self.round}, event {self.event}"


class NoteComplaint(Complaint):
    note = models.ForeignKey(Note, on_delete=models.CASCADE, related_name="complaints")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["note", "reporter"], name="note_reported_once")
        ]

    def __str__(self) -> str:
        return f"complaint about note {self.note_id}"
