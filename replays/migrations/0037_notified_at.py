from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("replays", "0036_done_by")]

    operations = [migrations.RenameField("assignment", "told", "notified_at")]
