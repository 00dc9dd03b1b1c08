from django.db import migrations, models


def mark(apps, schema_editor):
    """Mark the drills that have been made before."""
    made = apps.get_model("replays", "Study").objects.filter(key__startswith="drill-")
    made.filter(title__startswith="Drill: ").update(drill=True)


class Migration(migrations.Migration):

    dependencies = [
        ('replays', '0018_versions_of_pattern_searches'),
    ]

    operations = [
        migrations.AddField(
            model_name='study',
            name='drill',
            field=models.BooleanField(db_default=False, default=False, help_text='Made of a playlist (`replays.studies.drills`).'),
        ),
        migrations.RunPython(mark, migrations.RunPython.noop, elidable=True),
    ]
