"""Where a day's end is told."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("replays", "0034_even_shares")]

    operations: ClassVar = [
        migrations.AlterField(
            model_name="homework",
            name="due",
            field=models.DateField(help_text="The last day; see `replays.classes.limits.ends`."),
        ),
    ]
