"""Clips of spans are kept for a week."""

import django.db.models.deletion
from django.db import migrations, models

import replays.models.sharing


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0017_sitesettings_language"),
        ("replays", "0039_class_groups"),
    ]

    operations = [
        migrations.CreateModel(
            name="Clip",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "key",
                    models.CharField(
                        default=replays.models.sharing.new_key, max_length=64, unique=True
                    ),
                ),
                (
                    "subject",
                    models.CharField(
                        help_text="A digest of what it shows.", max_length=64, unique=True
                    ),
                ),
                ("body", models.BinaryField()),
                ("created", models.DateTimeField(auto_now_add=True, db_index=True)),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="clips",
                        to="games.match",
                    ),
                ),
            ],
        ),
    ]
