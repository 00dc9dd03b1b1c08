"""The tag panel is gone. Tags stay on the notes that it made."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("replays", "0028_release_2_1_facts")]

    operations = [migrations.DeleteModel(name="TagButton")]
