"""Missed takes: the requester's own missed takes become a playlist at the press of a button."""

from __future__ import annotations

from typing import Final

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from games.archive.own import seats_played_by
from games.people.visit import Request
from replays.notes.missed_takes import create, missed_takes_of
from replays.notes.positions import Unfit

_LEFT_OUT: Final = (
    "Matches about which you have a question to answer are left out until you have answered it."
)


@require_POST
def missed_takes(request: Request) -> HttpResponse:
    """Make the playlist and lead to it; without missed takes, say so on My matches."""
    visit, missed = request.visit, []
    if visit.visitor.named:
        seats, without = seats_played_by(visit.visitor.persons), visit.embargoed
        missed = missed_takes_of(seats.exclude(match__in=without))
        if without and seats.filter(match__in=without).exists():
            messages.info(request, _LEFT_OUT)
    if not missed:
        messages.info(request, "There are no missed takes in your matches played here.")
        return redirect("replays:mine")
    try:
        title, items = (
            f"My missed takes: {len(missed)}, the largest first",
            [take.item for take in missed],
        )
        made = create(visit.author, title, items, reader=visit.reader, match_of=visit.reviewable)
    except Unfit as fault:
        messages.error(request, f"The list could not be made: {fault}.")
        return redirect("replays:my_playlists")
    return redirect("replays:playlist_page", made.key)
