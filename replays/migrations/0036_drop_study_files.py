from typing import Any, ClassVar

from django.db import migrations

MARK = "unfinished:"


def forget_imports(apps: Any, _editor: Any) -> None:
    """Delete studies that were still being imported or copied, with imported matches and jobs."""
    uploads = apps.get_model("games", "Upload").objects.filter(person__startswith=MARK)
    matches = [pk for pk in uploads.values_list("match", flat=True) if pk]
    seats = apps.get_model("games", "Seat").objects
    players = set(seats.filter(match__in=matches).values_list("player", flat=True))
    apps.get_model("replays", "HistoricalNote").objects.filter(owner__startswith=MARK).delete()
    uploads.delete()
    apps.get_model("replays", "Study").objects.filter(owner__startswith=MARK).delete()
    apps.get_model("games", "Chunk").objects.filter(match__in=matches).delete()
    seats.filter(match__in=matches).delete()
    apps.get_model("games", "Match").objects.filter(pk__in=matches).delete()
    gone = players - set(seats.filter(player__in=players).values_list("player", flat=True))
    apps.get_model("games", "Player").objects.filter(pk__in=gone).delete()
    apps.get_model("replays", "Job").objects.filter(kind__in=("study", "simulation")).delete()


class Migration(migrations.Migration):
    """Studies are no longer imported from files. The next one drops their table: PostgreSQL can't
    in the transaction that deletes rows.
    """

    dependencies: ClassVar = [
        ("games", "0021_say_site_settings_plainly"),
        ("replays", "0035_drop_bot_ladders"),
    ]

    operations: ClassVar = [migrations.RunPython(forget_imports, migrations.RunPython.noop)]
