"""Where a challenge comes from, so that its table counts for that address."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0014_release_2_1_bots"),
    ]

    operations = [
        migrations.AddField(
            model_name="challenge",
            name="opener",
            field=models.CharField(
                blank=True,
                db_default="",
                help_text="Where it comes from, as of a table.",
                max_length=64,
            ),
        ),
    ]
