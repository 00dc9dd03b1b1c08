"""Bots have people's names. Their old names, which were their tempers, lead to the same players. A
bot whose name a person had before gets a player of its own. Records keep what was written.
"""

import re
from typing import Any

from django.conf import settings
from django.db import migrations

from games.people.names import skeleton

TEMPERS = {
    "Ragna": "taker",
    "Bertil": "builder",
    "Corvin": "starver",
    "Tamsin": "runner",
    "Pim": "first-fit",
}
NAMES = {temper: name for name, temper in TEMPERS.items()}
OLD = rf"^({'|'.join(NAMES)})( \d+)?$"
NEW = rf"^({'|'.join(TEMPERS)})( \d+)?$"
APART = " (site bot)"


def name_bots(apps: Any, _editor: Any) -> None:
    """Rename the players who only ever were bots."""
    players, aliases, seats = _rows(apps)
    for player in players.filter(name__regex=OLD):
        temper, number = re.fullmatch(OLD, player.name).groups()
        name = NAMES[temper] + (number or "")
        taken = players.filter(name=name).exists() or aliases.filter(name=name).exists()
        if taken or seats.filter(player=player).exclude(kind="bot").exists():
            continue
        aliases.update_or_create(name=player.name, defaults={"player": player})
        player.name, player.skeleton = name, skeleton(name)
        player.save(update_fields=["name", "skeleton"])


def part(apps: Any, _editor: Any) -> None:
    """Move the seats of bots that share a name with people."""
    players, aliases, seats = _rows(apps)
    accounts = apps.get_model(settings.AUTH_USER_MODEL).objects.filter(username__regex=NEW)
    people = seats.filter(match__origin="hosted", player__name__regex=NEW).exclude(kind="bot")
    names = accounts.values_list("username", flat=True)
    for name in {*names, *people.values_list("player__name", flat=True)}:
        first, number = re.fullmatch(NEW, name).groups()
        old = TEMPERS[first] + (number or "")
        bots = {"name": name + APART, "skeleton": skeleton(name + APART)}
        # `name_bots` leaves the old name where the new one is taken.
        players.filter(name=old).exclude(seats__kind="human").update(**bots)
        bot, _ = players.get_or_create(name=bots["name"], defaults=bots)
        for alias in (bots["name"], old):
            aliases.update_or_create(name=alias, defaults={"player": bot})
        seats.filter(player__name=name, kind="bot").update(player=bot)


def _rows(apps: Any) -> tuple[Any, ...]:
    return tuple(apps.get_model("games", name).objects for name in ("Player", "PlayerAlias", "Seat"))


class Migration(migrations.Migration):
    replaces = [("games", "0014_name_bots"), ("games", "0020_part_bots_from_people")]
    dependencies = [("games", "0013_release_2_1")]

    operations = [
        migrations.RunPython(name_bots, migrations.RunPython.noop, elidable=True),
        migrations.RunPython(part, migrations.RunPython.noop, elidable=True),
    ]
