"""Studies: lessons made of chapters, each on a match, and learners' answers in them."""

from __future__ import annotations

from contextlib import suppress
from datetime import date
from typing import Final

from django.conf import settings
from django.db import models
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _

from games.models import Match
from replays.models.notes import Variation
from replays.models.sharing import Complaint, OfPerson, Shared

MOST_TITLE: Final = 100
SITE: Final = "guest:daily"
"""Owns the studies that the site makes for all. Nobody's: no browser's secret has this hash."""


def _date(day: date) -> str:
    """`5 March 2026`, in the reader's language."""
    return date_format(day, pgettext("date", "j F Y"))


def day_words(title: str) -> str:
    """A title that is a day, in words. Empty: it is none."""
    with suppress(ValueError):
        return _date(date.fromisoformat(title))
    return ""


def chapter_title(title: str, place: int, owner: str) -> str:
    """A chapter's title for readers: one that nobody wrote is put into words in their language.

    `owner`: of its study. The site's chapters are stored in English, or with their day.
    """
    if owner == SITE and title:
        return day_words(title) or gettext(title)
    return title or gettext("Question {number}").format(number=place + 1)


def practise_title(title: str) -> str:
    """Of the questions from the playlist with that title."""
    return gettext("Practise: {title}").format(title=title)


class Study(Shared):
    """A lesson. Its owner and its writers change it, those it is shared with read it."""

    title = models.CharField(max_length=MOST_TITLE)
    text = models.TextField(blank=True, help_text="Markdown.")
    html = models.TextField(blank=True, help_text="Of the text, made when it was saved.")
    writers = models.ManyToManyField(settings.AUTH_USER_MODEL, blank=True, related_name="+")
    worded_by = models.CharField(
        max_length=64,
        blank=True,
        db_default="",
        help_text="Who changed title or introduction last, by name.",
    )
    worded = models.DateTimeField(null=True, blank=True, help_text="When they did.")
    drill = models.BooleanField(
        default=False, db_default=False, help_text="Made of a playlist (`replays.studies.drills`)."
    )
    spans = models.CharField(
        max_length=32,
        blank=True,
        db_default="",
        help_text="Of a drill: a digest of the playlist's spans that it asks about.",
    )
    asked_in = models.OneToOneField(
        "replays.Review",
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="questions",
        help_text="The review of a match whose class is asked its questions; in no list.",
    )
    numbered = models.PositiveSmallIntegerField(
        default=0, db_default=0, help_text="The highest number that a chapter of it ever had."
    )

    class Meta:
        verbose_name_plural = "studies"
        indexes = [
            models.Index(fields=["visibility", "-edited"], name="study_newest"),
            models.Index(fields=["owner", "-edited"], name="study_owned"),
        ]

    def __str__(self) -> str:
        return self.shown_title

    @property
    def shown_title(self) -> str:
        """The title for readers. Until somebody words it, a study that the site made is stored
        with less: a drill with its playlist's title, a review's questions with none.
        """
        if self.worded_by:
            return self.title
        if self.owner == SITE:
            return gettext(self.title)
        if self.drill and self.title:
            return practise_title(self.title)[:MOST_TITLE]
        if self.drill:
            return gettext("Practise: my missed takes")
        if self.asked_in and not self.title:
            day = _date(self.asked_in.created.date())
            return gettext("Asked in the review of {day}").format(day=day)
        return self.title

    @property
    def shown_text(self) -> str:
        """The introduction for readers, as Markdown."""
        if self.worded_by or not (self.drill or self.owner == SITE):
            return self.text
        if self.owner == SITE:
            return gettext(self.text)
        if not self.title:
            return gettext("Takes that you missed in your matches, as they became possible.")
        return gettext(
            "Questions from the playlist “{title}”: each stops where a take became possible, "
            "and is due while it was."
        ).format(title=self.title)

    @property
    def shown_html(self) -> str:
        text = self.shown_text
        return self.html if text == self.text else format_html("<p>{}</p>", text)


