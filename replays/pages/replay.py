"""A match's replay, and its record."""

from http import HTTPStatus
from typing import Any, Final

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from games.archive.own import seats_played_by
from games.archive.store import header_of, record_of
from games.engine.fitting import every_use
from games.live.storage.queries import shared
from games.models import Match
from games.pages.invitations import invitation
from games.people import embargoes
from games.people.following import bookmark_of
from games.people.rights import Rights, public
from games.people.visit import Request, Visit
from games.people.visitor import Visitor
from games.tables.guided import DEALS
from games.tables.house_rules import differences
from replays.notes.finding import has_variations
from replays.notes.visible import record_with_notes
from replays.pages.forms import edition_name
from replays.pages.moment_pictures import Preview, audience_of, preview_of
from replays.pages.players.rating_words import MovedRating, moves_in
from replays.pages.rendering import download, page
from replays.pages.replay_page import (
    dealt_fairly,
    first_chunk,
    outcomes_of,
    played_on,
    replay_of,
    told_of,
    verdict_of,
)
from replays.pages.rows import UNCHECKED, came_from, sender_of
from replays.pages.telling import class_names
from replays.query_string import number_or_none
from replays.ratings.tables import moved_by
from replays.stored import reports
from replays.studies.attempts import first_of, question_url


@require_safe
def replay(request: Request, pk: int) -> HttpResponse:
    """A match to step through. Its players are sent to the table if it has no spectators."""
    try:
        match, may = request.visit.match(pk)
    except Http404:
        elsewhere = _instead(request.visit, pk)
        if elsewhere is None:
            raise
        return redirect(elsewhere)
    placed = _PLACE_PARAMS & request.GET.keys()
    results = match.over and request.visit.shows_results
    visitor = request.visit.visitor
    context = {
        "may_keep": visitor.account is not None and not visitor.supervised,
        "kept": bookmark_of(visitor.account, match.pk),
    }
    look = reports.first_look(match) if results else None
    opening = look.opening if look else 0
    opens = opening if results and not placed else None
    shown = replay_context(request, match, may, opens=opens)
    own = shown["own_seat"]
    headline = "" if own is None else verdict_of(match, shown["outcomes"], own)
    names = [seat["name"] for seat in shown["match"]["seats"]]
    told = told_of(look, names, own if headline else None)
    return page(request, "replay", {**shown, **context, "headline": headline, "told": told})


_PLACE_PARAMS: Final = {"round", "seq", "line", "playlist", "note"}
"""What an address names if it leads somewhere in a match."""


def _instead(visit: Visit, pk: int) -> str | None:
    """Where a visitor who may not see a match is sent: to their seat in it, or to the question."""
    match = Match.objects.filter(pk=pk).first()
    if match is not None and match.hidden and visit.rights(match).play:
        return reverse("games:table", args=[match.record_id])
    asked = embargoes.asking([pk], visit.visitor.persons)
    if not asked:
        return None
    question = first_of(asked)
    return question_url(question) if question else reverse("replays:release_match", args=[pk])


