"""News: an account's notifications, and where it gets them."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class News(models.Model):
    """A notification. Its account's right to see the subject is checked when it is shown."""

    class Kind(models.TextChoices):
        """Each with its sentence: the person and the subject."""

        MENTION = "mention", _("{by} mentioned you in a note on {about}")
        REPLY = "reply", _("{by} replied to your note on {about}")
        NOTES = "notes", _("{by} shared notes with you on {about}")
        PLAYLIST = "playlist", _("{by} shared a playlist with you: {about}")
        STUDY = "study", _("{by} shared a study with you: {about}")
        TABLE = "table", _("{by} opened a table for {about}")
        REVIEW = "review", _("{by} began a review for your class: {about}")
        HOMEWORK = "homework", _("{by} gave you homework: {about}")
        REMINDER = "reminder", _("{by} reminds you of {about}")
        DONE = "done", _("Done by {by}: {about}")
        LIVE = "live", _("{by} began a match: {about}")
        TAKEN = "taken", _("{by} has taken your account back into the class {about}")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="news"
    )
    kind = models.CharField(max_length=8, choices=Kind)
    key = models.CharField(max_length=64, help_text="Of what it is about; a match's number.")
    by = models.CharField(max_length=150, blank=True, help_text="Who did it, by name.")
    person = models.CharField(
        max_length=71, blank=True, db_default="", db_index=True, help_text="The same, as stored."
    )
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
        return self.get_kind_display().format(by=self.by, about=self.key)


class NewsSettings(models.Model):
    """Whether an account gets its news by email."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="+"
    )
    mail = models.BooleanField(default=False, help_text="An email of what is new, once a day.")
    mailed_on = models.DateField(null=True, blank=True, help_text="The last day with one, in UTC.")
    mailed_until = models.DateTimeField(
        null=True, blank=True, help_text="What was told before is in none."
    )

    class Meta:
        verbose_name_plural = "news settings"
        indexes = [models.Index(fields=["user"], condition=models.Q(mail=True), name="news_mailed")]

    def __str__(self) -> str:
        return f"news settings of account {self.user_id}"
