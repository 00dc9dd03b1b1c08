"""What release 2.1.0 changed: one chat, news that knows of whom it tells, jobs as facts, homework read
from its steps, mail in the morning. Files of studies and ladders of bots are gone.
"""

from typing import Any

from django.db import migrations, models

# Reviews use the chat of matches: their lines and the reports about them move there.
LINES = """
INSERT INTO games_chatline (room, n, person, name, text, about, created, hidden)
SELECT review.key, line.n, line.person, line.name, line.text, line.chapter, line.created, line.hidden
FROM replays_reviewline line JOIN replays_review review ON review.id = line.review_id
ORDER BY line.id
"""
COMPLAINTS = """
INSERT INTO games_chatcomplaint (line_id, person, name, created)
SELECT moved.id, complaint.person, complaint.name, moved.created
FROM replays_reviewlinecomplaint complaint
JOIN replays_reviewline line ON line.id = complaint.line_id
JOIN replays_review review ON review.id = line.review_id
JOIN games_chatline moved ON moved.room = review.key AND moved.n = line.n
"""


def find_people(apps: Any, _editor: Any) -> None:
    """By their names, which only one account has at a time."""
    news, user = apps.get_model("replays", "News"), apps.get_model("auth", "User")
    names = news.objects.exclude(by="").values_list("by", flat=True).distinct()
    for pk, name in user.objects.filter(username__in=list(names)).values_list("pk", "username"):
        news.objects.filter(by=name).update(person=f"user:{pk}")


def keep_words(apps: Any, _editor: Any) -> None:
    """Titles and errors of earlier releases stay in the words in which they were written."""
    rows = apps.get_model("replays", "Job").objects.all()
    for job in rows.only("title", "error").iterator(chunk_size=1_000):
        fault = [job.error, {}] if job.error else None
        rows.filter(pk=job.pk).update(named=[job.title, {}], fault=fault)


class Migration(migrations.Migration):
    replaces = [
        ("replays", "0027_news_of_people"),
        ("replays", "0028_one_chat"),
        ("replays", "0029_homework_to_practise"),
        ("replays", "0030_news_of_live_matches"),
        ("replays", "0031_homework_read_from_steps"),
        ("replays", "0032_news_in_sentences"),
        ("replays", "0033_store_jobs_as_facts"),
        ("replays", "0035_drop_bot_ladders"),
        ("replays", "0037_mail_news_in_the_morning"),
    ]
    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("games", "0013_release_2_1"),
        ("replays", "0024_write_out_long_matches"),
    ]

    operations = [
        migrations.RunSQL([LINES, COMPLAINTS], migrations.RunSQL.noop),
        migrations.DeleteModel("ReviewLineComplaint"),
        migrations.DeleteModel("ReviewLine"),
        migrations.RemoveField("review", "said"),
        migrations.AddField(
            "news",
            "person",
            models.CharField(
                blank=True,
                db_default="",
                db_index=True,
                help_text="The same, as stored.",
                max_length=71,
            ),
        ),
        migrations.RunPython(find_people, migrations.RunPython.noop),
        migrations.AlterField(
            "news",
            "kind",
            models.CharField(
                choices=[
                    ("mention", "{by} mentioned you in a note on {about}"),
                    ("reply", "{by} replied to your note on {about}"),
                    ("notes", "{by} shared notes with you on {about}"),
                    ("playlist", "{by} shared a playlist with you: {about}"),
                    ("study", "{by} shared a study with you: {about}"),
                    ("table", "{by} opened a table for {about}"),
                    ("review", "{by} began a review for your class: {about}"),
                    ("homework", "{by} gave you homework: {about}"),
                    ("reminder", "{by} reminds you of {about}"),
                    ("done", "{by} have done {about}"),
                    ("live", "{by} began a match: {about}"),
                ],
                max_length=8,
            ),
        ),
        migrations.AlterField(
            "homework",
            "kind",
            models.CharField(
                choices=[
                    ("study", "a study or chapter"),
                    ("drill", "a playlist to practise"),
                    ("closed", "a kind that is no longer given"),
                ],
                default="study",
                max_length=7,
            ),
        ),
        migrations.RemoveField("assignment", "opened"),
        migrations.AddField(
            "job",
            "named",
            models.JSONField(default=list, help_text="What for: a `Message`, as `plain` gives it."),
        ),
        migrations.AddField(
            "job",
            "fault",
            models.JSONField(blank=True, null=True, help_text="Why it failed: a `Message`."),
        ),
        migrations.RunPython(keep_words, migrations.RunPython.noop),
        migrations.RemoveField("job", "title"),
        migrations.RemoveField("job", "error"),
        migrations.AlterField(
            "patternsearch",
            "text",
            models.CharField(
                blank=True,
                max_length=500,
                help_text="In words, of searches before `query` was kept.",
            ),
        ),
        migrations.DeleteModel("BotLadder"),
        migrations.DeleteModel("StudyFile"),
        migrations.RemoveField("newssettings", "quiet_from"),
        migrations.RemoveField("newssettings", "quiet_until"),
        migrations.RemoveField("newssettings", "zone"),
        migrations.AlterField(
            "newssettings",
            "mailed_on",
            models.DateField(blank=True, help_text="The last day with one, in UTC.", null=True),
        ),
    ]
