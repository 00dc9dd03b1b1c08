"""What ends with an account's password keeps its digest. Tokens made so far belong to today's. Closed
sites say who still makes accounts.
"""

from hashlib import sha256
from typing import Any

from django.db import migrations, models


def bind_tokens(apps: Any, _editor: Any) -> None:
    """Give each token the digest of its account's password (`games.people.passwords.digest`)."""
    token = apps.get_model("games", "Token")
    for user, password in token.objects.values_list("user", "user__password").distinct():
        digest = sha256(password.encode()).hexdigest()
        token.objects.filter(user=user).update(password=digest)


class Migration(migrations.Migration):
    dependencies = [("games", "0015_challenge_opener")]

    operations = [
        migrations.AddField(
            model_name="account",
            name="code",
            field=models.CharField(
                blank=True,
                db_default="",
                help_text="The code at the hand-over by a coach.",
                max_length=64,
            ),
        ),
        migrations.AddField(
            model_name="account",
            name="failed",
            field=models.CharField(
                blank=True,
                db_default="",
                help_text="The one that failed log-ins were for.",
                max_length=64,
            ),
        ),
        migrations.AddField(
            model_name="token",
            name="password",
            field=models.CharField(
                db_default="",
                help_text="Of the stored password. Another one ends it.",
                max_length=64,
            ),
        ),
        migrations.AlterField(
            model_name="sitesettings",
            name="sign_up",
            field=models.CharField(
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
    ]
