"""Homework is studies and playlists; matches and ghosts given before are closed, and stay readable.

What pupils had done of them is kept: the day on which their coaches were told of it.
"""

from django.db import migrations, models

GONE = ("matches", "ghost")


def close(apps, schema_editor):
    """Close what is no longer given, under a title that shows nobody's name."""
    homework = apps.get_model("replays", "Homework")
    for given in homework.objects.filter(kind="ghost").iterator():
        given.title = f"Beat a ghost, round {given.race[0]}" if given.race else "Beat a ghost"
        given.save(update_fields=["title"])
    homework.objects.filter(kind__in=GONE).update(kind="closed")


class Migration(migrations.Migration):
    dependencies = [("replays", "0019_patterns_as_fields")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameField("homework", "given_title", "title"),
                migrations.AlterField("homework", "title", models.CharField(max_length=220)),
            ]
        ),
        migrations.RunPython(close, migrations.RunPython.noop, elidable=False),
        migrations.AlterField(
            "homework",
            "kind",
            models.CharField(
                choices=[
                    ("study", "a study or chapter"),
                    ("drill", "a drill of a playlist"),
                    ("closed", "a kind that is no longer given"),
                ],
                default="study",
                max_length=7,
            ),
        ),
        *(
            migrations.RemoveField("homework", name)
            for name in ("match", "race", "count", "level")
        ),
        migrations.DeleteModel("GhostRaceEnd"),
        migrations.DeleteModel("HomeworkCalendar"),
    ]
