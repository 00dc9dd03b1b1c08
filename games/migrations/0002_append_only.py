"""The database too refuses to change a line of a log. (A later migration that rebuilds the
table in SQLite drops the trigger, and has to make it again.)"""

from django.db import migrations

SQLITE = (
    """CREATE TRIGGER games_chunk_append_only BEFORE UPDATE ON games_chunk
    BEGIN SELECT RAISE(ABORT, 'a log''s lines are never changed'); END""",
)
POSTGRESQL = (
    """CREATE FUNCTION games_chunk_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'a log''s lines are never changed' USING ERRCODE = '23514'; END $$""",
    """CREATE TRIGGER games_chunk_append_only BEFORE UPDATE ON games_chunk
    FOR EACH ROW EXECUTE FUNCTION games_chunk_append_only()""",
)


def create(apps, schema_editor):
    statements = {"sqlite": SQLITE, "postgresql": POSTGRESQL}
    for statement in statements[schema_editor.connection.vendor]:
        schema_editor.execute(statement)


def drop(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("DROP TRIGGER games_chunk_append_only ON games_chunk")
        schema_editor.execute("DROP FUNCTION games_chunk_append_only()")
    else:
        schema_editor.execute("DROP TRIGGER games_chunk_append_only")


class Migration(migrations.Migration):
    dependencies = [("games", "0001_matches")]
    operations = [migrations.RunPython(create, drop)]
