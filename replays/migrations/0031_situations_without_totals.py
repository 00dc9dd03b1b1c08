"""Situations are summed when they are read. Counts of matches that are gone go."""

from typing import Any

from django.db import migrations, models


def drop_orphans(apps: Any, _editor: Any) -> None:
    """Delete the counts of deleted matches."""
    apps.get_model("replays", "StoredSituations").objects.filter(match=None).delete()


class Migration(migrations.Migration):
    dependencies = [("replays", "0030_situations_by_hand")]

    operations = [
        migrations.DeleteModel("SituationTotals"),
        migrations.RunPython(drop_orphans, migrations.RunPython.noop),
        migrations.RemoveField("storedsituations", "summed"),
        migrations.AlterField(
            "storedsituations",
            "match",
            models.OneToOneField(
                on_delete=models.CASCADE, related_name="situations", to="games.match"
            ),
        ),
    ]