class LivingChapters(models.Manager["Chapter"]):
    """The chapters that are not deleted."""

    def get_queryset(self) -> models.QuerySet[Chapter]:
        return super().get_queryset().filter(deleted=None)


class Chapter(models.Model):
    """A position or a span of a match, as a study shows it.

    `number` is its address, never changes and is never used again. `place` is its place in the
    table of contents. Chapters in a row with the same `group` are under one heading. With a
    `question` (`replays.studies.questions`) it stops there and asks what to play.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="chapters")
    number = models.PositiveSmallIntegerField()
    place = models.PositiveSmallIntegerField()
    group = models.CharField(max_length=100, blank=True)
    title = models.CharField(max_length=100)
    text = models.TextField(blank=True, help_text="Markdown.")
    html = models.TextField(blank=True, help_text="Of the text, made when it was saved.")
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="chapters")
    round = models.PositiveSmallIntegerField()
    event = models.PositiveIntegerField(help_text="After so many events; 0: the deal.")
    until = models.PositiveIntegerField(null=True, blank=True, help_text="Where a span ends.")
    line = models.ForeignKey(
        Variation, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    view = models.CharField(max_length=9, default="all", help_text="all, spectator or a seat.")
    speed = models.PositiveSmallIntegerField(default=100, help_text="Percent.")
    question = models.JSONField(null=True, blank=True)
    revision = models.PositiveIntegerField(default=1, help_text="Rises with each change.")
    edited = models.DateTimeField(auto_now=True)
    by = models.CharField(
        max_length=64, blank=True, db_default="", help_text="Who changed it last, by name."
    )
    deleted = models.DateTimeField(null=True, blank=True, help_text="Until then it can come back.")

    objects = LivingChapters()
    every = models.Manager["Chapter"]()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["study", "number"], name="chapter_number_once")
        ]

    def __str__(self) -> str:
        return self.title or f"chapter {self.number}"

    @property
    def shown_title(self) -> str:
        return chapter_title(self.title, self.place, self.study.owner)

    @property
    def shown_text(self) -> str:
        return gettext(self.text) if self.text and self.study.owner == SITE else self.text

    @property
    def shown_html(self) -> str:
        text = self.shown_text
        return self.html if text == self.text else format_html("<p>{}</p>", text)


class StudyComplaint(Complaint):
    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="complaints")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["study", "reporter"], name="study_reported_once")
        ]

    def __str__(self) -> str:
        return f"complaint about study {self.study_id}"


class Attempt(OfPerson):
    """A learner's attempt at a question: when it was opened and asked, and the answer."""

    class Verdict(models.TextChoices):
        RIGHT = "right", _("right")
        WRONG = "wrong", _("wrong")
        LATE = "late", _("too late")
        GIVEN_UP = "given up", _("given up")

    chapter = models.ForeignKey(Chapter, on_delete=models.CASCADE, related_name="attempts")
    opened = models.DateTimeField(auto_now_add=True)
    asked = models.DateTimeField(null=True, help_text="When play had come to the stop.")
    answered = models.DateTimeField(null=True)
    answer = models.JSONField(null=True)
    verdict = models.CharField(max_length=8, choices=Verdict, blank=True)
    ms = models.PositiveIntegerField(null=True, help_text="From the question to the answer.")
    speed = models.PositiveSmallIntegerField(default=100, help_text="Percent.")
    hinted = models.BooleanField(default=False)

    class Meta:
        indexes = [models.Index(fields=["chapter", "person", "-id"], name="attempt_of_person")]

    def __str__(self) -> str:
        return f"{self.name}: {self.verdict or 'open'}"


class Reading(OfPerson):
    """When a learner first and last opened a chapter that asks nothing."""

    chapter = models.ForeignKey(Chapter, on_delete=models.CASCADE, related_name="readings")
    first = models.DateTimeField()
    last = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["chapter", "person"], name="chapter_read_once")
        ]

    def __str__(self) -> str:
        return f"{self.name}: chapter {self.chapter_id}"
