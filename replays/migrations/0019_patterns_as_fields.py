"""What a search for a pattern asks for is fields, no text any more.

Searches keep their words and what they found. Those still to be done are ended, since their words
are read no longer; their pages say so.
"""

from typing import Any

from django.db import migrations, models


def end_searches_by_text(apps: Any, schema_editor: Any) -> None:
    searches = apps.get_model("replays", "PatternSearch").objects.filter(found=None)
    jobs = list(searches.exclude(job=None).values_list("job", flat=True))
    apps.get_model("replays", "Job").objects.filter(pk__in=jobs).delete()


class Migration(migrations.Migration):
    dependencies = [("replays", "0018_name_practice")]

    operations = [
        migrations.RunPython(end_searches_by_text, migrations.RunPython.noop),
        migrations.AddField(
            "patternsearch",
            "query",
            models.JSONField(
                default=dict,
                db_default={},
                help_text="The fields of PatternQuery that were given.",
            ),
        ),
        migrations.AlterField(
            "patternsearch",
            "text",
            models.CharField(max_length=500, help_text="What was searched for, in words."),
        ),
    ]
