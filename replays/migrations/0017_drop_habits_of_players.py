"""Habits, and the style that compared players with others, are not told any more."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("replays", "0016_write_out_study_versions")]

    operations = [
        migrations.RemoveIndex("seatfigures", "figures_pool"),
        migrations.RemoveField("seatfigures", "habits"),
        migrations.RemoveField("seatfigures", "pool"),
    ]
