"""Situations are counted for all public matches at once. Workers count them again."""

from typing import Any

from django.db import migrations, models


def forget(apps: Any, schema_editor: Any) -> None:
    for name in ("SituationTotals", "StoredSituations"):
        apps.get_model("replays", name).objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [("replays", "0025_points_by_more_parts")]

    operations = [
        migrations.RunPython(forget, migrations.RunPython.noop),
        migrations.RemoveConstraint("situationtotals", "situations_once"),
        migrations.RemoveField("situationtotals", "group"),
        migrations.RemoveField("storedsituations", "group"),
        migrations.AddConstraint(
            "situationtotals",
            models.UniqueConstraint(fields=["version", "block"], name="situations_once"),
        ),
    ]
