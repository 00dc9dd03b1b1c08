"""Say of each match that is stored where it came from."""

from django.db import migrations
from django.db.models import F, Q

ELSEWHERE = 1 << 20  # of a match's filter bits (games.archive.filters)


def find_origins(apps, schema_editor):
    """Say of each match where it came from, as far as its row tells.

    Whoever hosted a match had a lease of it, so its epoch rose, or its table is still there. A
    record that says it was simulated cannot be told from one that was simulated here: it is
    taken at its word. All others came from elsewhere; who sent them was never stored.
    """
    matches = apps.get_model("games", "Match").objects.using(schema_editor.connection.alias)
    tables = apps.get_model("games", "LiveTable").objects.using(schema_editor.connection.alias)
    hosted = Q(owner_epoch__gt=0) | Q(record_id__in=tables.values("record_id"))
    unknown = matches.filter(origin="imported")
    unknown.filter(hosted).update(origin="hosted")
    unknown.filter(source="simulated").update(origin="simulated")
    elsewhere = matches.filter(origin="imported")
    elsewhere.update(filter_bits=F("filter_bits").bitor(ELSEWHERE))


def forget_origins(apps, schema_editor):
    matches = apps.get_model("games", "Match").objects.using(schema_editor.connection.alias)
    found = matches.filter(origin__in=("imported", "uploaded"))
    found.update(filter_bits=F("filter_bits").bitand(ELSEWHERE - 1))


class Migration(migrations.Migration):
    dependencies = [("games", "0015_provenance")]
    operations = [migrations.RunPython(find_origins, forget_origins)]
