"""Uploads of accounts are counted by address too; only the column's description changes."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0011_drop_outlines")]

    operations = [
        migrations.AlterField(
            model_name="upload",
            name="network",
            field=models.CharField(
                blank=True,
                db_default="",
                help_text="Where it came from (`games.people.addresses.kept`), for a day or two.",
                max_length=64,
            ),
        ),
    ]
