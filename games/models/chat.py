"""What spectators write, complaints about it, and who may not write.

Lines are kept as long as their table's row. They are not part of any record.
"""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from games.models.tables import LiveTable

MAX_CHAT = 200


class ChatLine(models.Model):
    """One line of a table's chat; `n` counts from 1, without gaps."""

    table = models.ForeignKey(
        LiveTable, on_delete=models.CASCADE, related_name="chat", db_index=False
    )
    n = models.PositiveIntegerField()
    person = models.CharField(max_length=64, help_text="user:number or guest:key.")
    name = models.CharField(max_length=150)
    text = models.CharField(max_length=MAX_CHAT)
    created = models.DateTimeField(auto_now_add=True)
    hidden = models.BooleanField(default=False, help_text="Taken away by a moderator.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["table", "n"], name="chat_line_once")]
        indexes = [models.Index(fields=["person", "created"], name="chat_person")]

    def __str__(self) -> str:
        return f"{self.name}: {self.text}"


class ChatComplaint(models.Model):
    """A request that a moderator look at a line."""

    line = models.ForeignKey(
        ChatLine, on_delete=models.CASCADE, related_name="complaints", db_index=False
    )
    person = models.CharField(max_length=64, help_text="Who complains.")
    name = models.CharField(max_length=150, blank=True, help_text="As it was at that moment.")
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["line", "person"], name="chat_report_once")]

    def __str__(self) -> str:
        return f"complaint about line {self.line_id}"


class ChatMute(models.Model):
    """A person who may not write: at one table, or, if none is given, at any."""

    person = models.CharField(max_length=64, help_text="user:number or guest:key.")
    name = models.CharField(max_length=150, help_text="As it was at that moment.")
    table = models.ForeignKey(
        LiveTable, on_delete=models.CASCADE, null=True, blank=True, related_name="muted"
    )
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["person", "table"], name="chat_mute_once"),
            models.UniqueConstraint(
                fields=["person"], condition=Q(table=None), name="chat_mute_all_once"
            ),
        ]

    def __str__(self) -> str:
        return self.name
