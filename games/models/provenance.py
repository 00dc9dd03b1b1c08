"""Where matches come from: uploads, reports, and moderators' actions.

A match's `origin` says where it was played. Only a hosted match's log is permanent. A moderator may
unlist any match, and delete one that came from elsewhere.
"""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.matches import Match, Player


class Upload(models.Model):
    """An uploaded record. `match` is None if nothing of it was stored, or it has been deleted."""

    person = models.CharField(max_length=80, help_text="As games.people.person writes it.")
    name = models.CharField(max_length=150, help_text="As it was then.")
    created = models.DateTimeField(auto_now_add=True, db_index=True)
    bytes = models.PositiveIntegerField(help_text="Of the file.")
    network = models.CharField(
        max_length=64,
        blank=True,
        db_default="",
        help_text="Where it came from (`games.people.addresses.kept`), for a day or two.",
    )
    match = models.OneToOneField(Match, on_delete=models.SET_NULL, null=True, related_name="upload")

    class Meta:
        indexes = [
            models.Index(fields=["person", "created"], name="upload_person"),
            models.Index(
                fields=["network", "created"],
                condition=~models.Q(network=""),
                name="upload_network",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.bytes} bytes of {self.name}"


class MatchComplaint(models.Model):
    """A request that a moderator look at a match."""

    match = models.ForeignKey(
        Match, on_delete=models.CASCADE, related_name="complaints", db_index=False
    )
    person = models.CharField(max_length=80)
    name = models.CharField(max_length=150)
    text = models.CharField(max_length=500)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "person"], name="match_report_once")
        ]

    def __str__(self) -> str:
        return f"complaint about match {self.match_id}"


class PlayerAlias(models.Model):
    """A name in records for a player who has another name now."""

    name = models.CharField(max_length=64, unique=True)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="aliases")

    class Meta:
        verbose_name_plural = "player aliases"

    def __str__(self) -> str:
        return self.name


class Moderation(models.Model):
    """A moderator's action. The row stays, whatever happens to the people and things in it."""

    class Action(models.TextChoices):
        UNLIST = "unlist", _("taken off the lists")
        LIST = "list", _("put back on the lists")
        PURGE = "purge", _("deleted for good")
        RENAME = "rename", _("player renamed")
        HIDE = "hide", _("hidden")
        SHOW = "show", _("shown again")
        REMOVE = "remove", _("message removed")
        MUTE = "mute", _("muted")
        UNMUTE = "unmute", _("may write again")

    created = models.DateTimeField(auto_now_add=True)
    moderator = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    moderator_name = models.CharField(max_length=150)
    action = models.CharField(max_length=6, choices=Action)
    subject = models.CharField(
        max_length=64,
        help_text="A record's id, a player's name, or the key of a note, study or review.",
    )
    reason = models.CharField(max_length=500, blank=True)
    detail = models.JSONField(default=dict)

    def __str__(self) -> str:
        return f"{self.subject}: {self.get_action_display()}"
