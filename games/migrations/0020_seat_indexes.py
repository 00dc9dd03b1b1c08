"""Indexes of what each seat has since the last two migrations."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("games", "0019_fill_seats")]

    operations: ClassVar = [
        migrations.RemoveIndex(
            model_name="seat",
            name="seat_user",
        ),
        migrations.RemoveIndex(
            model_name="seat",
            name="seat_guest",
        ),
        migrations.AddIndex(
            model_name="match",
            index=models.Index(
                condition=models.Q(("state", "open")), fields=["created"], name="match_open"
            ),
        ),
        migrations.AddIndex(
            model_name="seat",
            index=models.Index(
                condition=models.Q(("shown__gt", 0)),
                fields=["player", "shown", "origin", "started_at", "match"],
                name="seat_shown",
            ),
        ),
        migrations.AddIndex(
            model_name="seat",
            index=models.Index(
                condition=models.Q(("user__isnull", False)),
                fields=["user", "started_at", "match"],
                name="seat_of_user",
            ),
        ),
        migrations.AddIndex(
            model_name="seat",
            index=models.Index(
                condition=models.Q(("guest", ""), _negated=True),
                fields=["guest", "started_at", "match"],
                name="seat_of_guest",
            ),
        ),
        migrations.AddIndex(
            model_name="seat",
            index=models.Index(
                condition=models.Q(("rated_wrongly", True)),
                fields=["match"],
                name="seat_rated_wrongly",
            ),
        ),
    ]
