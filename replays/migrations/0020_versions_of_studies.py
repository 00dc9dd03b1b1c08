import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('replays', '0019_drills_are_marked'),
    ]

    operations = [
        migrations.AddField(
            model_name='study',
            name='worded',
            field=models.DateTimeField(blank=True, help_text='When they did.', null=True),
        ),
        migrations.AddField(
            model_name='study',
            name='worded_by',
            field=models.CharField(blank=True, db_default='', help_text='Who changed title or introduction last, by name.', max_length=64),
        ),
        migrations.AlterField(
            model_name='chapterversion',
            name='fields',
            field=models.JSONField(help_text='What the API takes, to write it again.'),
        ),
        migrations.CreateModel(
            name='StudyVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('revision', models.PositiveIntegerField()),
                ('by', models.CharField(blank=True, help_text='Who had written it, by name.', max_length=64)),
                ('at', models.DateTimeField(help_text='When that had been written.')),
                ('fields', models.JSONField(help_text='What the API takes, to write it again.')),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='versions', to='replays.study')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('study', 'revision'), name='study_version_once')],
            },
        ),
    ]
