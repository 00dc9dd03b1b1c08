"""Things that a person owns and shares with no one, with some people, or with everyone."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.records.ids import new_id


def new_key() -> str:
    """An unguessable key, also valid as an id in the record format."""
    return new_id(16)


class OfPerson(models.Model):
    """A person's action or words, under the name that they had."""

    person = models.CharField(max_length=71, help_text="The person, as stored.")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )
    name = models.CharField(max_length=150, help_text="The name at the time.")

    class Meta:
        abstract = True


class Shared(models.Model):
    """Something with an owner, and who else may see it (`replays.notes.access`)."""

    class Visibility(models.TextChoices):
        SELF = "self", _("only me")
        LINK = "link", _("anyone with the link")
        PEOPLE = "people", _("named people")
        CLASS = "class", _("a class")
        EVERYONE = "everyone", _("everyone")

    key = models.CharField(max_length=64, unique=True, default=new_key)
    owner = models.CharField(max_length=71, db_index=True, help_text="The person, as stored.")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="+",
        help_text="The owner's account: what it wrote goes with it.",
    )
    by = models.CharField(max_length=64, help_text="The owner's name when it was written.")
    visibility = models.CharField(
        max_length=8, choices=Visibility, default=Visibility.SELF, db_default=Visibility.SELF
    )
    token = models.CharField(max_length=43, default=new_key, help_text="Opens it by link.")
    readers = models.ManyToManyField(settings.AUTH_USER_MODEL, blank=True, related_name="+")
    school_class = models.CharField(
        max_length=64,
        blank=True,
        default="",
        db_default="",
        help_text="The key of the class that it is for.",
    )
    created = models.DateTimeField(auto_now_add=True)
    edited = models.DateTimeField(auto_now=True)
    revision = models.PositiveIntegerField(default=1, help_text="Rises with each change.")
    deleted = models.DateTimeField(null=True, blank=True, help_text="Until then it can come back.")
    hidden = models.BooleanField(default=False, help_text="A moderator has hidden it.")

    class Meta:
        abstract = True

    @property
    def audience(self) -> str:
        """Its readers, as pages and forms write it: a visibility, or `class:` and a class's key."""
        of_class = self.visibility == self.Visibility.CLASS
        return f"class:{self.school_class}" if of_class else self.visibility


class Complaint(models.Model):
    """A report to moderators. One for each person and thing shared."""

    reporter = models.CharField(max_length=71, help_text="The person, as stored.")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )
    created = models.DateTimeField(auto_now_add=True)
    reason = models.CharField(max_length=500, blank=True, db_default="")
    settled = models.BooleanField(default=False)

    class Meta:
        abstract = True


class AnsweredRequest(models.Model):
    """A request that changed something, and its response, should that have been lost.

    They are kept for a day (`replays.handover`).
    """

    person = models.CharField(max_length=71, help_text="The person, as stored.")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )
    key = models.CharField(max_length=64, help_text="The client's, or what was asked, digested.")
    asked = models.CharField(max_length=64, help_text="A digest of what was asked.")
    status = models.PositiveSmallIntegerField(default=0)
    body = models.TextField(blank=True)
    created = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["person", "key"], name="request_answered_once")
        ]

    def __str__(self) -> str:
        return f"{self.status} for {self.key}"
