"""What goes to moderators is a complaint; a report is the analysis of a match."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("replays", "0013_titles_of_homework")]

    operations = [
        migrations.RenameModel("NoteReport", "NoteComplaint"),
        migrations.RenameModel("StudyReport", "StudyComplaint"),
        migrations.RenameModel("ReviewLineReport", "ReviewLineComplaint"),
        migrations.AlterField(
            "notecomplaint",
            "note",
            models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="complaints",
                to="replays.note",
            ),
        ),
        migrations.AlterField(
            "studycomplaint",
            "study",
            models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="complaints",
                to="replays.study",
            ),
        ),
        migrations.AlterField(
            "reviewlinecomplaint",
            "line",
            models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="replays.reviewline",
            ),
        ),
        migrations.RemoveIndex("reviewline", "review_line_reported"),
        migrations.RenameField("reviewline", "reports", "complaints"),
        migrations.AddIndex(
            "reviewline",
            models.Index(
                fields=["-id"],
                condition=models.Q(complaints__gt=0),
                name="review_line_reported",
            ),
        ),
    ]
