"""Somebody may have several questions to answer about one match: the last one opens it."""

from django.db import migrations, models

ONCE = models.UniqueConstraint(fields=("match", "person", "chapter"), name="embargo_once")


class Migration(migrations.Migration):
    dependencies = [("games", "0006_class_audience")]

    operations = [
        migrations.RemoveConstraint("embargo", "embargo_once"),
        migrations.AddConstraint("embargo", ONCE),
    ]
