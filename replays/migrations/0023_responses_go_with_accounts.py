"""Kept responses belong to an account; requests under way are known by their transaction."""

from typing import Any, ClassVar

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def forget(apps: Any, schema_editor: Any) -> None:
    """Responses are kept for a day in any case: these would not go with their accounts."""
    apps.get_model("replays", "AnsweredRequest").objects.all().delete()


class Migration(migrations.Migration):
    dependencies: ClassVar = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("replays", "0022_jobs_by_messages"),
    ]

    operations: ClassVar = [
        migrations.RunPython(forget, migrations.RunPython.noop),
        migrations.AddField(
            model_name="answeredrequest",
            name="user",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
    ]
