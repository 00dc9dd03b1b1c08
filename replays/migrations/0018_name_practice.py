"""What was called a drill is called practice: its studies are named so, too."""

from typing import ClassVar

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

OLD, NEW = "Drill: ", "Practise: "


def rename(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    studies = apps.get_model("replays", "Study")._default_manager
    for study in studies.filter(drill=True, title__startswith=OLD).iterator():
        study.title = (NEW + study.title.removeprefix(OLD))[:100]
        study.save(update_fields=["title"])


class Migration(migrations.Migration):
    dependencies: ClassVar = [("replays", "0017_drop_habits_of_players")]

    operations: ClassVar = [migrations.RunPython(rename, migrations.RunPython.noop)]
