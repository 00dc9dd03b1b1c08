"""Homework that is played: so many matches, or ghost races."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("replays", "0040_clips"),
    ]

    operations = [
        migrations.AddField(
            model_name="homework",
            name="count",
            field=models.PositiveSmallIntegerField(
                db_default=0, default=0, help_text="How many matches or ghost races."
            ),
        ),
        migrations.AlterField(
            model_name="homework",
            name="kind",
            field=models.CharField(
                choices=[
                    ("study", "a study or chapter"),
                    ("drill", "a playlist to practise"),
                    ("matches", "matches to play"),
                    ("races", "ghost races"),
                    ("closed", "a kind that is no longer given"),
                ],
                default="study",
                max_length=7,
            ),
        ),
    ]
