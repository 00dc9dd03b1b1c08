"""A live match's data besides its log: free seats, a host, messages between processes.

A `LiveTable` exists from its first free seat. The `Match`, with the same id, begins with the first
deal. The one process with the table's lease hosts it and may write the log. Each new host gets a
higher `epoch`, which is also the match's `owner_epoch`.

Rows of `Seated`, `AnsweredAction`, `RelayRequest` and `RelayReply` are deleted when they are no
longer needed. `games.tables.retention` deletes those of tables that have long been over.
"""

from django.conf import settings
from django.db import models
from django.db.models import Q


class LiveTable(models.Model):
    """A live match: its plan (`games.tables.plan`), its host's lease and the host's saved state."""

    record_id = models.CharField(max_length=64, unique=True)
    plan = models.JSONField(help_text="Who sits where, under which rules.")
    # Copied from the plan, for lists (`games.tables.seats.planned_fields`).
    free = models.PositiveSmallIntegerField(
        default=0, db_default=0, help_text="How many seats are free."
    )
    people = models.PositiveSmallIntegerField(
        default=0, db_default=0, help_text="How many people sit there."
    )
    public = models.BooleanField(default=False, db_default=False, help_text="No key is needed.")
    school_class = models.CharField(
        max_length=64,
        blank=True,
        default="",
        db_default="",
        db_index=True,
        help_text="The key of the class whose table it is.",
    )
    watching = models.BooleanField(
        default=True, db_default=True, help_text="Whether spectators may come."
    )
    plan_version = models.PositiveIntegerField(default=0, help_text="Rises with each change.")
    host_state = models.JSONField(
        default=dict, help_text="What outlives the host besides the lines."
    )
    state = models.JSONField(default=dict, help_text="What viewers are told besides the lines.")
    state_version = models.PositiveIntegerField(default=0, help_text="Rises with each change.")
    phase = models.CharField(
        max_length=10, default="seating", db_default="seating", help_text="As the state says."
    )
    over = models.BooleanField(default=False)
    created = models.DateTimeField(auto_now_add=True)
    epoch = models.PositiveIntegerField(default=0, help_text="Rises with each new host.")
    lease_owner = models.CharField(max_length=64, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    house = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="Which place of the house's own matches it fills."
    )
    turn = models.PositiveIntegerField(
        null=True, blank=True, help_text="How many matches that place had before."
    )

    opener = models.CharField(
        max_length=64,
        blank=True,
        db_default="",
        help_text="The network that opened it (`games.people.addresses.kept`), while it is open.",
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["house"], condition=Q(over=False), name="table_one_a_house_place"
            )
        ]
        indexes = [
            models.Index(fields=["lease_until"], condition=Q(over=False), name="table_open"),
            models.Index(
                fields=["house", "turn"], condition=Q(house__isnull=False), name="table_house"
            ),
            models.Index(
                fields=["phase", "-id"], condition=Q(over=False, public=True), name="table_waiting"
            ),
            models.Index(
                fields=["-people", "-id"], condition=Q(over=False, public=True), name="table_shown"
            ),
            models.Index(fields=["created"], condition=Q(over=True), name="table_over"),
            models.Index(fields=["opener"], condition=Q(over=False), name="table_opener"),
        ]

    def __str__(self) -> str:
        return self.record_id


class Seated(models.Model):
    """A person's seat at an unfinished table (`games.tables.seats`)."""

    table = models.ForeignKey(
        LiveTable, on_delete=models.CASCADE, related_name="seated", db_index=False
    )
    person = models.CharField(max_length=71, help_text="As the plan knows who sits there.")
    number = models.PositiveSmallIntegerField(
        null=True, help_text="Which of the person's seats it is; none where they are not counted."
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "person"], name="seated_once"),
            models.UniqueConstraint(fields=["person", "number"], name="seated_number_once"),
        ]

    def __str__(self) -> str:
        return self.person


class Challenge(models.Model):
    """A person's request to a bot for a match (`games.tables.challenges`)."""

    key = models.CharField(max_length=24, unique=True)
    bot = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="challenges"
    )
    person = models.CharField(max_length=80, db_index=True, help_text="Who asks.")
    name = models.CharField(max_length=64, help_text="The name under which they play.")
    edition = models.CharField(max_length=32)
    overrides = models.JSONField(default=dict, help_text="Of the edition's rules.")
    private = models.BooleanField()
    made = models.DateTimeField(db_index=True)
    declined = models.BooleanField(default=False)
    opener = models.CharField(
        max_length=64, blank=True, db_default="", help_text="Where it comes from, as of a table."
    )
    table = models.CharField(max_length=64, blank=True, help_text="Once it is accepted.")

    def __str__(self) -> str:
        return self.key
