from django.db import migrations
from django.db.models import F, OuterRef, Subquery


def follow(apps, schema_editor):
    """Put every reply where the note stands that it answers: some stayed when that moved."""
    notes = apps.get_model("replays", "Note").objects
    answered = notes.filter(pk=OuterRef("reply_id"))
    astray = notes.filter(reply__isnull=False).exclude(
        round=F("reply__round"), event=F("reply__event")
    )
    place = {name: Subquery(answered.values(name)[:1]) for name in ("round", "event")}
    while astray.update(**place):  # then the replies to these
        pass


class Migration(migrations.Migration):

    dependencies = [
        ('replays', '0026_who_looks_around_in_reviews'),
    ]

    operations = [
        migrations.RunPython(follow, migrations.RunPython.noop, elidable=True),
    ]
