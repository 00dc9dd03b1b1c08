"""``manage.py names``: report names that would be refused today, since another looks the same.

Nothing is merged: such accounts and players are people's own, and a moderator may rename them.
"""

from __future__ import annotations

from typing import Any

from django.core.management import BaseCommand

from games.archive.players import players_alike
from games.people.accounts import accounts_alike


class Command(BaseCommand):
    help = "List accounts, and players with pages, whose names look the same."

    def handle(self, *args: Any, **options: Any) -> None:
        for kind, alike in (("accounts", accounts_alike()), ("players", players_alike())):
            self.stdout.write(f"{kind}: {len(alike)} names used more than once")
            for names in alike:
                self.stdout.write(f"  {', '.join(names)}")
