"""What lists of a player's matches look for, on each seat."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("games", "0017_sitesettings_language")]

    operations = [
        migrations.AddField(
            "seat",
            "origin",
            models.CharField(db_default="", help_text="As of the match.", max_length=9),
        ),
        migrations.AddField(
            "seat",
            "rated",
            models.BooleanField(
                db_default=False,
                default=False,
                help_text="A ledger of ratings has a line about it.",
            ),
        ),
        migrations.AddField(
            "seat",
            "shown",
            models.PositiveSmallIntegerField(
                db_default=0,
                default=0,
                help_text="What pages of players show of the match: `Shown`.",
            ),
        ),
        migrations.AddField(
            "seat",
            "rated_wrongly",
            models.GeneratedField(
                db_persist=True,
                expression=Q(rated=True) & (Q(user=None) | Q(shown__lt=2)),
                output_field=models.BooleanField(),
            ),
        ),
    ]
