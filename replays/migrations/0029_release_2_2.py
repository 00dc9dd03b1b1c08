"""What release 2.2.0 changed: clips, groups in a class, homework to play, figures that are counted again.
The tag panel is gone. Tags stay on the notes that it made, and its buttons are written out.
"""

import json
import logging
from pathlib import Path
from typing import Any, Final

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import replays.models.sharing
from replays.models.players import PackedJSONField

BUTTON: Final = ("owner", "place", "name", "shortcut", "colour", "before_ms", "after_ms")


def write_out(apps: Any, _editor: Any) -> None:
    """Append a line of JSON for each button to `var/removed/tag-buttons.jsonl`."""
    buttons = apps.get_model("replays", "TagButton")._base_manager
    rows = list(buttons.order_by("owner", "place").values(*BUTTON))
    if not rows:
        return
    path = Path(settings.VAR_DIR) / "removed" / "tag-buttons.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    logging.getLogger(__name__).warning("%d tag buttons are now in %s", len(rows), path)


class Migration(migrations.Migration):
    replaces = [
        ("replays", "0029_drop_tag_buttons"),
        ("replays", "0030_situations_by_hand"),
        ("replays", "0031_situations_without_totals"),
        ("replays", "0032_job_part_moved"),
        ("replays", "0033_taken_back"),
        ("replays", "0034_even_shares"),
        ("replays", "0035_homework_due"),
        ("replays", "0036_done_by"),
        ("replays", "0037_notified_at"),
        ("replays", "0038_situations_are_patterns"),
        ("replays", "0039_class_groups"),
        ("replays", "0040_clips"),
        ("replays", "0041_homework_to_play"),
        ("replays", "0043_packed_figures"),
    ]
    dependencies = [("replays", "0028_release_2_1_facts")]

    operations = [
        migrations.RunPython(write_out, migrations.RunPython.noop),
        migrations.DeleteModel("TagButton"),
        migrations.DeleteModel("SituationTotals"),
        migrations.DeleteModel("StoredSituations"),
        migrations.AddField(
            "jobpart",
            "moved",
            models.DateTimeField(help_text="When it last got further.", null=True),
        ),
        migrations.AlterField(
            "news",
            "kind",
            models.CharField(
                choices=[
                    ("mention", "{by} mentioned you in a note on {about}"),
                    ("reply", "{by} replied to your note on {about}"),
                    ("notes", "{by} shared notes with you on {about}"),
                    ("playlist", "{by} shared a playlist with you: {about}"),
                    ("study", "{by} shared a study with you: {about}"),
                    ("table", "{by} opened a table for {about}"),
                    ("review", "{by} began a review for your class: {about}"),
                    ("homework", "{by} gave you homework: {about}"),
                    ("reminder", "{by} reminds you of {about}"),
                    ("done", "Done by {by}: {about}"),
                    ("live", "{by} began a match: {about}"),
                    ("taken", "{by} has taken your account back into the class {about}"),
                ],
                max_length=8,
            ),
        ),
        migrations.RenameField("assignment", "told", "notified_at"),
        migrations.AddField(
            "classmember",
            "group",
            models.CharField(
                blank=True,
                db_default="",
                default="",
                help_text="Members of a group, as children, adults or a level, sit at tables of their own.",
                max_length=40,
            ),
        ),
        migrations.AlterField(
            "homework",
            "due",
            models.DateField(help_text="The last day; see `replays.classes.limits.ends`."),
        ),
        migrations.AddField(
            "homework",
            "count",
            models.PositiveSmallIntegerField(
                db_default=0, default=0, help_text="How many matches or ghost races."
            ),
        ),
        migrations.AlterField(
            "homework",
            "kind",
            models.CharField(
                choices=[
                    ("study", "a study or chapter"),
                    ("drill", "a playlist to practise"),
                    ("matches", "matches to play"),
                    ("races", "ghost races"),
                    ("closed", "a kind that is no longer given"),
                ],
                default="study",
                max_length=7,
            ),
        ),
        migrations.CreateModel(
            "Clip",
            [
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
        # Measures have changed, so all figures are counted again, and nothing is copied.
        *(migrations.RemoveField("seatfigures", name) for name in ("digest", "spans", "costs")),
        migrations.AddField("seatfigures", "rivals", models.PositiveIntegerField(db_default=0)),
        migrations.AddField("seatfigures", "even_share", models.FloatField(db_default=0)),
        migrations.AddField(
            "seatfigures",
            "spans",
            PackedJSONField(default=list, help_text="Missed takes: MissedSpan, as lists."),
        ),
        migrations.AddField(
            "seatfigures",
            "costs",
            PackedJSONField(default=dict, help_text="By kind of weakness: Cost, as lists."),
        ),
        migrations.AddIndex(
            "seatfigures", models.Index(fields=["version", "seat"], name="figures_version")
        ),
    ]
