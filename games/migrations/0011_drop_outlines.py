"""A round is short enough to be read for its charts: nothing of it is stored beside the log."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("games", "0010_embargo_account"), ("replays", "0024_write_out_long_matches")]

    operations = [migrations.DeleteModel("RoundOutline")]
