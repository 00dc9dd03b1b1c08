"""Shared live reviews: starting one, its page, keeping its moments, and the visitor's own."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final
from urllib.parse import parse_qs, urlencode, urlsplit

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import add_never_cache_headers
from django.views.decorators.http import require_http_methods, require_safe

from games.models import Match
from games.pages.forms import NameForm
from games.people.guests import rename_guest
from games.people.matches import rights_in
from games.people.person import encode
from games.people.rights import Rights
from games.people.sessions import visitor_of
from games.records.shape import one_of
from replays.annotations.positions import Unfit
from replays.models import Review, ReviewMember
from replays.pages.json_api import answer, body_of, json_view
from replays.pages.notes.asked import asker_of, reader_of
from replays.pages.viewer import match_of
from replays.pages.views import page, replay_context
from replays.reviews import keeping, storage
from replays.reviews.room import OWNER

PLACE: Final = ("round", "t", "seq", "pov", "line", "event")
"""The parts of a replay's address that say what it shows."""
KEPT_AS: Final = ("notes", "playlist", "study")
LISTED: Final = 50


@require_http_methods(["GET", "HEAD", "POST"])
def start(request: HttpRequest, pk: int) -> HttpResponse:
    """Start a review of a match, at the place that the page sending this showed.

    A GET, of a page loaded again or a copied address, starts nothing: it shows the form.
    """
    match, may = match_of(request, pk)
    if not may.review:
        raise PermissionDenied("you cannot review a match while you are playing in it")
    if request.method != "POST":
        form = None if visitor_of(request).named else NameForm()
        context = {"form": form, "match": match, "place": _place(request.get_full_path())}
        return render(request, "replays/reviews/start.html", context)
    if not visitor_of(request).named:
        named = _named(request, match)
        if named is not None:
            return named
    author = asker_of(request)
    assert author is not None
    try:
        review = storage.start(match, author)
    except storage.TooManyReviewsError:
        messages.error(request, f"You have {storage.MOST_OPEN} open reviews. End one first.")
        return redirect("replays:my_reviews")
    place = _place(request.POST.get("place", "") or request.headers.get("Referer", ""))
    return redirect(f"{reverse('replays:review', args=[review.key])}{place}")


def _named(request: HttpRequest, match: Match) -> HttpResponse | None:
    """Give a visitor the chosen name; the page that asks for one, if there is none yet."""
    form = NameForm(request.POST if "name" in request.POST else None)
    if form.is_valid():
        rename_guest(request.session, form.cleaned_data["name"])
        return None
    place = request.POST.get("place", "") or _place(request.headers.get("Referer", ""))
    context = {"form": form, "match": match, "place": place}
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.errors else HTTPStatus.OK
    return render(request, "replays/reviews/start.html", context, status=status)


def _place(address: str) -> str:
    """The query of a replay's address, as far as it says what the page shows."""
    asked = parse_qs(urlsplit(address).query)
    kept: dict[str, str] = {name: asked[name][0] for name in PLACE if name in asked}
    return f"?{urlencode(kept)}" if kept else ""


def _review_of(request: HttpRequest, key: str) -> tuple[Review, Rights]:
    """The review, if this visitor may see its match. Raises Http404."""
    review = Review.objects.filter(key=key).select_related("match").first()
    if review is None:
        raise Http404("no such review")
    may = rights_in(request, review.match)
    if not may.see:
        raise Http404("the match of this review is not for this visitor")
    return review, may


@require_safe
def review(request: HttpRequest, key: str) -> HttpResponse:
    """The replay page of a review's match, with what its members share."""
    found, may = _review_of(request, key)
    if not may.review:
        return redirect("games:table", found.match.record_id)
    context = replay_context(request, found.match, may)
    if context["live"]:
        context["live"]["chat"] = False  # the review has a chat of its own
    visitor = visitor_of(request)
    context["review"] = {
        "key": found.key,
        "ended": found.ended,
        "link": request.build_absolute_uri(reverse("replays:review", args=[found.key])),
        "name": visitor.name if visitor.named else "",
    }
    return page(request, "replay", context)


@json_view("POST")
def keep(request: HttpRequest, key: str) -> HttpResponseBase:
    """Keep a review's moments as notes; `{"as": "playlist"}` or `"study"`: as one of those too."""
    found, may = _review_of(request, key)
    author = asker_of(request)
    if author is None:
        raise PermissionDenied("choose a name or log in first")
    if not (may.review and may.annotate):
        raise PermissionDenied("you cannot write notes on a match while playing in it")
    wanted = one_of(body_of(request).get("as", "notes"), "as", KEPT_AS)
    reader = reader_of(request)
    kept = keeping.keep(found, author, reader)
    if not kept.notes:
        raise Unfit("there is nothing to keep")
    address = reverse("replays:my_notes")
    if wanted == "playlist":
        playlist = keeping.playlist_of(found, kept, author, reader)
        address = reverse("replays:playlist_page", args=[playlist.key])
    elif wanted == "study":
        study = keeping.study_of(found, kept, author, reader)
        address = reverse("replays:study_page", args=[study.key])
    return answer({"notes": len(kept.notes), "left_out": kept.left_out, "address": address})


@require_safe
def my_reviews(request: HttpRequest) -> HttpResponse:
    """The reviews that the requester has been in, newest first."""
    persons = [encode(person) for person in visitor_of(request).persons]
    rows = (
        ReviewMember.objects.filter(person__in=persons)
        .select_related("review__match")
        .order_by("-review__changed", "-pk")[:LISTED]
    )
    may_see = [row for row in rows if rights_in(request, row.review.match).review]
    reviews = [{"review": row.review, "own": row.number == OWNER} for row in may_see]
    response = render(request, "replays/reviews/mine.html", {"reviews": reviews})
    add_never_cache_headers(response)
    return response
