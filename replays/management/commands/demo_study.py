"""``manage.py demo_study``: a short public study over the sample matches, if there is none yet."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.management.schema import need_database
from games.models import Match
from replays.notes.positions import ValidationFault
from replays.studies import sample


class Command(BaseCommand):
    help = "Make a short public study from two simulated matches, unless it is there already."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        need_database()
        simulated = Match.objects.filter(origin=Match.Origin.SIMULATED, seat_count=4).order_by("pk")
        matches = list(simulated[:2])
        if len(matches) < 2:
            raise CommandError("needs two simulated matches with four seats: run demo_data first")
        try:
            made = sample.create(*matches)
        except ValidationFault as error:
            raise CommandError(f"{error}") from None
        self.stdout.write(f"study {made.key}, {made.chapters.count()} chapters")
