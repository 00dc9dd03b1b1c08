"""When a part of a job last got further, so that one which stands still is noticed."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("replays", "0031_situations_without_totals")]

    operations = [
        migrations.AddField(
            "jobpart",
            "moved",
            models.DateTimeField(help_text="When it last got further.", null=True),
        )
    ]
