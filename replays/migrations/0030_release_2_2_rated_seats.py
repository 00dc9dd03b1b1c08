"""Mark the seats about which a ledger has a line: in batches, so that it can be interrupted."""

from django.db import migrations
from django.db.models import Exists, Max, OuterRef

BATCH = 10_000
"""Matches."""


def mark(apps, _schema_editor):
    changes = apps.get_model("replays", "RatingChange").objects
    seats = apps.get_model("games", "Seat").objects
    lines = changes.filter(match=OuterRef("match"), player=OuterRef("player"))
    newest = changes.aggregate(newest=Max("match"))["newest"] or 0
    for first in range(1, newest + 1, BATCH):
        some = seats.filter(match__gte=first, match__lt=first + BATCH, rated=False)
        some.filter(Exists(lines)).update(rated=True)


class Migration(migrations.Migration):
    replaces = [("replays", "0042_rated_seats")]
    dependencies = [("games", "0015_release_2_2"), ("replays", "0029_release_2_2")]
    atomic = False

    operations = [
        migrations.RunPython(mark, migrations.RunPython.noop),
    ]
