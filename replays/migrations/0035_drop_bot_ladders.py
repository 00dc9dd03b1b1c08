from typing import Any, ClassVar

from django.db import migrations


def forget_its_jobs(apps: Any, _editor: Any) -> None:
    apps.get_model("replays", "Job").objects.filter(kind="ladder").delete()


class Migration(migrations.Migration):
    """The site's bots have the ladder of their release (`replays/ratings/ladders.json`)."""

    dependencies: ClassVar = [("replays", "0034_name_by_facts")]

    operations: ClassVar = [
        migrations.RunPython(forget_its_jobs, migrations.RunPython.noop),
        migrations.DeleteModel(name="BotLadder"),
    ]
