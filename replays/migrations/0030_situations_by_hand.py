"""Situations are counted by the stack and the hand alone."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("replays", "0029_drop_tag_buttons")]

    operations = [
        migrations.AlterField(
            "situationtotals",
            "cells",
            models.JSONField(default=dict, help_text="By hand: `Cell`."),
        )
    ]
