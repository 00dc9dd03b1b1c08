from typing import ClassVar

from django.db import migrations


class Migration(migrations.Migration):
    dependencies: ClassVar = [("replays", "0014_complaints")]

    operations: ClassVar = [migrations.DeleteModel(name="PushSubscription")]
