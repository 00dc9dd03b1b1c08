"""What live matches need besides their logs (games.models)."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0002_append_only'),
    ]

    operations = [
        migrations.CreateModel(
            name='Reply',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('process', models.CharField(db_index=True, help_text='Who asked.', max_length=64)),
                ('body', models.JSONField()),
                ('created', models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name='LiveTable',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('record_id', models.CharField(max_length=64, unique=True)),
                ('plan', models.JSONField(help_text='Who sits where, under which rules.')),
                ('plan_version', models.PositiveIntegerField(default=0, help_text='Rises with each change.')),
                ('kept', models.JSONField(default=dict, help_text='What outlives the host besides the lines.')),
                ('state', models.JSONField(default=dict, help_text='What viewers are told besides the lines.')),
                ('state_version', models.PositiveIntegerField(default=0, help_text='Rises with each change.')),
                ('over', models.BooleanField(default=False)),
                ('created', models.DateTimeField(auto_now_add=True)),
                ('epoch', models.PositiveIntegerField(default=0, help_text='Rises with each new host.')),
                ('lease_owner', models.CharField(blank=True, max_length=64)),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('over', False)), fields=['lease_until'], name='table_open')],
            },
        ),
        migrations.CreateModel(
            name='Errand',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('process', models.CharField(help_text='Who asks.', max_length=64)),
                ('body', models.JSONField()),
                ('created', models.DateTimeField(auto_now_add=True)),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='errands', to='games.livetable')),
            ],
        ),
        migrations.CreateModel(
            name='Answered',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('round', models.PositiveSmallIntegerField()),
                ('seq', models.PositiveIntegerField()),
                ('seat', models.PositiveSmallIntegerField()),
                ('action_id', models.CharField(max_length=36)),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='answered', to='games.livetable')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('table', 'seat', 'action_id', 'round'), name='answered_once')],
            },
        ),
    ]
