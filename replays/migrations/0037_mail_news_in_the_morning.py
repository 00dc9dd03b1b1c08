from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    """News is mailed in the morning, to every account at the same hours."""

    dependencies: ClassVar = [("replays", "0036_drop_study_files")]

    operations: ClassVar = [
        migrations.DeleteModel("StudyFile"),
        migrations.RemoveField("newssettings", "quiet_from"),
        migrations.RemoveField("newssettings", "quiet_until"),
        migrations.RemoveField("newssettings", "zone"),
        migrations.AlterField(
            "newssettings",
            "mailed_on",
            models.DateField(blank=True, help_text="The last day with one, in UTC.", null=True),
        ),
    ]
