"""Classes: their coaches and pupils, and the homework that they are given."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from games.models import Match
from games.people.matches import access_of
from games.people.rights import rights
from games.people.visitor import Visitor
from replays.models.collections import Playlist
from replays.models.sharing import new_key
from replays.models.studies import Chapter, Study


class SchoolClass(models.Model):
    """A class. Whoever has the invitation may join it; an empty one opens it to nobody."""

    key = models.CharField(max_length=64, unique=True, default=new_key)
    name = models.CharField(max_length=100)
    invitation = models.CharField(max_length=64, blank=True, db_index=True, default=new_key)
    created = models.DateTimeField(auto_now_add=True)
    deleted = models.DateTimeField(null=True, blank=True, help_text="Until then it can come back.")

    class Meta:
        verbose_name_plural = "school classes"

    def __str__(self) -> str:
        return self.name

    @property
    def pupils(self) -> models.QuerySet[ClassMember]:
        """The pupils who are in it now."""
        return self.members.filter(role=ClassMember.Role.PUPIL, left=None)


class ClassMember(models.Model):
    """An account in a class, under the name that the class knows; nobody else learns that name.

    A former pupil who has left their results has a row with the day on which they left; one who
    has taken them along has none.
    """

    class Role(models.TextChoices):
        COACH = "coach", "coach"
        PUPIL = "pupil", "pupil"

    school_class = models.ForeignKey(SchoolClass, on_delete=models.CASCADE, related_name="members")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="class_members"
    )
    role = models.CharField(max_length=5, choices=Role)
    name = models.CharField(max_length=60)
    joined = models.DateTimeField(auto_now_add=True)
    left = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["school_class", "user"], name="class_member_once")
        ]

    def __str__(self) -> str:
        return f"{self.role} of class {self.school_class_id}"


class Homework(models.Model):
    """What a class, or some of it, has to do by a day.

    Its study, playlist or match may be deleted: the title says what it was.
    """

    class Kind(models.TextChoices):
        STUDY = "study", "a study or chapter"
        DRILL = "drill", "a drill of a playlist"
        MATCHES = "matches", "matches against bots"
        GHOST = "ghost", "a ghost to beat"

    key = models.CharField(max_length=64, unique=True, default=new_key)
    school_class = models.ForeignKey(SchoolClass, on_delete=models.CASCADE, related_name="homework")
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    kind = models.CharField(max_length=7, choices=Kind, default=Kind.STUDY)
    given_title = models.CharField(max_length=220, db_column="title")
    words = models.TextField(blank=True, help_text="What the coach says about it; plain text.")
    study = models.ForeignKey(
        Study, on_delete=models.SET_NULL, null=True, blank=True, related_name="homework"
    )
    chapter = models.ForeignKey(
        Chapter,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        help_text="None: the whole study.",
    )
    playlist = models.ForeignKey(
        Playlist, on_delete=models.SET_NULL, null=True, blank=True, related_name="homework"
    )
    match = models.ForeignKey(
        Match, on_delete=models.SET_NULL, null=True, blank=True, related_name="homework"
    )
    race = models.JSONField(
        null=True,
        blank=True,
        help_text="The round, event, seat and slowness of the ghost race in it.",
    )
    count = models.PositiveSmallIntegerField(default=0, help_text="Matches to finish.")
    level = models.PositiveSmallIntegerField(default=0, help_text="Of all bots in them, at least.")
    due = models.DateField(help_text="The last day; see `replays.classes.homework.ends`.")
    everyone = models.BooleanField(help_text="Also for whoever joins while it is not over.")
    given = models.DateTimeField(auto_now_add=True)
    deleted = models.DateTimeField(null=True, blank=True, help_text="Until then it can come back.")

    class Meta:
        verbose_name_plural = "homework"

    def __str__(self) -> str:
        return self.title

    @property
    def title(self) -> str:
        """What it is called: a ghost by its player's name while the class may see the match."""
        if self.race is None:
            return self.given_title
        of_class = Visitor(classes=(self.school_class.key,))
        seen = self.match is not None and rights(of_class, access_of(self.match)).see
        return self.given_title if seen else f"Beat a ghost, round {self.race[0]}"


class Assignment(models.Model):
    """One pupil's homework: when they last opened its page."""

    homework = models.ForeignKey(Homework, on_delete=models.CASCADE, related_name="assignments")
    member = models.ForeignKey(ClassMember, on_delete=models.CASCADE, related_name="assignments")
    opened = models.DateTimeField(null=True, blank=True)
    told = models.DateTimeField(
        null=True, blank=True, help_text="When its coaches were told that it is done."
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["homework", "member"], name="assignment_once")
        ]

    def __str__(self) -> str:
        return f"homework {self.homework_id} of member {self.member_id}"


class GhostRaceEnd(models.Model):
    """How an account did in a race against ghosts, beside what happened: as far as it came."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="+")
    race = models.JSONField(help_text="The round, event, seat and slowness.")
    beaten = models.BooleanField(help_text="It came to the round's end, with more points.")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [models.Index(fields=["user", "match"], name="race_of_account")]

    def __str__(self) -> str:
        return f"race of account {self.user_id} in match {self.match_id}"


class HomeworkCalendar(models.Model):
    """What opens the calendar feed of an account's homework to programs, without logging in."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="+"
    )
    token = models.CharField(max_length=64, unique=True, default=new_key)

    def __str__(self) -> str:
        return f"calendar of account {self.user_id}"
