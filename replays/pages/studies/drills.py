"""A drill over a playlist, at the press of a button."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from games.archive.own import seats_played_by
from games.people.visit import Request, Visit
from replays.annotations.positions import Unfit
from replays.models import Playlist
from replays.pages.notes.asked import playlist_of
from replays.studies import drills


@require_POST
def playlist_drill(request: Request, key: str) -> HttpResponse:
    """Make the drill and lead to it, where it waits for a press of “Start the drill”."""
    found = playlist_of(request.visit, key)
    try:
        made = drills.create(
            request.visit.sign(),
            found,
            _own_seats(request.visit, found),
            request.visit.reviewable,
        )
    except Unfit as error:
        messages.error(request, f"There is no drill: {error}.")
        return redirect("replays:playlist_page", key)
    return redirect(f"{reverse('replays:study_page', args=[made.key])}#drill")


def _own_seats(visit: Visit, playlist: Playlist) -> dict[int, list[int]]:
    """Where the requester played in a playlist's matches."""
    seats = seats_played_by(visit.visitor.persons)
    own: dict[int, list[int]] = {}
    matches = playlist.items.values("match")
    for match, number in seats.filter(match__in=matches).values_list("match", "number"):
        own.setdefault(match, []).append(number)
    return own
