"""Who sits at the tables that are not over, as their plans and states say."""

from django.db import migrations

OVER = ("finished", "abandoned")


def note(apps, schema_editor):
    LiveTable = apps.get_model("games", "LiveTable")
    Seated = apps.get_model("games", "Seated")
    for table in LiveTable.objects.filter(over=False).iterator(chunk_size=500):
        places = table.plan["places"]
        table.free = sum(not place["kind"] for place in places)
        table.people = sum(place["kind"] == "human" for place in places)
        table.public = not table.plan["key"]
        table.watching = table.plan["watching"]
        table.phase = table.state.get("phase", "seating")
        table.save(update_fields=["free", "people", "public", "watching", "phase"])
        if table.phase not in OVER:
            people = {place["person"] for place in places if place["person"]}
            Seated.objects.bulk_create(Seated(table=table, person=person) for person in people)


class Migration(migrations.Migration):
    dependencies = [("games", "0008_seated")]

    operations = [migrations.RunPython(note, migrations.RunPython.noop)]