def replay_context(
    request: Request,
    match: Match,
    may: Rights,
    *,
    opens: int | None = None,
    results: bool = True,
    analysis: bool = True,
    chat: bool = True,
    notes_url: str = "",
    variations_url: str = "",
    preview: Preview | None = None,
) -> dict[str, Any]:
    """The replay page's data of a match that this visitor may see. `opens`: the seq of the
    play before which it opens, 0: none is known. Without `results` as if this visitor hid them. The
    addresses and the preview are those of the match's own page, if not given."""
    visit = request.visit
    shown, visitor = visit.shows_results and results, visit.visitor
    place = number_or_none(request.GET, "round"), number_or_none(request.GET, "seq")
    header = header_of(match)
    dealt = match.rounds or match.hidden  # the cards of a match being played are still to come
    there = {"log": True, "charts": dealt, "analysis": shown and dealt and analysis}
    urls = {name: reverse(f"api:{name}", args=[match.pk]) for name, has in there.items() if has}
    if match.hidden and "analysis" in urls and shared(match.record_id):
        urls["story"] = f"/live/{match.record_id}/story/{get_language()}/"
    if may.export:
        urls["record"] = reverse("replays:record", args=[match.pk])
    drawn = replay_of(visit, match, urls, spoilers=shown)
    names = [seat["name"] for seat in drawn["seats"]]
    own = _own_seat(visitor, match)
    outcomes = outcomes_of(match, names) if shown else []
    verdict = verdict_of(match, outcomes)
    if opens is not None:
        drawn["opening"] = opens
        place = None, opens or None
    if preview is None and public(may.access):
        preview = preview_of(request, match, names, verdict)
    return {
        "match": drawn,
        "verdict": verdict,
        "outcomes": outcomes,
        "edition": edition_name(match.edition),
        "played_on": played_on(header.started_at),
        "house_rules": differences(match.edition, header.rules),
        "origin": came_from(match.origin, sender_of(match)),
        "unchecked": str(UNCHECKED),
        "may_report": not match.hidden,
        "own_seat": own,
        # It is their own and over, and they are not being asked about it.
        "you": own is not None and shown and match.state == Match.State.FINISHED,
        # Where cards fit, for hints.
        "uses": None if match.hidden or not dealt else every_use(header.rules),
        "live": _live(match, may, chat=chat) if shown and match.hidden else None,
        "chat_name": visitor.name if visitor.named else "",
        "lags": [each for each in outcomes if each.lag_ms is not None],
        "stand_ins": [each.name for each in outcomes if each.stand_in],
        "fair": dealt_fairly(match, header),
        "laid_out": DEALS in header.tags,
        "record_id": match.record_id,
        "ratings": _rating_moves(visit, match) if shown else [],
        "first_round": first_chunk(match, *place) if shown else None,
        "variations": shown and has_variations(match, visit.reader),
        "preview": preview if public(may.access) else None,
        "audience": audience_of(may.access),
        "notes_url": notes_url or reverse("api:notes", args=[match.pk]),
        "variations_url": variations_url or reverse("api:variations", args=[match.pk]),
        "invitation": invitation(request, match.record_id, match.token) if match.token else "",
        "may_collect": may.annotate,
        "may_review": may.review,
    }


def _live(match: Match, may: Rights, *, chat: bool) -> dict[str, Any]:
    """How to follow a match that is being played. `open_delay_ms` 0: never with open hands."""
    return {
        "id": match.record_id,
        "key": match.token,
        "open_delay_ms": may.access.open_delay_ms if may.open_hands else 0,
        "chat": chat and may.chat,
    }


def _own_seat(visitor: Visitor, match: Match) -> int | None:
    """The seat that the visitor played in that match. No query for strangers."""
    own = seats_played_by(visitor.persons).filter(match=match)
    return own.values_list("number", flat=True).first()


def _rating_moves(visit: Visit, match: Match) -> list[MovedRating]:
    """A match's effect on ratings, without ratings that are hidden from this visitor."""
    if match.origin != Match.Origin.HOSTED or not match.over:
        return []
    return moves_in(match, moved_by(visit.embargoed))


@require_safe
def record(request: Request, pk: int) -> HttpResponse:
    """A match's record, once it is over. `?notes=1`: with the notes that this visitor may see."""
    match, may = request.visit.match(pk)
    if not may.export:
        context = {"match": match}
        return page(request, "record_later", context, status=HTTPStatus.CONFLICT)
    noted = request.GET.get("notes") == "1"
    names = class_names(request.visit, match)
    lines = (
        record_with_notes(match, request.visit.reader, names) if noted else record_of(match, names)
    )
    kind = "application/x-ndjson; charset=utf-8"
    return download("".join(lines), kind, f"{match.record_id}.ratuki")
