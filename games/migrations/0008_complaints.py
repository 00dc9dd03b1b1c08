"""What goes to moderators is a complaint; a report is the analysis of a match."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0007_several_embargoes")]

    operations = [
        migrations.RenameModel("ChatReport", "ChatComplaint"),
        migrations.RenameModel("MatchReport", "MatchComplaint"),
        migrations.AlterField(
            "chatcomplaint",
            "line",
            models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="complaints",
                to="games.chatline",
            ),
        ),
        migrations.AlterField(
            "matchcomplaint",
            "match",
            models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="complaints",
                to="games.match",
            ),
        ),
        migrations.AlterField(
            "chatcomplaint",
            "person",
            models.CharField(help_text="Who complains.", max_length=64),
        ),
    ]
