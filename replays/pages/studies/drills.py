"""A drill over a playlist, at the press of a button."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from games.archive.own import numbers_in, seats_played_by
from games.people.visit import Request
from replays.notes.positions import Unfit
from replays.pages.notes.asked import playlist_of
from replays.studies import drills


@require_POST
def playlist_drill(request: Request, key: str) -> HttpResponse:
    """Make the drill and lead to it, where it waits for a press of “Start the drill”."""
    playlist = playlist_of(request.visit, key)
    try:
        made = drills.create(
            request.visit.sign(),
            playlist,
            numbers_in(
                playlist.items.values("match"), seats_played_by(request.visit.visitor.persons)
            ),
            request.visit.reviewable,
        )
    except Unfit as error:
        messages.error(request, f"There is no drill: {error}.")
        return redirect("replays:playlist_page", key)
    return redirect(f"{reverse('replays:study_page', args=[made.key])}#drill")
