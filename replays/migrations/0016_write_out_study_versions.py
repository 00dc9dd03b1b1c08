"""Studies keep no earlier versions any more: what there is of them is written to a file."""

import json
import logging
from pathlib import Path
from typing import Any, ClassVar

from django.conf import settings
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def write_out(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    """Append a line of JSON for each version to `var/removed/study-versions.jsonl`."""
    chapters = apps.get_model("replays", "ChapterVersion")._default_manager
    studies = apps.get_model("replays", "StudyVersion")._default_manager
    rows: list[tuple[Any, Any]] = [
        *((row.chapter.study, row) for row in chapters.select_related("chapter__study")),
        *((row.study, row) for row in studies.select_related("study")),
    ]
    if not rows:
        return
    path = Path(settings.VAR_DIR) / "removed" / "study-versions.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        for study, row in rows:
            said = {"study": study.key, "owner": study.by, "by": row.by, "at": row.at.isoformat()}
            file.write(json.dumps(said | {"fields": row.fields}, ensure_ascii=False) + "\n")
    logging.getLogger(__name__).warning("%d earlier versions are now in %s", len(rows), path)


class Migration(migrations.Migration):
    dependencies: ClassVar = [("replays", "0015_drop_push_subscriptions")]

    operations: ClassVar = [
        migrations.RunPython(write_out, migrations.RunPython.noop),
        migrations.DeleteModel("ChapterVersion"),
        migrations.DeleteModel("StudyVersion"),
    ]
