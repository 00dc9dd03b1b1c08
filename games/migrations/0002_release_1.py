"""What release 1.0.0 added before it came out: fair deals with kept seeds, embargoes by chapter,
and children's accounts.
"""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("games", "0002_embargo_chapters"),
        ("games", "0003_fair_play"),
        ("games", "0004_kept_seeds"),
        ("games", "0005_supervised_accounts"),
    ]
    dependencies = [("games", "0001_initial")]

    operations = [
        migrations.RemoveField("embargo", "place"),
        migrations.AddField(
            "embargo",
            "chapter",
            models.BigIntegerField(db_index=True, default=0),
            preserve_default=False,
        ),
        migrations.AddField(
            "chunk",
            "digest",
            models.BinaryField(
                help_text="The log's digest after a packed round of a match played here.",
                max_length=32,
                null=True,
            ),
        ),
        migrations.CreateModel(
            "SealedSeed",
            [
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("round", models.PositiveSmallIntegerField()),
                ("seed", models.BinaryField(help_text="Null: it was thrown away.", max_length=32, null=True)),
                ("plan", models.JSONField(help_text="Who sat where when the seed was drawn.", null=True)),
                ("revealed", models.BinaryField(help_text="The last seed that was thrown away.", max_length=32, null=True)),
                ("table", models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name="sealed", to="games.livetable")),
            ],
        ),
        migrations.AddField(
            "account",
            "supervised",
            models.BooleanField(
                db_default=False,
                default=False,
                help_text="Made by a coach for a child: it does only what SUPERVISED_MAY names.",
            ),
        ),
    ]
