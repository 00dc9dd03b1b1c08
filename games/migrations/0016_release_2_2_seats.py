"""Copy to each seat what it has of its match: in batches, so that it can be interrupted."""

from django.db import migrations
from django.db.models import Case, F, Max, OuterRef, Q, Subquery, When
from django.db.models.lookups import Exact

BATCH = 10_000
"""Matches."""


def fill(apps, _schema_editor):
    matches = apps.get_model("games", "Match").objects
    seats = apps.get_model("games", "Seat").objects
    of_seat = matches.filter(pk=OuterRef("match_id"))
    listed = Q(Exact(F("filter_bits").bitand(1), 1))
    shown = Case(When(listed & Q(state="finished"), then=2), When(listed, then=1), default=0)
    newest = matches.aggregate(newest=Max("pk"))["newest"] or 0
    for first in range(1, newest + 1, BATCH):
        seats.filter(match__gte=first, match__lt=first + BATCH).update(
            origin=Subquery(of_seat.values("origin")), shown=Subquery(of_seat.values(found=shown))
        )


class Migration(migrations.Migration):
    replaces = [("games", "0019_fill_seats")]
    dependencies = [("games", "0015_release_2_2")]
    atomic = False

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
