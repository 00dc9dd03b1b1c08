"""The sentence of the news that homework is done needs no plural."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("replays", "0035_homework_due"),
    ]

    operations = [
        migrations.AlterField(
            model_name="news",
            name="kind",
            field=models.CharField(
                choices=[
                    ("mention", "{by} mentioned you in a note on {about}"),
                    ("reply", "{by} replied to your note on {about}"),
                    ("notes", "{by} shared notes with you on {about}"),
                    ("playlist", "{by} shared a playlist with you: {about}"),
                    ("study", "{by} shared a study with you: {about}"),
                    ("table", "{by} opened a table for {about}"),
                    ("review", "{by} began a review for your class: {about}"),
                    ("homework", "{by} gave you homework: {about}"),
                    ("reminder", "{by} reminds you of {about}"),
                    ("done", "Done by {by}: {about}"),
                    ("live", "{by} began a match: {about}"),
                    ("taken", "{by} has taken your account back into the class {about}"),
                ],
                max_length=8,
            ),
        ),
    ]
