"""Lines of chats, reports about them, and mutes.

A room is a match or a review. Its lines are kept as long as its table or its review, and are not
part of any record.
"""

from django.db import models


class ChatLine(models.Model):
    """One line. `n` counts from 1 in its room, without gaps."""

    room = models.CharField(max_length=64, help_text="The match's id, or the review's key.")
    n = models.PositiveIntegerField()
    person = models.CharField(max_length=71, help_text="user:number or guest:key.")
    name = models.CharField(max_length=150)
    text = models.CharField(max_length=200)
    about = models.PositiveIntegerField(
        default=0, db_default=0, help_text="The chapter that a review of a study was at; 0: none."
    )
    created = models.DateTimeField(auto_now_add=True)
    hidden = models.BooleanField(default=False, help_text="Taken away by a moderator.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["room", "n"], name="chat_line_once")]
        indexes = [models.Index(fields=["person", "created"], name="chat_person")]

    def __str__(self) -> str:
        return f"{self.name}: {self.text}"


class ChatComplaint(models.Model):
    """A request that a moderator look at a line."""

    line = models.ForeignKey(
        ChatLine, on_delete=models.CASCADE, related_name="complaints", db_index=False
    )
    person = models.CharField(max_length=71, help_text="Who complains.")
    name = models.CharField(max_length=150, blank=True, help_text="As it was at that moment.")
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["line", "person"], name="chat_report_once")]

    def __str__(self) -> str:
        return f"complaint about line {self.line_id}"


class ChatMute(models.Model):
    """A person who may not write: in one room, or, if none is given, in any."""

    person = models.CharField(max_length=71, help_text="user:number or guest:key.")
    name = models.CharField(max_length=150, help_text="As it was at that moment.")
    room = models.CharField(max_length=64, blank=True, default="", help_text="Empty: everywhere.")
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["person", "room"], name="chat_mute_in_room_once")
        ]

    def __str__(self) -> str:
        return self.name
