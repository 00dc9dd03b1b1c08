"""Bots whose names people had before them get players of their own."""

import re
from typing import Any, ClassVar

from django.conf import settings
from django.db import migrations

from games.people.names import skeleton

OLD_NAMES = {
    "Ragna": "taker",
    "Bertil": "builder",
    "Corvin": "starver",
    "Tamsin": "runner",
    "Pim": "first-fit",
}
NAME = rf"^({'|'.join(OLD_NAMES)})( \d+)?$"
APART = " (site bot)"


def part(apps: Any, _editor: Any) -> None:
    """Move the seats of those bots; records keep what was written."""
    players, aliases, seats = (
        apps.get_model("games", model).objects for model in ("Player", "PlayerAlias", "Seat")
    )
    accounts = apps.get_model(settings.AUTH_USER_MODEL).objects.filter(username__regex=NAME)
    people = seats.filter(match__origin="hosted", player__name__regex=NAME).exclude(kind="bot")
    names = accounts.values_list("username", flat=True)
    for name in {*names, *people.values_list("player__name", flat=True)}:
        first, number = re.fullmatch(NAME, name).groups()
        old = OLD_NAMES[first] + (number or "")
        bots = {"name": name + APART, "skeleton": skeleton(name + APART)}
        # The migration that named the bots left the old name where the new one was taken.
        players.filter(name=old).exclude(seats__kind="human").update(**bots)
        bot, _ = players.get_or_create(name=bots["name"], defaults=bots)
        for alias in (bots["name"], old):
            aliases.update_or_create(name=alias, defaults={"player": bot})
        seats.filter(player__name=name, kind="bot").update(player=bot)


class Migration(migrations.Migration):
    dependencies: ClassVar = [("games", "0019_language_of_account")]

    operations: ClassVar = [
        migrations.RunPython(part, migrations.RunPython.noop, elidable=True),
    ]
