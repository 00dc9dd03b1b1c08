"""What lists of a player's matches look for, on each seat."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("games", "0017_sitesettings_language")]

    operations: ClassVar = [
        migrations.AddField(
            model_name="seat",
            name="origin",
            field=models.CharField(db_default="", help_text="As of the match.", max_length=9),
        ),
        migrations.AddField(
            model_name="seat",
            name="rated",
            field=models.BooleanField(
                db_default=False,
                default=False,
                help_text="A ledger of ratings has a line about it.",
            ),
        ),
        migrations.AddField(
            model_name="seat",
            name="shown",
            field=models.PositiveSmallIntegerField(
                db_default=0,
                default=0,
                help_text="What pages of players show of the match: `Shown`.",
            ),
        ),
        migrations.AddField(
            model_name="seat",
            name="rated_wrongly",
            field=models.GeneratedField(
                db_persist=True,
                expression=models.Q(
                    ("rated", True), models.Q(("user", None), ("shown__lt", 2), _connector="OR")
                ),
                output_field=models.BooleanField(),
            ),
        ),
    ]
