"""A child's account that was deleted or handed over can be restored for a while."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("replays", "0020_close_homework_of_matches_and_ghosts")]

    operations = [
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
    ]
