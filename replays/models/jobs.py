"""Jobs: long work that is done outside the web processes (docs/reference/jobs.md).

These rows are the truth about each request, its progress and its worker. The queue carries a
message for each part, and may lose it.
"""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.engine.message import Message
from replays.models.sharing import new_key


class Job(models.Model):
    """A person's request for work. Only they and moderators see it."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        RUNNING = "running", _("running")
        FINISHED = "finished", _("finished")
        FAILED = "failed", _("failed")
        CANCELLED = "cancelled", _("cancelled")

    ACTIVE: ClassVar = (State.WAITING, State.RUNNING)

    key = models.CharField(max_length=64, unique=True, default=new_key)
    kind = models.CharField(max_length=32, help_text="One of JOB_KINDS.")
    subject = models.CharField(max_length=200, help_text="What of; worked on once at a time.")
    named = models.JSONField(default=list, help_text="What for: a `Message`, as `plain` gives it.")
    owner = models.CharField(
        max_length=71, blank=True, help_text="The person, as stored; empty: the site or a stranger."
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )
    asked = models.JSONField(default=dict, blank=True)
    state = models.CharField(max_length=9, choices=State, default=State.WAITING)
    done = models.PositiveIntegerField(default=0, help_text="Units, of the kind's choice.")
    total = models.PositiveIntegerField(default=0)
    fault = models.JSONField(null=True, blank=True, help_text="Why it failed: a `Message`.")
    result = models.JSONField(null=True, blank=True, help_text="Small; the rest is stored apart.")
    created = models.DateTimeField(auto_now_add=True)
    ended = models.DateTimeField(null=True, blank=True)
    slot = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="Which of its owner's places it has; empty: not limited."
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "slot"],
                condition=Q(state__in=("waiting", "running")),
                name="job_slot_once_at_a_time",
            ),
            models.UniqueConstraint(
                fields=["kind", "subject"],
                condition=Q(state__in=("waiting", "running")),
                name="job_once_at_a_time",
            ),
        ]
        indexes = [
            models.Index(fields=["owner", "-created"], name="job_of_owner"),
            models.Index(fields=["state"], name="job_state"),
        ]

    def __str__(self) -> str:
        return f"{self.title} ({self.state})"

    @property
    def title(self) -> Message:
        return Message.stored(self.named)

    @property
    def error(self) -> Message | None:
        """Why it failed, if it did."""
        return Message.stored(self.fault) if self.fault else None


class JobPart(models.Model):
    """A share of a job that one worker does at a time. Gone when the job has ended."""

    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="parts")
    number = models.PositiveIntegerField()
    turn = models.PositiveIntegerField(help_text="How many open parts its owner had before it.")
    closes = models.BooleanField(default=False, help_text="Done after all the others.")
    share = models.JSONField(null=True, blank=True)
    units = models.PositiveIntegerField(default=0)
    done = models.PositiveIntegerField(default=0, help_text="Of its units.")
    found = models.JSONField(null=True, blank=True, help_text="So far; kept when it is done again.")
    over = models.BooleanField(default=False)
    worker = models.CharField(max_length=43, blank=True, help_text="Who has it; empty: nobody.")
    seen = models.DateTimeField(null=True, blank=True, help_text="That worker's sign of life.")
    moved = models.DateTimeField(null=True, help_text="When it last got further.")
    tries = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["job", "number"], name="job_part_once"),
        ]
        indexes = [models.Index(fields=["over", "worker", "turn"], name="job_part_turn")]

    def __str__(self) -> str:
        return f"part {self.number} of job {self.job_id}"


class Worker(models.Model):
    """A process that does jobs, or did: `seen` is its last sign of life."""

    name = models.CharField(max_length=43, unique=True)
    begun = models.DateTimeField(auto_now_add=True)
    seen = models.DateTimeField(db_index=True, help_text="By the database's clock.")

    def __str__(self) -> str:
        return self.name


class LastRun(models.Model):
    """When some regular work was last begun, or the night's work done, by any worker."""

    name = models.CharField(max_length=32, unique=True)
    at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.name
