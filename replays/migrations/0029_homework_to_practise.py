"""Homework that was called a drill is a playlist to practise."""

from typing import ClassVar

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps
from django.db.models import Value
from django.db.models.functions import Concat, Substr

OLD, NEW = "Drill: ", "Practise: "


def rename(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    homework = apps.get_model("replays", "Homework")._default_manager
    drills = homework.filter(kind="drill", title__startswith=OLD)
    drills.update(title=Concat(Value(NEW), Substr("title", len(OLD) + 1)))


class Migration(migrations.Migration):
    dependencies: ClassVar = [("replays", "0028_one_chat")]

    operations: ClassVar = [
        migrations.RunPython(rename, migrations.RunPython.noop),
        migrations.AlterField(
            "homework",
            "kind",
            models.CharField(
                choices=[
                    ("study", "a study or chapter"),
                    ("drill", "a playlist to practise"),
                    ("closed", "a kind that is no longer given"),
                ],
                default="study",
                max_length=7,
            ),
        ),
    ]
