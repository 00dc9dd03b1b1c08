"""Players are found by the same skeleton as accounts; it now ignores case in every script."""

from typing import Any

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


class Migration(migrations.Migration):
    dependencies = [("games", "0008_complaints")]

    operations = [
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
