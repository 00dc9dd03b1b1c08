"""Figures store what is never searched compressed. Measures have changed since the last release, so
all are counted again, and nothing is copied."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models

from replays.models.players import PackedJSONField


class Migration(migrations.Migration):
    dependencies: ClassVar = [("replays", "0042_rated_seats")]

    operations: ClassVar = [
        migrations.RemoveField(model_name="seatfigures", name="digest"),
        migrations.RemoveField(model_name="seatfigures", name="spans"),
        migrations.RemoveField(model_name="seatfigures", name="costs"),
        migrations.AddField(
            model_name="seatfigures",
            name="spans",
            field=PackedJSONField(default=list, help_text="Missed takes: MissedSpan, as lists."),
        ),
        migrations.AddField(
            model_name="seatfigures",
            name="costs",
            field=PackedJSONField(default=dict, help_text="By kind of weakness: Cost, as lists."),
        ),
        migrations.AddIndex(
            model_name="seatfigures",
            index=models.Index(fields=["version", "seat"], name="figures_version"),
        ),
    ]
