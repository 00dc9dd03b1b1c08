"""What became of takes that were open is counted by searches for patterns."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("replays", "0037_notified_at"),
    ]

    operations = [
        migrations.DeleteModel(name="StoredSituations"),
    ]
