"""Chats in rooms, tokens and challenges of programs, who may come, kept matches and follows, and an
account's language.
"""

import django.core.validators
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import games.models.site

NAME_ROOMS = [
    f"""UPDATE {name} SET room = (
        SELECT record_id FROM games_livetable WHERE games_livetable.id = {name}.table_id
    ) WHERE table_id IS NOT NULL"""
    for name in ("games_chatline", "games_chatmute")
]
PERSON = "user:number or guest:key."


class Migration(migrations.Migration):
    replaces = [
        ("games", "0013_chats_in_rooms"),
        ("games", "0015_tokens"),
        ("games", "0016_challenges"),
        ("games", "0017_who_may_come"),
        ("games", "0018_kept_matches_and_follows"),
        ("games", "0019_language_of_account"),
        ("games", "0021_say_site_settings_plainly"),
    ]
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("games", "0006_release_2"),
    ]

    operations = [
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
        migrations.AddField(
            model_name='account',
            name='bot',
            field=models.BooleanField(db_default=False, default=False, help_text="A program's, once and for good (games.people.bots)."),
        ),
        migrations.CreateModel(
            name='Token',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(help_text='What its owner calls it.', max_length=40)),
                ('scopes', models.CharField(help_text='What it allows, with blanks between.', max_length=40)),
                ('digest', models.CharField(help_text='SHA-256 of the token.', max_length=64, unique=True)),
                ('made', models.DateTimeField(auto_now_add=True)),
                ('until', models.DateTimeField()),
                ('used', models.DateField(help_text='The last day on which it was used.', null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tokens', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Challenge',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=24, unique=True)),
                ('person', models.CharField(db_index=True, help_text='Who asks.', max_length=80)),
                ('name', models.CharField(help_text='The name under which they play.', max_length=64)),
                ('edition', models.CharField(max_length=32)),
                ('overrides', models.JSONField(default=dict, help_text="Of the edition's rules.")),
                ('private', models.BooleanField()),
                ('made', models.DateTimeField(db_index=True)),
                ('declined', models.BooleanField(default=False)),
                ('table', models.CharField(blank=True, help_text='Once it is accepted.', max_length=64)),
                ('bot', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='challenges', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='SignUpInvitation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(default=games.models.site.new_code, editable=False, max_length=32, unique=True)),
                ('label', models.CharField(blank=True, help_text='For yourself: whom it is for. No one else sees it.', max_length=100)),
                ('uses', models.PositiveSmallIntegerField(default=1, help_text='How many accounts may be made with it.', validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(1000)])),
                ('used', models.PositiveSmallIntegerField(default=0, editable=False)),
                ('ends', models.DateTimeField(blank=True, default=games.models.site.in_a_month, help_text='When it ends. Empty: never.', null=True)),
            ],
            options={
                'verbose_name': 'invitation',
            },
        ),
        migrations.CreateModel(
            name='SiteSettings',
            fields=[
                ('id', models.PositiveSmallIntegerField(default=1, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(default='Ratuki', help_text='Shown in the header, in page titles and in mails. No one may play under it.', max_length=40)),
                ('notice', models.TextField(blank=True, help_text='Shown on the home page, for example when your club meets. Empty: none.', max_length=1000)),
                ('contact', models.CharField(blank=True, help_text='An email or web address for visitors. It is shown at the foot of every page, and where a visitor may not go on.', max_length=200)),
                ('sign_up', models.CharField(choices=[('open', 'open to everyone'), ('invitation', 'by invitation'), ('closed', 'closed')], default='open', help_text='Who may make an account. “By invitation”: those who have an invitation that you made here, and those who followed a class’s link. “Closed”: no one makes one alone. Coaches can still make children’s accounts, and you can add accounts here.', max_length=10)),
                ('watching', models.CharField(choices=[('everyone', 'everyone'), ('members', 'members only')], default='everyone', help_text='Who sees matches, replays, players, studies and everything else. “Members” have an account. Other visitors see the home page, the rules and the forms to log in and sign up. The API and embedded matches follow it too.', max_length=8)),
                ('guests', models.BooleanField(default=True, help_text='Whether visitors without an account may play and write. If watching is for members, guests still see nothing but the tables where they play. Guests who already sit at a table may finish their match.', verbose_name='guests may play')),
            ],
            options={
                'verbose_name': 'site settings',
                'verbose_name_plural': 'site settings',
                'constraints': [models.CheckConstraint(condition=models.Q(('pk', 1)), name='one_site')],
            },
        ),
        migrations.CreateModel(
            name='Follow',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('school_class', models.CharField(blank=True, db_index=True, help_text='The key of the class.', max_length=64)),
                ('player', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='games.player')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('school_class', '')), fields=('user', 'player'), name='player_followed_once'), models.UniqueConstraint(condition=models.Q(('player', None)), fields=('user', 'school_class'), name='class_followed_once')],
            },
        ),
        migrations.CreateModel(
            name='KeptMatch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('word', models.CharField(blank=True, max_length=100)),
                ('since', models.DateTimeField(auto_now_add=True)),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='games.match')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name_plural': 'kept matches',
                'constraints': [models.UniqueConstraint(fields=('user', 'match'), name='kept_once')],
            },
        ),
        migrations.AddField(
            model_name='account',
            name='language',
            field=models.CharField(blank=True, db_default='', help_text='As chosen; its mail is in it too.', max_length=12),
        ),
    ]
