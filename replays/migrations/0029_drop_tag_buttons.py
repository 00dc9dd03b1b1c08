"""The tag panel is gone. Tags stay on the notes that it made. The buttons are written out."""

import json
import logging
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.db import migrations

FIELDS: Final = ("owner", "place", "name", "shortcut", "colour", "before_ms", "after_ms")


def write_out(apps: Any, _editor: Any) -> None:
    """Append a line of JSON for each button to `var/removed/tag-buttons.jsonl`."""
    buttons = apps.get_model("replays", "TagButton")._base_manager
    rows = list(buttons.order_by("owner", "place").values(*FIELDS))
    if not rows:
        return
    path = Path(settings.VAR_DIR) / "removed" / "tag-buttons.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    logging.getLogger(__name__).warning("%d tag buttons are now in %s", len(rows), path)


class Migration(migrations.Migration):
    dependencies = [("replays", "0028_release_2_1_facts")]

    operations = [
        migrations.RunPython(write_out, migrations.RunPython.noop),
        migrations.DeleteModel(name="TagButton"),
    ]
