"""Standard names for models and columns; columns that nothing reads go."""

from django.db import migrations, models
import django.db.models.deletion


def rename_keys(old, new):
    def rename(apps, schema_editor):
        tables = apps.get_model("games", "LiveTable").objects.filter(over=False)
        for table in tables.iterator(chunk_size=500):
            if old in table.host_state:
                table.host_state[new] = table.host_state.pop(old)
                table.save(update_fields=["host_state"])

    return rename


def forget_passing(apps, schema_editor):
    """What processes have left for each other is read within a second, or asked again."""
    for name in ("RelayRequest", "RelayReply"):
        apps.get_model("games", name).objects.all().delete()


MATCH_INDEXES = {
    "match_newest": ["started_at", "id", "filter_bits"],
    "match_longest": ["duration_ms", "id", "filter_bits", "day"],
    "match_closest": ["margin", "id", "filter_bits", "day"],
    "match_ties": ["ties", "id", "filter_bits", "day"],
    "match_traits": ["filter_bits"],
}


def state_of_indexes():
    for name, fields in MATCH_INDEXES.items():
        yield migrations.RemoveIndex("Match", name)
        yield migrations.AddIndex("Match", models.Index(fields=fields, name=name))


class Migration(migrations.Migration):
    dependencies = [("games", "0010_round_outlines")]

    operations = [
        migrations.RenameModel("Errand", "RelayRequest"),
        migrations.RenameModel("Reply", "RelayReply"),
        migrations.RenameModel("Answered", "AnsweredAction"),
        migrations.AlterField(
            model_name="relayrequest",
            name="table",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="requests",
                to="games.livetable",
            ),
        ),
        migrations.RenameField("LiveTable", "kept", "host_state"),
        migrations.RenameField("Match", "traits", "filter_bits"),
        migrations.RenameField("Match", "course", "lead_history"),
        # The database has renamed the column in these indexes already.
        migrations.SeparateDatabaseAndState(state_operations=list(state_of_indexes())),
        migrations.RenameIndex("Match", old_name="match_traits", new_name="match_filter_bits"),
        migrations.RemoveIndex("Match", "match_open"),
        migrations.RemoveField("Match", "lease_owner"),
        migrations.RemoveField("Match", "lease_until"),
        migrations.RunPython(
            rename_keys("sitters", "players"), rename_keys("players", "sitters")
        ),
        migrations.RunPython(forget_passing, migrations.RunPython.noop),
    ]
