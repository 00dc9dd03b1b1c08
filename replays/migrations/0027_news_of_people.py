"""News knows who did what it tells of, so that a deleted account's name goes."""

from typing import Any, ClassVar

from django.db import migrations, models


def find_people(apps: Any, schema_editor: Any) -> None:
    """By their names, which only one account has at a time."""
    news, user = apps.get_model("replays", "News"), apps.get_model("auth", "User")
    names = news.objects.exclude(by="").values_list("by", flat=True).distinct()
    for pk, name in user.objects.filter(username__in=list(names)).values_list("pk", "username"):
        news.objects.filter(by=name).update(person=f"user:{pk}")


class Migration(migrations.Migration):
    dependencies: ClassVar = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("replays", "0026_situations_without_groups"),
    ]

    operations: ClassVar = [
        migrations.AddField(
            model_name="news",
            name="person",
            field=models.CharField(
                blank=True, db_default="", db_index=True, help_text="The same, as stored.", max_length=71
            ),
        ),
        migrations.RunPython(find_people, migrations.RunPython.noop),
    ]
