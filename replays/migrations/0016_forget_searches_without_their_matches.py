"""Searches made before said only where a pattern occurs, not in which other matches it does not."""

from typing import Any

from django.db import migrations


def forget(apps: Any, _editor: Any) -> None:
    apps.get_model("replays", "PatternSearch").objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [
        ("replays", "0015_reviews_of_studies"),
    ]

    operations = [
        migrations.RunPython(forget, migrations.RunPython.noop),
    ]
