"""What release 2.0.0 no longer had is written out or ended, before its tables go. The next one drops
them: PostgreSQL can't in the transaction that deletes rows.
"""

import json
import logging
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import migrations
from django.utils import timezone

CAUSE = "The site was updated in the middle of it. Please start it again."


def close(apps: Any, _editor: Any) -> None:
    write_out_versions(apps)
    jobs, searches, homework, responses = (
        apps.get_model("replays", name)._base_manager
        for name in ("Job", "PatternSearch", "Homework", "AnsweredRequest")
    )
    # Words of searches are read no longer. Searches that are done keep theirs and what they found.
    by_text = searches.filter(found=None).exclude(job=None).values_list("job", flat=True)
    jobs.filter(pk__in=list(by_text)).delete()
    under_way = jobs.filter(state__in=("waiting", "running"))
    under_way.update(state="failed", error=CAUSE, ended=timezone.now())
    homework.filter(kind="matches").update(kind="closed")
    # Kept for a day in any case; these would not go with their accounts.
    responses.all().delete()


def write_out_versions(apps: Any) -> None:
    """Append a line of JSON for each version of a study to `var/removed/study-versions.jsonl`."""
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
    replaces = [
        ("replays", "0016_write_out_study_versions"),
        ("replays", "0018_name_practice"),
        ("replays", "0019_patterns_as_fields"),
        ("replays", "0020_close_homework_of_matches_and_ghosts"),
        ("replays", "0022_jobs_by_messages"),
        ("replays", "0023_responses_go_with_accounts"),
    ]
    dependencies = [("replays", "0002_classes")]

    operations = [migrations.RunPython(close, migrations.RunPython.noop)]
