"""News: what somebody is told of."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class News(models.Model):
    """Something that an account is told of; whether it may still see that, is asked when shown."""

    class Kind(models.TextChoices):
        MENTION = "mention", "mentioned you in a note on"
        REPLY = "reply", "answered your note on"
        NOTES = "notes", "shared notes with you on"
        PLAYLIST = "playlist", "shared a playlist with you:"
        STUDY = "study", "shared a study with you:"
        TABLE = "table", "opened a table for"
        REVIEW = "review", "began a review for your class:"
        HOMEWORK = "homework", "gave you homework:"
        REMINDER = "reminder", "reminds you of"
        DONE = "done", "have done"

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="news"
    )
    kind = models.CharField(max_length=8, choices=Kind)
    key = models.CharField(max_length=64, help_text="Of what it is about; a match's number.")
    by = models.CharField(max_length=150, blank=True, help_text="Who did it, by name.")
    at = models.DateTimeField()
    read = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "news"
        constraints = [models.UniqueConstraint(fields=["user", "kind", "key"], name="told_once")]
        indexes = [
            models.Index(fields=["user", "-at"], name="news_newest"),
            models.Index(fields=["user"], condition=models.Q(read=None), name="news_unread"),
        ]

    def __str__(self) -> str:
        return f"{self.by} {self.get_kind_display()} {self.key}"
