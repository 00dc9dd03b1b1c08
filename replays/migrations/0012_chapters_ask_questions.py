"""A chapter's quiz is its question."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("replays", "0011_order_of_variations_and_reasons_of_reports")]

    operations = [migrations.RenameField("chapter", "quiz", "question")]
