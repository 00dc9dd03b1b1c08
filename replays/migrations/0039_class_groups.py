"""A class's members in groups, which sit at tables of their own."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("replays", "0038_situations_are_patterns"),
    ]

    operations = [
        migrations.AddField(
            model_name="classmember",
            name="group",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                help_text="Members of a group, as children, adults or a level, sit at tables of their own.",
                max_length=40,
            ),
        ),
    ]
