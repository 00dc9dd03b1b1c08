"""Classes: their coaches and pupils, and the homework that they are given."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from replays.models.collections import Playlist
from replays.models.sharing import new_key
from replays.models.studies import (
    SITE,
    Chapter,
    Study,
    chapter_title,
    day_words,
    practise_title,
)


class SchoolClass(models.Model):
    """A class. Anyone with the invitation may join it. An empty one admits no one."""

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
    """An account in a class, under the name that the class knows. No one else learns that name.

    A former pupil keeps a row with the day on which they left: the class keeps their results.
    """

    class Role(models.TextChoices):
        COACH = "coach", _("coach")
        PUPIL = "pupil", _("pupil")

    school_class = models.ForeignKey(SchoolClass, on_delete=models.CASCADE, related_name="members")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="class_members"
    )
    role = models.CharField(max_length=5, choices=Role)
    name = models.CharField(max_length=60)
    group = models.CharField(
        max_length=40,
        blank=True,
        default="",
        db_default="",
        help_text="Members of a group, as children, adults or a level, sit at tables of their own.",
    )
    joined = models.DateTimeField(auto_now_add=True)
    left = models.DateTimeField(null=True, blank=True)
    deleted = models.DateTimeField(
        null=True, blank=True, help_text="When a coach deleted this child's account."
    )
    handed_over = models.DateTimeField(
        null=True, blank=True, help_text="When a coach handed this child's account over."
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["school_class", "user"], name="class_member_once")
        ]

    def __str__(self) -> str:
        return f"{self.role} of class {self.school_class_id}"


class Homework(models.Model):
    """Work for a class, or some of it, due on a day.

    Its study or playlist may be deleted: the title is kept.
    """

    class Kind(models.TextChoices):
        STUDY = "study", _("a study or chapter")
        DRILL = "drill", _("a playlist to practise")
        MATCHES = "matches", _("matches to play")
        RACES = "races", _("ghost races")
        CLOSED = "closed", _("a kind that is no longer given")

    key = models.CharField(max_length=64, unique=True, default=new_key)
    school_class = models.ForeignKey(SchoolClass, on_delete=models.CASCADE, related_name="homework")
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    kind = models.CharField(max_length=7, choices=Kind, default=Kind.STUDY)
    title = models.CharField(max_length=220)
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
    count = models.PositiveSmallIntegerField(
        default=0, db_default=0, help_text="How many matches or ghost races."
    )
    due = models.DateField(help_text="The last day; see `replays.classes.limits.ends`.")
    everyone = models.BooleanField(help_text="Also for whoever joins while it is not over.")
    given = models.DateTimeField(auto_now_add=True)
    deleted = models.DateTimeField(null=True, blank=True, help_text="Until then it can come back.")

    class Meta:
        verbose_name_plural = "homework"

    def __str__(self) -> str:
        return self.title

    @property
    def shown_title(self) -> str:
        if self.kind == self.Kind.DRILL:
            return practise_title(self.title)
        if self.kind == self.Kind.MATCHES:
            return ngettext("{count} match", "{count} matches", self.count).format(count=self.count)
        if self.kind == self.Kind.RACES:
            return ngettext("{count} ghost race", "{count} ghost races", self.count).format(
                count=self.count
            )
        if self.study is None or self.study.owner != SITE:
            return self.title
        study = self.study.shown_title
        if self.chapter:
            chapter = chapter_title(self.chapter.title, self.chapter.place, SITE)
        else:
            chapter = day_words(self.title)
        if not chapter:
            return study
        return gettext("{study}: {chapter}").format(study=study, chapter=chapter)


class Assignment(models.Model):
    """One pupil's homework."""

    homework = models.ForeignKey(Homework, on_delete=models.CASCADE, related_name="assignments")
    member = models.ForeignKey(ClassMember, on_delete=models.CASCADE, related_name="assignments")
    notified_at = models.DateTimeField(
        null=True, blank=True, help_text="When its coaches were told that it is done."
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["homework", "member"], name="assignment_once")
        ]

    def __str__(self) -> str:
        return f"homework {self.homework_id} of member {self.member_id}"
