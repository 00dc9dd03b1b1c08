"""The temporary data of the processes that host matches.

Rows are deleted when they are no longer needed. `games.tables.retention` deletes those of tables
that have long been over.
"""

from django.db import models

from games.models.tables import LiveTable


class AnsweredAction(models.Model):
    """The answer to a client's action, for as long as the client may retry: a line or a refusal."""

    table = models.ForeignKey(LiveTable, on_delete=models.CASCADE, related_name="answered")
    round = models.PositiveSmallIntegerField()
    seq = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField()
    action_id = models.CharField(max_length=36)
    refused = models.JSONField(null=True, help_text="Why it was refused; then `seq` is 0.")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["table", "seat", "action_id", "round"], name="answered_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.action_id} of seat {self.seat}"


class SealedSeed(models.Model):
    """The seed of a round that is not dealt yet: anyone with it knows the decks.

    It is stored before its commitment is shown, so that every host deals from the same one. One
    that is thrown away is kept as `revealed`, so that every host shows it.
    """

    table = models.OneToOneField(LiveTable, on_delete=models.CASCADE, related_name="sealed")
    round = models.PositiveSmallIntegerField()
    seed = models.BinaryField(max_length=32, null=True, help_text="Null: it was thrown away.")
    plan = models.JSONField(null=True, help_text="Who sat where when the seed was drawn.")
    revealed = models.BinaryField(
        max_length=32, null=True, help_text="The last seed that was thrown away."
    )

    def __str__(self) -> str:
        return f"seed of round {self.round}"


class RelayRequest(models.Model):
    """A request from one process about a table that another one hosts."""

    table = models.ForeignKey(LiveTable, on_delete=models.CASCADE, related_name="requests")
    process = models.CharField(max_length=64, help_text="Who asks.")
    body = models.JSONField()
    created = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"request of {self.process}"


class RelayReply(models.Model):
    """A host's reply to a connection in another process."""

    process = models.CharField(max_length=64, db_index=True, help_text="Who asked.")
    body = models.JSONField()
    created = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"reply to {self.process}"
