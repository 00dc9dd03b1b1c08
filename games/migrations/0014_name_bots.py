"""Bots have people's names. Their old names, which were their tempers, lead to the same players."""

import re
from typing import Any, ClassVar

from django.db import migrations

from games.people.names import skeleton

NAMES = {
    "taker": "Ragna",
    "builder": "Bertil",
    "starver": "Corvin",
    "runner": "Tamsin",
    "first-fit": "Pim",
}
OLD = re.compile(rf"({'|'.join(NAMES)})( \d+)?")


def name_bots(apps: Any, _editor: Any) -> None:
    """Rename the players who only ever were bots; records keep what was written."""
    players, aliases, seats = (
        apps.get_model("games", model).objects for model in ("Player", "PlayerAlias", "Seat")
    )
    for player in players.filter(name__regex=rf"^{OLD.pattern}$"):
        temper, number = re.fullmatch(OLD, player.name).groups()
        name = NAMES[temper] + (number or "")
        taken = players.filter(name=name).exists() or aliases.filter(name=name).exists()
        if taken or seats.filter(player=player).exclude(kind="bot").exists():
            continue
        aliases.update_or_create(name=player.name, defaults={"player": player})
        player.name, player.skeleton = name, skeleton(name)
        player.save(update_fields=["name", "skeleton"])


class Migration(migrations.Migration):
    dependencies: ClassVar = [("games", "0013_chats_in_rooms")]

    operations: ClassVar = [
        migrations.RunPython(name_bots, migrations.RunPython.noop, elidable=True),
    ]
