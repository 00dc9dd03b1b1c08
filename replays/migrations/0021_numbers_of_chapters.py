from django.db import migrations, models
from django.db.models import OuterRef, Subquery
from django.db.models.functions import Coalesce


def count_numbers(apps, schema_editor):
    chapters = apps.get_model('replays', 'Chapter').objects.filter(study=OuterRef('pk'))
    highest = Subquery(chapters.order_by('-number').values('number')[:1])
    apps.get_model('replays', 'Study').objects.update(numbered=Coalesce(highest, 0))


class Migration(migrations.Migration):

    dependencies = [
        ('replays', '0020_versions_of_studies'),
    ]

    operations = [
        migrations.AddField(
            model_name='study',
            name='numbered',
            field=models.PositiveSmallIntegerField(db_default=0, default=0, help_text='The highest number that a chapter of it ever had.'),
        ),
        migrations.RunPython(count_numbers, migrations.RunPython.noop),
    ]
