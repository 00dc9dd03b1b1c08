"""Indexes of what each seat has since the last two migrations."""

from django.db import migrations, models
from django.db.models import Q


SEATS = (
    (["player", "shown", "origin", "started_at", "match"], Q(shown__gt=0), "seat_shown"),
    (["user", "started_at", "match"], Q(user__isnull=False), "seat_of_user"),
    (["guest", "started_at", "match"], ~Q(guest=""), "seat_of_guest"),
    (["match"], Q(rated_wrongly=True), "seat_rated_wrongly"),
)
OPEN = models.Index(fields=["created"], condition=Q(state="open"), name="match_open")


class Migration(migrations.Migration):
    replaces = [("games", "0020_seat_indexes")]
    dependencies = [("games", "0016_release_2_2_seats")]

    operations = [
        migrations.RemoveIndex("seat", "seat_user"),
        migrations.RemoveIndex("seat", "seat_guest"),
        migrations.AddIndex("match", OPEN),
        *(
            migrations.AddIndex("seat", models.Index(fields=fields, condition=some, name=name))
            for fields, some, name in SEATS
        ),
    ]
