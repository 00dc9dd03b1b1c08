"""Whether homework is begun is read from its steps: opening its page writes nothing."""

from typing import ClassVar

from django.db import migrations


class Migration(migrations.Migration):
    dependencies: ClassVar = [("replays", "0030_news_of_live_matches")]
    operations: ClassVar = [migrations.RemoveField("assignment", "opened")]
