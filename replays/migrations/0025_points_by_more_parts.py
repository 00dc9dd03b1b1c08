"""Points have two more parts: noticing and mistakes. Workers count all matches again."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("replays", "0024_write_out_long_matches")]

    operations = [
        migrations.AddField("seatfigures", "by_noticing", models.FloatField(db_default=0)),
        migrations.AddField("seatfigures", "by_mistakes", models.FloatField(db_default=0)),
    ]
