"""Whether lists show a stored match, and deleting one that was not played here."""

from __future__ import annotations

from django.db import transaction

from games.archive.filters import BIT_RANGES
from games.models import Match, Player, Seat
from games.people import changes
from games.people.matches import access_of
from games.people.rights import public


def show(match: Match, visibility: Match.Visibility) -> None:
    """Show a match to everyone, or to its players and those who have its key."""
    match.visibility = visibility
    listed = BIT_RANGES["listed"]
    match.filter_bits = match.filter_bits & ~listed.mask | listed.put(public(access_of(match)))
    match.save(update_fields=["visibility", "filter_bits"])
    changes.changed(changes.of_match(match.pk))


@transaction.atomic
def delete(match: Match) -> None:
    """Delete a match from elsewhere and everything that belongs to it."""
    assert match.from_elsewhere, "the logs of matches played here are never deleted"
    players = list(match.seats.values_list("player_id", flat=True))
    match.chunks.all().purge()
    match.seats.all().delete()
    match.delete()
    still = Seat.objects.filter(player__in=players).values("player_id")
    Player.objects.filter(pk__in=players).exclude(pk__in=still).delete()
