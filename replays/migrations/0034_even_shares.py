"""The cards that each seat took from rivals, and an even share of them."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("replays", "0033_taken_back")]

    operations = [
        migrations.AddField(
            "seatfigures", "rivals", models.PositiveIntegerField(db_default=0)
        ),
        migrations.AddField("seatfigures", "even_share", models.FloatField(db_default=0)),
    ]
