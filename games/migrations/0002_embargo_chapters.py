"""An embargo stores the chapter whose question ends it, no longer that chapter's address."""

from __future__ import annotations

import re
from typing import Any

from django.db import migrations, models


def to_chapters(apps: Any, _editor: Any) -> None:
    """An embargo whose question is gone has nobody to answer it, and ends."""
    embargoes, chapters = apps.get_model("games.Embargo"), apps.get_model("replays.Chapter")
    for place in set(embargoes.objects.values_list("place", flat=True)):
        said = re.fullmatch(r".*/([^/]+)/(\d+)/", place)
        asked = {"study__key": said[1], "number": said[2]} if said else {"pk": None}
        found = chapters.objects.filter(**asked).first()
        rows = embargoes.objects.filter(place=place)
        rows.update(chapter=found.pk) if found else rows.delete()


class Migration(migrations.Migration):
    dependencies = [("games", "0001_initial"), ("replays", "0001_initial")]

    operations = [
        migrations.AddField(
            "embargo", "chapter", models.BigIntegerField(db_index=True, null=True)
        ),
        migrations.RunPython(to_chapters, migrations.RunPython.noop),
        migrations.RemoveField("embargo", "place"),
        migrations.AlterField("embargo", "chapter", models.BigIntegerField(db_index=True)),
    ]
