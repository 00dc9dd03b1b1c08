"""A chat belongs to a room, which is a match or a review: lines and mutes name it themselves."""

from typing import ClassVar

from django.db import migrations, models

NAME_ROOMS = [
    f"""UPDATE {name} SET room = (
        SELECT record_id FROM games_livetable WHERE games_livetable.id = {name}.table_id
    ) WHERE table_id IS NOT NULL"""
    for name in ("games_chatline", "games_chatmute")
]
PERSON = "user:number or guest:key."


class Migration(migrations.Migration):
    dependencies: ClassVar = [("games", "0012_uploads_by_address")]

    operations: ClassVar = [
        migrations.AddField(
            "chatline",
            "room",
            models.CharField(
                default="", help_text="The match's id, or the review's key.", max_length=64
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            "chatline",
            "about",
            models.PositiveIntegerField(
                db_default=0,
                default=0,
                help_text="The chapter that a review of a study was at; 0: none.",
            ),
        ),
        migrations.AddField(
            "chatmute",
            "room",
            models.CharField(
                blank=True, default="", help_text="Empty: everywhere.", max_length=64
            ),
        ),
        migrations.RunSQL(NAME_ROOMS, migrations.RunSQL.noop),
        migrations.RemoveConstraint("chatline", "chat_line_once"),
        migrations.RemoveConstraint("chatmute", "chat_mute_once"),
        migrations.RemoveConstraint("chatmute", "chat_mute_all_once"),
        migrations.RemoveField("chatline", "table"),
        migrations.RemoveField("chatmute", "table"),
        migrations.AlterField(
            "chatline", "person", models.CharField(help_text=PERSON, max_length=71)
        ),
        migrations.AlterField(
            "chatcomplaint", "person", models.CharField(help_text="Who complains.", max_length=71)
        ),
        migrations.AlterField(
            "chatmute", "person", models.CharField(help_text=PERSON, max_length=71)
        ),
        migrations.AddConstraint(
            "chatline", models.UniqueConstraint(fields=["room", "n"], name="chat_line_once")
        ),
        migrations.AddConstraint(
            "chatmute",
            models.UniqueConstraint(fields=["person", "room"], name="chat_mute_in_room_once"),
        ),
    ]
