"""What release 2.2.0 changed: what ends with an account's password keeps its digest, and closed sites
say who still makes accounts. A site's mail has a language. Each seat has what lists of a player's
matches look for.
"""

from hashlib import sha256
from typing import Any

from django.db import migrations, models
from django.db.models import Q

import games.models.site


def bind_tokens(apps: Any, _editor: Any) -> None:
    """Give each token the digest of its account's password (`games.people.passwords.digest`)."""
    token = apps.get_model("games", "Token")
    for user, password in token.objects.values_list("user", "user__password").distinct():
        digest = sha256(password.encode()).hexdigest()
        token.objects.filter(user=user).update(password=digest)


class Migration(migrations.Migration):
    replaces = [
        ("games", "0015_challenge_opener"),
        ("games", "0016_password_digests"),
        ("games", "0017_sitesettings_language"),
        ("games", "0018_seat_shown"),
    ]
    dependencies = [("games", "0014_release_2_1_bots")]

    operations = [
        migrations.AddField(
            "challenge",
            "opener",
            models.CharField(
                blank=True,
                db_default="",
                help_text="Where it comes from, as of a table.",
                max_length=64,
            ),
        ),
        migrations.AddField(
            "account",
            "code",
            models.CharField(
                blank=True,
                db_default="",
                help_text="The code at the hand-over by a coach.",
                max_length=64,
            ),
        ),
        migrations.AddField(
            "account",
            "failed",
            models.CharField(
                blank=True,
                db_default="",
                help_text="The one that failed log-ins were for.",
                max_length=64,
            ),
        ),
        migrations.AddField(
            "token",
            "password",
            models.CharField(
                db_default="",
                help_text="Of the stored password. Another one ends it.",
                max_length=64,
            ),
        ),
        migrations.AlterField(
            "sitesettings",
            "sign_up",
            models.CharField(
                choices=[
                    ("open", "open to everyone"),
                    ("invitation", "by invitation"),
                    ("closed", "closed"),
                ],
                default="open",
                help_text="Who may make an account. “By invitation”: those who have an invitation that you made here, and those who followed a class’s link. “Closed”: no one makes one alone. Accounts that may add invitations still make children’s accounts in their classes, and you can add accounts here.",
                max_length=10,
            ),
        ),
        migrations.RunPython(bind_tokens, migrations.RunPython.noop, elidable=True),
        migrations.AddField(
            "sitesettings",
            "language",
            models.CharField(
                choices=games.models.site.offered_languages,
                db_default="en",
                default="en",
                help_text="Of mails to accounts that have not chosen a language.",
                max_length=12,
            ),
        ),
        migrations.AddField(
            "seat",
            "origin",
            models.CharField(db_default="", help_text="As of the match.", max_length=9),
        ),
        migrations.AddField(
            "seat",
            "rated",
            models.BooleanField(
                db_default=False,
                default=False,
                help_text="A ledger of ratings has a line about it.",
            ),
        ),
        migrations.AddField(
            "seat",
            "shown",
            models.PositiveSmallIntegerField(
                db_default=0,
                default=0,
                help_text="What pages of players show of the match: `Shown`.",
            ),
        ),
        migrations.AddField(
            "seat",
            "rated_wrongly",
            models.GeneratedField(
                db_persist=True,
                expression=Q(rated=True) & (Q(user=None) | Q(shown__lt=2)),
                output_field=models.BooleanField(),
            ),
        ),
    ]
