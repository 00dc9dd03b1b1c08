"""What release 2.0.0 changed: classes' tables, complaints in place of reports, players found by the
skeletons of accounts, which now ignore case in every script. Outlines of rounds are gone.
"""

from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from games.people.names import skeleton

BATCH = 500


def compare_anew(apps: Any, _editor: Any) -> None:
    players = apps.get_model("games", "Player").objects
    _store(players, ((row.pk, row.name) for row in players.only("pk", "name").iterator(BATCH)))
    accounts = apps.get_model("games", "Account").objects
    _store(accounts, ((row.pk, row.name) for row in accounts.only("pk", "name").iterator(BATCH)))
    # Only the skeletons of former names are known.
    former = apps.get_model("games", "FormerName").objects
    _store(former, ((row.pk, row.skeleton) for row in former.iterator(BATCH)))


def _store(rows: Any, named: Any) -> None:
    changed = [rows.model(pk=pk, skeleton=skeleton(name)) for pk, name in named]
    rows.bulk_update(changed, ["skeleton"], batch_size=BATCH)


def _class_key(words: str) -> models.CharField:
    return models.CharField(
        blank=True, db_default="", db_index=True, default="", help_text=words, max_length=64
    )


def _complaints(about: str) -> models.ForeignKey:
    return models.ForeignKey(
        db_index=False,
        on_delete=django.db.models.deletion.CASCADE,
        related_name="complaints",
        to=about,
    )


class Migration(migrations.Migration):
    replaces = [
        ("games", "0006_class_audience"),
        ("games", "0007_several_embargoes"),
        ("games", "0008_complaints"),
        ("games", "0009_names_by_skeleton"),
        ("games", "0010_embargo_account"),
        ("games", "0011_drop_outlines"),
        ("games", "0012_uploads_by_address"),
    ]
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("games", "0002_release_1"),
    ]

    operations = [
        migrations.AddField(
            "livetable", "school_class", _class_key("The key of the class whose table it is.")
        ),
        migrations.AddField(
            "match",
            "school_class",
            _class_key(
                "The key of the class that alone may see it; empty: it is no match of a class."
            ),
        ),
        migrations.RemoveConstraint("embargo", "embargo_once"),
        migrations.AddConstraint(
            "embargo",
            models.UniqueConstraint(fields=("match", "person", "chapter"), name="embargo_once"),
        ),
        migrations.AddField(
            "embargo",
            "account",
            models.ForeignKey(
                blank=True,
                help_text="The account that this person's browser was logged in to.",
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.RenameModel("ChatReport", "ChatComplaint"),
        migrations.RenameModel("MatchReport", "MatchComplaint"),
        migrations.AlterField("chatcomplaint", "line", _complaints("games.chatline")),
        migrations.AlterField("matchcomplaint", "match", _complaints("games.match")),
        migrations.AlterField(
            "chatcomplaint", "person", models.CharField(help_text="Who complains.", max_length=64)
        ),
        migrations.DeleteModel("RoundOutline"),
        migrations.AlterField(
            "upload",
            "network",
            models.CharField(
                blank=True,
                db_default="",
                help_text="Where it came from (`games.people.addresses.kept`), for a day or two.",
                max_length=64,
            ),
        ),
        migrations.RenameField("player", "folded", "skeleton"),
        migrations.AlterField(
            "player",
            "skeleton",
            models.CharField(
                db_index=True,
                help_text="What the name is found by (games.people.names).",
                max_length=600,
            ),
        ),
        migrations.RunPython(compare_anew, migrations.RunPython.noop, elidable=True),
    ]
