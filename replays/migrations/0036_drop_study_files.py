from typing import Any, ClassVar

from django.db import migrations


def forget_imports(apps: Any, _editor: Any) -> None:
    """Delete studies whose file was still being imported, and the matches that came with them."""
    halves = apps.get_model("replays", "Study").objects.filter(owner__startswith="unfinished:")
    owners = list(halves.values_list("owner", flat=True))
    uploads = apps.get_model("games", "Upload").objects.filter(person__in=owners)
    matches = list(uploads.values_list("match", flat=True))
    uploads.delete()
    halves.delete()
    apps.get_model("games", "Match").objects.filter(pk__in=matches).delete()
    apps.get_model("replays", "Job").objects.filter(kind="study").delete()


class Migration(migrations.Migration):
    """Studies are no longer imported from files."""

    dependencies: ClassVar = [
        ("games", "0021_say_site_settings_plainly"),
        ("replays", "0035_drop_bot_ladders"),
    ]

    operations: ClassVar = [
        migrations.RunPython(forget_imports, migrations.RunPython.noop),
        migrations.DeleteModel(name="StudyFile"),
    ]
