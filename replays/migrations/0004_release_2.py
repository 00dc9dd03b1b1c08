"""What release 2.0.0 changed: classes as an audience, questions to classes in reviews, news, points
and costs of players, situations, jobs by messages, complaints in place of reports.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

CASCADE = django.db.models.deletion.CASCADE
AUDIENCES = [
    ("self", "only me"),
    ("link", "anyone with the link"),
    ("people", "named people"),
    ("class", "a class"),
    ("everyone", "everyone"),
]
FOR_CLASS = "The key of the class that it is for"


def _class_key(words: str) -> models.CharField:
    return models.CharField(blank=True, db_default="", default="", help_text=words, max_length=64)


def _visibility() -> models.CharField:
    return models.CharField(choices=AUDIENCES, db_default="self", default="self", max_length=8)


class Migration(migrations.Migration):
    replaces = [
        ("replays", "0003_class_audience"),
        ("replays", "0004_review_asking"),
        ("replays", "0005_points"),
        ("replays", "0006_costs"),
        ("replays", "0007_news"),
        ("replays", "0008_asked_matches"),
        ("replays", "0009_habits"),
        ("replays", "0010_ghosts_as_homework"),
        ("replays", "0011_news_elsewhere"),
        ("replays", "0012_situations"),
        ("replays", "0013_titles_of_homework"),
        ("replays", "0014_complaints"),
        ("replays", "0015_drop_push_subscriptions"),
        ("replays", "0017_drop_habits_of_players"),
        ("replays", "0021_restore_accounts_of_children"),
        ("replays", "0025_points_by_more_parts"),
        ("replays", "0026_situations_without_groups"),
    ]
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("games", "0006_release_2"),
        ("replays", "0003_close_what_release_2_dropped"),
    ]

    operations = [
        *(
            migrations.AddField(name, "school_class", _class_key(f"{FOR_CLASS}."))
            for name in ("historicalnote", "note", "playlist", "study", "variation")
        ),
        migrations.AddField(
            "review",
            "school_class",
            _class_key(f"{FOR_CLASS}; empty: for whoever has the link."),
        ),
        *(
            migrations.AlterField(name, "visibility", _visibility())
            for name in ("historicalnote", "note", "playlist", "study", "variation")
        ),
        migrations.AddField(
            "review",
            "asking",
            models.PositiveSmallIntegerField(
                db_default=0,
                default=0,
                help_text="The chapter whose question the class is asked now; 0: none.",
            ),
        ),
        migrations.AddField(
            "review",
            "asked",
            models.PositiveSmallIntegerField(
                db_default=0,
                default=0,
                help_text="The chapter whose question it was asked last.",
            ),
        ),
        migrations.AddField(
            "review", "asked_at", models.DateTimeField(blank=True, null=True)
        ),
        migrations.AddField(
            "review",
            "coached_at",
            models.DateTimeField(
                blank=True,
                help_text="When a coach was last here while the class was asked.",
                null=True,
            ),
        ),
        migrations.AddField(
            "review",
            "forgotten",
            models.CharField(
                blank=True,
                db_default="",
                help_text="Why the last question ended by itself (`replays.reviews.forgetting`).",
                max_length=4,
            ),
        ),
        migrations.AddIndex(
            "review",
            models.Index(
                condition=models.Q(("asking", 0), _negated=True),
                fields=["id"],
                name="review_asking",
            ),
        ),
        migrations.AddField(
            "study",
            "asked_in",
            models.OneToOneField(
                blank=True,
                help_text="The review of a match whose class is asked its questions; in no list.",
                null=True,
                on_delete=CASCADE,
                related_name="questions",
                to="replays.review",
            ),
        ),
        migrations.DeleteModel("ChapterVersion"),
        migrations.DeleteModel("StudyVersion"),
        migrations.RemoveIndex("seatfigures", "figures_pool"),
        migrations.RemoveField("seatfigures", "pool"),
        *(
            migrations.AddField("seatfigures", f"by_{part}", models.FloatField(db_default=0))
            for part in ("cards", "choice", "line", "speed", "table", "noticing", "mistakes")
        ),
        migrations.AddField(
            "seatfigures",
            "costs",
            models.JSONField(
                db_default={}, default=dict, help_text="By kind of weakness: Cost, as lists."
            ),
        ),
        migrations.RemoveField("assignment", "reminded"),
        migrations.AddField(
            "assignment",
            "told",
            models.DateTimeField(
                blank=True, help_text="When its coaches were told that it is done.", null=True
            ),
        ),
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
        migrations.RemoveField("homework", "count"),
        migrations.RemoveField("homework", "level"),
        migrations.DeleteModel("HomeworkCalendar"),
        migrations.AddField(
            "classmember",
            "deleted",
            models.DateTimeField(
                blank=True, help_text="When a coach deleted this child's account.", null=True
            ),
        ),
        migrations.AddField(
            "classmember",
            "handed_over",
            models.DateTimeField(
                blank=True, help_text="When a coach handed this child's account over.", null=True
            ),
        ),
        migrations.CreateModel(
            name='News',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('mention', 'mentioned you in a note on'), ('reply', 'replied to your note on'), ('notes', 'shared notes with you on'), ('playlist', 'shared a playlist with you:'), ('study', 'shared a study with you:'), ('table', 'opened a table for'), ('review', 'began a review for your class:'), ('homework', 'gave you homework:'), ('reminder', 'reminds you of'), ('done', 'have done')], max_length=8)),
                ('key', models.CharField(help_text="Of what it is about; a match's number.", max_length=64)),
                ('by', models.CharField(blank=True, help_text='Who did it, by name.', max_length=150)),
                ('at', models.DateTimeField()),
                ('read', models.DateTimeField(blank=True, null=True)),
                ('user', models.ForeignKey(on_delete=CASCADE, related_name='news', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name_plural': 'news',
                'indexes': [models.Index(fields=['user', '-at'], name='news_newest'), models.Index(condition=models.Q(('read', None)), fields=['user'], name='news_unread')],
                'constraints': [models.UniqueConstraint(fields=('user', 'kind', 'key'), name='told_once')],
            },
        ),
        migrations.CreateModel(
            name='NewsSettings',
            fields=[
                ('user', models.OneToOneField(on_delete=CASCADE, primary_key=True, related_name='+', serialize=False, to=settings.AUTH_USER_MODEL)),
                ('mail', models.BooleanField(default=False, help_text='An email of what is new, once a day.')),
                ('zone', models.CharField(default='UTC', help_text='Its time zone.', max_length=64)),
                ('quiet_from', models.PositiveSmallIntegerField(default=21, help_text='The hour there.')),
                ('quiet_until', models.PositiveSmallIntegerField(default=7)),
                ('mailed_on', models.DateField(blank=True, help_text='The last day with one; days begin at `quiet_until`.', null=True)),
                ('mailed_until', models.DateTimeField(blank=True, help_text='What was told before is in none.', null=True)),
            ],
            options={
                'verbose_name_plural': 'news settings',
                'indexes': [models.Index(condition=models.Q(('mail', True)), fields=['user'], name='news_mailed')],
            },
        ),
        migrations.CreateModel(
            name='SituationTotals',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.CharField(max_length=80)),
                ('block', models.CharField(help_text='The top card and the height.', max_length=8)),
                ('cells', models.JSONField(default=dict, help_text='By hand, score and rank: `Cell`.')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('version', 'block'), name='situations_once')],
            },
        ),
        migrations.CreateModel(
            name='StoredSituations',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.CharField(help_text='Of the measures and the situations.', max_length=80)),
                ('summed', models.BooleanField(default=False, help_text='Whether the totals include it.')),
                ('body', models.BinaryField()),
                ('match', models.OneToOneField(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='situations', to='games.match')),
            ],
        ),
        migrations.RenameModel("NoteReport", "NoteComplaint"),
        migrations.RenameModel("StudyReport", "StudyComplaint"),
        migrations.RenameModel("ReviewLineReport", "ReviewLineComplaint"),
        migrations.AlterField(
            "notecomplaint",
            "note",
            models.ForeignKey(on_delete=CASCADE, related_name="complaints", to="replays.note"),
        ),
        migrations.AlterField(
            "studycomplaint",
            "study",
            models.ForeignKey(on_delete=CASCADE, related_name="complaints", to="replays.study"),
        ),
        migrations.AddField(
            "patternsearch",
            "query",
            models.JSONField(
                db_default={}, default=dict, help_text="The fields of PatternQuery that were given."
            ),
        ),
        migrations.AddField(
            "answeredrequest",
            "user",
            models.ForeignKey(
                blank=True,
                null=True,
                on_delete=CASCADE,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
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
                ('job', models.ForeignKey(on_delete=CASCADE, related_name='parts', to='replays.job')),
            ],
            options={
                'indexes': [models.Index(fields=['over', 'worker', 'turn'], name='job_part_turn')],
                'constraints': [models.UniqueConstraint(fields=('job', 'number'), name='job_part_once')],
            },
        ),
    ]
