"""Reviews use the chat of matches: their lines and the reports about them move there."""

from typing import ClassVar

from django.db import migrations

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


class Migration(migrations.Migration):
    dependencies: ClassVar = [
        ("games", "0013_chats_in_rooms"),
        ("replays", "0027_news_of_people"),
    ]

    operations: ClassVar = [
        migrations.RunSQL([LINES, COMPLAINTS], migrations.RunSQL.noop),
        migrations.DeleteModel("ReviewLineComplaint"),
        migrations.DeleteModel("ReviewLine"),
        migrations.RemoveField("review", "said"),
    ]
