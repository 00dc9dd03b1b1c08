"""Drills: the requester's own missed takes become a playlist at the press of a button."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from games.archive.own import seats_of
from games.people.sessions import visitor_of
from replays.annotations.drills import create, drills_of
from replays.annotations.positions import Unfit
from replays.pages.notes.api import asker_of, reader_of
from replays.pages.notes.playlists import watched


@require_POST
def drills(request: HttpRequest) -> HttpResponse:
    """Make the playlist and lead to it; without missed takes, say so on My matches."""
    author, seats = asker_of(request), seats_of(visitor_of(request).persons)
    found = drills_of(seats) if author is not None and seats is not None else []
    if author is None or not found:
        messages.info(request, "There are no missed takes in your matches played here.")
        return redirect("replays:mine")
    try:
        made = create(
            author, found, reader=reader_of(request), match_of=lambda pk: watched(request, pk)
        )
    except Unfit as fault:
        messages.error(request, f"The list could not be made: {fault}.")
        return redirect("replays:my_playlists")
    return redirect("replays:playlist_page", made.key)
