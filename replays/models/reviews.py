"""Shared live reviews: their state, their members, and the people present.

The shared state is one JSON object with a version (`replays.reviews.room`).
"""

from django.db import models
from django.db.models import Q

from games.models import Match
from replays.models.sharing import OfPerson, new_key
from replays.models.studies import Study


class Review(models.Model):
    """A review of either a match or a study, led by one of its members."""

    key = models.CharField(max_length=64, unique=True, default=new_key)
    match = models.ForeignKey(
        Match, on_delete=models.CASCADE, null=True, blank=True, related_name="reviews"
    )
    study = models.ForeignKey(
        Study, on_delete=models.CASCADE, null=True, blank=True, related_name="reviews"
    )
    school_class = models.CharField(
        max_length=64,
        blank=True,
        default="",
        db_default="",
        help_text="The key of the class that it is for; empty: for whoever has the link.",
    )
    asking = models.PositiveSmallIntegerField(
        default=0,
        db_default=0,
        help_text="The chapter whose question the class is asked now; 0: none.",
    )
    asked = models.PositiveSmallIntegerField(
        default=0, db_default=0, help_text="The chapter whose question it was asked last."
    )
    asked_at = models.DateTimeField(null=True, blank=True)
    coached_at = models.DateTimeField(
        null=True, blank=True, help_text="When a coach was last here while the class was asked."
    )
    forgotten = models.CharField(
        max_length=4,
        blank=True,
        db_default="",
        help_text="Why the last question ended by itself (`replays.reviews.forgetting`).",
    )
    version = models.PositiveIntegerField(default=0, help_text="Rises with each change.")
    state = models.JSONField(default=dict, help_text="As of that version.")
    ended = models.BooleanField(default=False)
    people = models.PositiveIntegerField(default=0, help_text="The latest member's number.")
    created = models.DateTimeField(auto_now_add=True)
    changed = models.DateTimeField(auto_now=True, db_index=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(match=None, study__isnull=False) | Q(match__isnull=False, study=None),
                name="review_of_one_thing",
            )
        ]
        indexes = [models.Index(fields=["id"], condition=~Q(asking=0), name="review_asking")]

    def __str__(self) -> str:
        return f"review of {'match' if self.match_id else 'study'} {self.match_id or self.study_id}"


class ReviewMember(OfPerson):
    """A person who has been in a review. Number 1 started it."""

    review = models.ForeignKey(
        Review, on_delete=models.CASCADE, related_name="members", db_index=False
    )
    number = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["review", "number"], name="review_member_once"),
            models.UniqueConstraint(fields=["review", "person"], name="review_person_once"),
        ]
        indexes = [models.Index(fields=["person"], name="review_person")]

    def __str__(self) -> str:
        return self.name


class ReviewPresence(models.Model):
    """The people in a review through one process."""

    review = models.ForeignKey(
        Review, on_delete=models.CASCADE, related_name="presences", db_index=False
    )
    process = models.CharField(max_length=80)
    members = models.JSONField(default=list)
    others = models.PositiveIntegerField(default=0, help_text="People without a name.")
    detached = models.JSONField(
        default=list, db_default=[], help_text="Those of the members who look around."
    )
    others_detached = models.PositiveIntegerField(
        default=0, db_default=0, help_text="Those without a name who look around."
    )
    seen = models.DateTimeField(help_text="By the database's clock.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["review", "process"], name="review_presence_once")
        ]

    def __str__(self) -> str:
        return f"review {self.review_id} through {self.process}"
