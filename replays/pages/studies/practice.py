"""Practise: how much there is today, and the next question at the press of a button."""

import re
from collections.abc import Sequence
from typing import Final

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from games.archive.own import latest_seats, numbers_in, seats_played_by
from games.models import Match
from games.pages.words import sentence
from games.people.visit import Request, Visit
from replays.models import Chapter
from replays.notes.missed_takes import count_some
from replays.notes.positions import ValidationFault
from replays.pages import you
from replays.pages.notes.access import playlist_of
from replays.pages.rendering import private_page
from replays.studies import attempts, drills
from replays.studies.drills import Seats, Span
from replays.studies.practice import Practice, ask_about, practice_of, spans_at

PRACTISING = "practice"
"""In a chapter's address: the next question comes after the answer."""
_OF_MATCH: Final = re.compile(r"match-(\d{1,9})")
"""As a list: the visitor's missed takes in that match."""


def practice(visit: Visit) -> Practice | None:
    """A visitor's practice today. None for a stranger."""
    if not visit.visitor.named:
        return None
    seats = latest_seats(visit.visitor.persons)
    return practice_of(
        visit.reader, seats, lambda match: visit.rights(match).admitted, visit.embargoed
    )


@require_http_methods(["GET", "HEAD", "POST"])
def practise(request: Request) -> HttpResponse:
    """The amount of practice today. POST opens the next question, from a list if one is named."""
    visit = request.visit
    if request.method == "POST":
        listed = request.POST.get("study", "")
        if of_match := _OF_MATCH.fullmatch(listed):
            return _learn(request, int(of_match[1]))
        left = _left_in(visit, listed)
        if left:
            return _begin(visit, left[0], listed)
        chapter = _next_today(request)
        return _begin(visit, chapter) if chapter else redirect("replays:practice")
    listed = request.GET.get("study", "")
    context = {"listed": listed, "left": len(_left_in(visit, listed)) if listed else 0}
    return private_page(request, "studies/practise", context)


@require_POST
def practise_playlist(request: Request, key: str) -> HttpResponse:
    """Make questions of the takes in a playlist. They wait for a press, as they are timed."""
    visit, playlist = request.visit, playlist_of(request.visit, key)
    seats = seats_played_by(visit.visitor.persons)
    own = numbers_in(playlist.items.values("match"), seats)
    try:
        made, left_out = drills.create(visit.sign(), playlist, own, visit.reviewable)
    except ValidationFault as error:
        messages.error(
            request, _("There is nothing to practise here. {error}").format(error=sentence(error))
        )
        return redirect("replays:playlist_page", key)
    if left_out:
        quick = ngettext(
            "{count} span is left out: the takes there were too quick for any player.",
            "{count} spans are left out: the takes there were too quick for any player.",
            left_out,
        )
        messages.info(request, quick.format(count=left_out))
    return redirect(f"{reverse('replays:practice')}?study={made.key}")


def _begin(visit: Visit, chapter: Chapter, listed: str = "1") -> HttpResponse:
    """Open a question, or the one on the same match that is to be answered first."""
    persons, url = visit.visitor.persons, attempts.question_url(chapter)
    if not attempts.begin(chapter, visit.sign(), persons, chapter.speed):
        url = attempts.pending_question_url([chapter.match_id], persons) or url
    return redirect(f"{url}?{PRACTISING}={listed}")


def _learn(request: Request, pk: int) -> HttpResponse:
    """Open the next of the plays to try again in one's own match, or the one that is named by its
    place among them. After the last, the match."""
    visit = request.visit
    persons = visit.visitor.persons
    seats = seats_played_by(persons).exclude(match__in=visit.embargoed)
    own = seats.filter(match=pk, match__state=Match.State.FINISHED).select_related("match").first()
    if own is not None:
        spans = you.spans(own.match, own.number)
        chosen = _one_of(spans, request.POST.get("play", ""))
        asked = _asked(request, chosen or spans, {pk: {own.number}})
        if asked is None:
            return redirect("replays:replay", pk)
        left = asked if chosen else attempts.unanswered(asked, visit.reader.persons)
        if left:
            return _begin(visit, left[0], f"match-{pk}")
        messages.info(
            request,
            _("That is all from this match. It comes back in Practise.")
            if spans
            else _("You missed no take that was open for half a second."),
        )
    pending = attempts.pending_question_url([pk], persons)
    return redirect(pending or reverse("replays:replay", args=[pk]))


def _asked(request: Request, spans: Sequence[Span], own: Seats) -> list[Chapter] | None:
    """The questions about missed takes in these spans. None, with a message, if none are made."""
    try:
        return ask_about(request.visit.sign(), spans, own, request.visit.reviewable)
    except ValidationFault as error:
        said = _("No questions about your missed takes were made. {error}")
        messages.error(request, said.format(error=sentence(error)))
        return None


def _one_of(spans: Sequence[Span], place: str) -> Sequence[Span]:
    """The span of that place, from 0. None if there is no such place."""
    return spans[int(place) :][:1] if place.isdecimal() and len(place) < 3 else []


def _left_in(visit: Visit, key: str) -> list[Chapter]:
    """The questions in a list of theirs that they have not answered."""
    own = {"study__owner__in": list(visit.reader.persons), "study__deleted": None}
    rows = Chapter.objects.filter(study__key=key, study__drill=True, **own).order_by("place")
    left = attempts.unanswered(rows.select_related("study", "match"), visit.reader.persons)
    return [row for row in left if visit.rights(row.match).admitted]


def _next_today(request: Request) -> Chapter | None:
    """The next question of today. New missed takes become questions first."""
    visit = request.visit
    if visit.visitor.named:
        count_some(latest_seats(visit.visitor.persons).exclude(match__in=visit.embargoed))
    due = practice(visit)
    if due is not None and due.missed:
        own = numbers_in(
            [take.match for take in due.missed], seats_played_by(visit.visitor.persons)
        )
        if _asked(request, spans_at(due.missed), own) is not None:
            due = practice(visit)
    return due.questions[0] if due is not None and due.questions else None
