"""Parts of jobs by messages. Jobs under way are ended: their parts cannot be taken over."""

from typing import Any, ClassVar

import django.db.models.deletion
from django.db import migrations, models
from django.utils import timezone

CAUSE = "The site was updated in the middle of it. Please start it again."


def end_jobs(apps: Any, schema_editor: Any) -> None:
    jobs = apps.get_model("replays", "Job").objects.filter(state__in=("waiting", "running"))
    jobs.update(state="failed", error=CAUSE, ended=timezone.now())


class Migration(migrations.Migration):
    dependencies: ClassVar = [("replays", "0021_restore_accounts_of_children")]

    operations: ClassVar = [
        migrations.RunPython(end_jobs, migrations.RunPython.noop),
        migrations.RemoveField(model_name="job", name="served"),
        migrations.DeleteModel(name="JobPart"),
        migrations.CreateModel(
            name='LastRun',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=32, unique=True)),
                ('at', models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name='JobPart',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('turn', models.PositiveIntegerField(help_text='How many open parts its owner had before it.')),
                ('closes', models.BooleanField(default=False, help_text='Done after all the others.')),
                ('share', models.JSONField(blank=True, null=True)),
                ('units', models.PositiveIntegerField(default=0)),
                ('done', models.PositiveIntegerField(default=0, help_text='Of its units.')),
                ('found', models.JSONField(blank=True, help_text='So far; kept when it is done again.', null=True)),
                ('over', models.BooleanField(default=False)),
                ('worker', models.CharField(blank=True, help_text='Who has it; empty: nobody.', max_length=43)),
                ('seen', models.DateTimeField(blank=True, help_text="That worker's sign of life.", null=True)),
                ('tries', models.PositiveSmallIntegerField(default=0)),
                ('job', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='parts', to='replays.job')),
            ],
            options={
                'indexes': [models.Index(fields=['over', 'worker', 'turn'], name='job_part_turn')],
                'constraints': [models.UniqueConstraint(fields=('job', 'number'), name='job_part_once')],
            },
        ),
    ]
