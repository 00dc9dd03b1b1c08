"""Today's practice: how much there is, and the next position at the press of a button."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from games.archive.own import numbers_in, seats_played_by
from games.people.visit import Request, Visit
from replays.notes.missed_takes import count_some
from replays.notes.positions import Unfit
from replays.studies import attempts
from replays.studies.practice import Practice, ask_about, practice_of

PRACTISING = "practice"
"""In a chapter's address: the next position comes after the answer."""


def practice(visit: Visit) -> Practice | None:
    """What a visitor is to practise today; None of a stranger."""
    if not visit.visitor.named:
        return None
    seats = seats_played_by(visit.visitor.persons)
    return practice_of(
        visit.reader, seats, lambda match: visit.rights(match).admitted, visit.embargoed
    )


@require_POST
def practise(request: Request) -> HttpResponse:
    """Open the next position to practise; missed takes that are new become questions first."""
    visit = request.visit
    if visit.visitor.named:
        count_some(seats_played_by(visit.visitor.persons).exclude(match__in=visit.embargoed))
    due = practice(visit)
    if due is not None and due.missed:
        try:
            _ask_about(visit, due)
        except Unfit as error:
            messages.error(request, f"Your missed takes could not be asked about: {error}.")
        else:
            due = practice(visit)
    if due is None or not due.questions:
        messages.info(request, "There is nothing to practise today.")
        return redirect("games:home")
    persons, chapter = visit.visitor.persons, due.questions[0]
    place = attempts.place(chapter)
    if not attempts.begin(chapter, visit.sign(), persons, chapter.speed):
        place = attempts.place_asking([chapter.match_id], persons) or place
    return redirect(f"{place}?{PRACTISING}=1")


def _ask_about(visit: Visit, due: Practice) -> None:
    seats = seats_played_by(visit.visitor.persons)
    own = numbers_in([take.match for take in due.missed], seats)
    ask_about(visit.sign(), due.missed, own, visit.reviewable)
