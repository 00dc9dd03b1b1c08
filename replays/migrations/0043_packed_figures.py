"""Figures store what is never searched compressed. Measures have changed since the last release, so
all are counted again, and nothing is copied."""

from django.db import migrations, models

from replays.models.players import PackedJSONField

SPANS = PackedJSONField(default=list, help_text="Missed takes: MissedSpan, as lists.")
COSTS = PackedJSONField(default=dict, help_text="By kind of weakness: Cost, as lists.")


class Migration(migrations.Migration):
    dependencies = [("replays", "0042_rated_seats")]

    operations = [
        *(migrations.RemoveField("seatfigures", name) for name in ("digest", "spans", "costs")),
        migrations.AddField("seatfigures", "spans", SPANS),
        migrations.AddField("seatfigures", "costs", COSTS),
        migrations.AddIndex(
            "seatfigures", models.Index(fields=["version", "seat"], name="figures_version")
        ),
    ]
