"""The language of a site's mail."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models

import games.models.site


class Migration(migrations.Migration):
    dependencies: ClassVar = [("games", "0016_password_digests")]

    operations: ClassVar = [
        migrations.AddField(
            model_name="sitesettings",
            name="language",
            field=models.CharField(
                choices=games.models.site.offered_languages,
                db_default="en",
                default="en",
                help_text="Of mails to accounts that have not chosen a language.",
                max_length=12,
            ),
        ),
    ]
