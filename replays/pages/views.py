"""Pages for looking back."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST, require_safe

from games.archive.own import seats_played_by
from games.archive.players import listed_players, newest_players, players_with_pages
from games.archive.queries import Filter, Row, page_of
from games.archive.store import header_of, record_of
from games.engine.fitting import every_use
from games.models import Match, Player, Seat
from games.pages.invitations import invitation
from games.people.rights import Rights, public
from games.people.sessions import visitor_of
from games.people.visitor import Visitor
from games.tables.house_rules import differences
from replays.annotations.finding import has_variations, noted_matches
from replays.annotations.visible import record_with_notes
from replays.pages.forms import MAX_QUERY, Asked, edition_name, write_mark
from replays.pages.json_api import answer, json_view, refusal
from replays.pages.notes.asked import reader_of
from replays.pages.pictures import preview_of
from replays.pages.players.figure_rows import csv_of, json_of
from replays.pages.players.profile import profile_of
from replays.pages.players.rating_words import (
    MovedRating,
    PlayerRatings,
    bot_ladders,
    moves_in,
    rating_tables,
    ratings_of,
)
from replays.pages.provenance import UNCHECKED, came_from, sender_of
from replays.pages.replay_page import (
    first_chunk,
    lags_of,
    live_of,
    played_on,
    replay_of,
    stand_ins_of,
)
from replays.pages.rows import words_of
from replays.pages.viewer import (
    BadNumberError,
    embargoed_to,
    match_of,
    may_show,
    number,
    own_table,
    question_on,
    remember,
)
from replays.players.queries import LATEST
from replays.ratings.tables import moved_by

_PLAYERS_LATEST = 8


def page(
    request: HttpRequest, name: str, context: dict[str, Any], status: int = HTTPStatus.OK
) -> HttpResponse:
    """A page that differs for viewers who hide how matches ended."""
    context["spoilers_shown"] = may_show(request)
    response = render(request, f"replays/{name}.html", context, status=status)
    patch_vary_headers(response, ("Cookie",))
    return response


@require_safe
def archive(request: HttpRequest) -> HttpResponse:
    """The list of matches, newest first unless requested otherwise."""
    if "" in request.GET.values():  # a form also sends empty fields
        given = {name: value for name, value in request.GET.items() if value}
        return redirect(f"{request.path}?{urlencode(given)}" if given else request.path)
    shown = may_show(request)
    asked = Asked(request.GET, spoilers=shown)
    noted = noted_matches(reader_of(request)) if asked.noted else None
    wanted = asked.filter(noted)._replace(without=embargoed_to(request))
    found = None if asked.nobody else page_of(wanted, asked.after)
    after = found and found.after
    context = {
        "asked": asked,
        "matches": [words_of(row, spoilers=shown) for row in found.rows] if found else [],
        "next_page": asked.address(after=write_mark(after)) if after else None,
        "first_page": asked.address() if asked.after else None,
        "cut": found is not None and found.cut,
        "tag_table": _tag_table(found.rows) if found and asked.noted else "",
    }
    return page(request, "archive", context)


def _tag_table(rows: Sequence[Row]) -> str:
    """The address of the table of tags over the listed matches."""
    query = urlencode([("match", row.id) for row in rows])
    return f"{reverse('replays:tag_table')}?{query}" if query else ""


@require_safe
def players(request: HttpRequest) -> HttpResponse:
    """Find players by name; without one, the ratings and the ladder of bots."""
    text = request.GET.get("name", "").replace("\0", "").strip()[:MAX_QUERY]
    found = listed_players(text, 50) if text else newest_players(50)
    context: dict[str, Any] = {"text": text, "players": found, "ratings": None, "ladders": []}
    if not text and may_show(request):
        held = moved_by(embargoed_to(request))
        context |= {"ratings": rating_tables(held), "held": list(held.values())}
        context["ladders"] = bot_ladders()
    return page(request, "players", context)


@require_safe
def player(request: HttpRequest, name: str) -> HttpResponse:
    """A player: results, by edition, against opponents, recent form, latest matches."""
    found = _player_named(name)
    shown, without = may_show(request), embargoed_to(request)
    latest = page_of(Filter(players=[found.pk], without=without), size=_PLAYERS_LATEST)
    context = {
        "player": found,
        "profile": profile_of(found, request.GET, without) if shown else None,
        "ratings": _ratings(request, found, without) if shown else None,
        "held": _held(found, without) if shown else 0,
        "latest_counted": LATEST,
        "figures_url": _figures_url(request, "player_figures", name),
        "figures_json_url": _figures_url(request, "player_figures_json", name),
        "own": shown and _plays_as(visitor_of(request), found),
        "matches": [words_of(row, spoilers=shown) for row in latest.rows],
        "more": latest.after is not None,
    }
    return page(request, "player", context)


def _player_named(name: str) -> Player:
    found = players_with_pages().filter(name=name).first() if "\0" not in name else None
    if found is None:
        raise Http404(f"no player {name!r}")
    return found


def _figures_url(request: HttpRequest, route: str, name: str) -> str:
    """Where the page's figures are in another form, for the same choice of matches."""
    query = request.GET.urlencode()
    return f"{reverse(f'replays:{route}', args=[name])}{'?' if query else ''}{query}"


@require_safe
def player_figures(request: HttpRequest, name: str) -> HttpResponse:
    """The figures of a player's page as CSV, for whoever may see results."""
    found = _player_named(name)
    if not may_show(request):
        return HttpResponse("results are hidden\n", "text/plain", HTTPStatus.FORBIDDEN)
    without = embargoed_to(request)
    text = csv_of(profile_of(found, request.GET, without), _ratings(request, found, without))
    response = HttpResponse(text, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="figures.csv"'
    patch_vary_headers(response, ("Cookie",))
    return response


@json_view("GET", "HEAD")
def player_figures_json(request: HttpRequest, name: str) -> HttpResponse:
    """The same as JSON."""
    found = _player_named(name)
    if not may_show(request):
        return refusal("results are hidden", HTTPStatus.FORBIDDEN)
    without = embargoed_to(request)
    profile = profile_of(found, request.GET, without)
    return answer(json_of(found.name, profile, _ratings(request, found, without)))


def _plays_as(visitor: Visitor, found: Player) -> bool:
    """Whether the visitor has played under that name; no query for strangers."""
    seats = seats_played_by(visitor.persons)
    return seats is not None and seats.filter(player=found).exists()


def _own_seat(visitor: Visitor, match: Match) -> int | None:
    """The seat that the visitor played in that match; no query for strangers."""
    seats = seats_played_by(visitor.persons)
    own = None if seats is None else seats.filter(match=match)
    return None if own is None else own.values_list("number", flat=True).first()


def _held(player: Player, without: Collection[int]) -> int:
    """How many of a player's matches are kept from this visitor. One query; none for no matches."""
    return Seat.objects.filter(player=player, match__in=without).count() if without else 0


def _ratings(
    request: HttpRequest, player: Player, without: Collection[int]
) -> PlayerRatings | None:
    """A player's ratings; none while one of their matches is kept from this visitor."""
    if player.pk in moved_by(without):
        return None
    return ratings_of(player, request.GET.get("edition", ""))


@require_safe
def replay(request: HttpRequest, pk: int) -> HttpResponse:
    """A match to step through; its players are sent to the table if it has no spectators."""
    try:
        match, may = match_of(request, pk)
    except Http404:
        own = own_table(request, pk)
        if own is not None:
            return redirect("games:table", own)
        question = question_on(request, pk)
        if question is None:
            raise
        return redirect(question)
    return page(request, "replay", replay_context(request, match, may))


def replay_context(request: HttpRequest, match: Match, may: Rights) -> dict[str, Any]:
    """What the replay page shows of a match that this visitor may see."""
    shown = may_show(request)
    try:
        place = number(request, "round"), number(request, "seq")
    except BadNumberError:
        place = None, None
    header = header_of(match)
    names = ("log", "record", "charts")
    urls = dict(zip(names, _urls(match), strict=True))
    if not may.export:
        del urls["record"]
    dealt = match.rounds or match.hidden  # the cards of a match being played are still to come
    if not dealt:
        del urls["charts"]
    if shown and dealt:
        urls["analysis"] = reverse("replays:analysis", args=[match.pk])
    return {
        "match": replay_of(match, urls, spoilers=shown),
        "edition": edition_name(match.edition),
        "played_on": played_on(header.started_at),
        "house_rules": differences(match.edition, header.rules),
        "origin": came_from(match.origin, sender_of(match)),
        "unchecked": UNCHECKED,
        "may_report": not match.hidden,
        "own_seat": _own_seat(visitor_of(request), match),
        "uses": None if match.hidden or not dealt else every_use(header.rules),
        "live": live_of(match, may) if shown and match.hidden else None,
        "chat_name": _chat_name(visitor_of(request)),
        "lags": lags_of(match) if shown else [],
        "stand_ins": stand_ins_of(match) if shown and match.over else [],
        "ratings": _moved(request, match) if shown else [],
        "first_round": first_chunk(match, *place) if shown else None,
        "variations": shown and has_variations(match, reader_of(request)),
        "preview": preview_of(request, match) if public(may.access) else "",
        "notes_url": reverse("replays:notes", args=[match.pk]),
        "variations_url": reverse("replays:variations", args=[match.pk]),
        "invitation": invitation(request, match.record_id, match.token) if match.token else "",
        "may_collect": may.annotate,
        "may_review": may.review,
    }


def _moved(request: HttpRequest, match: Match) -> list[MovedRating]:
    """What a match did to ratings, but for players whose ratings are kept from this visitor."""
    if match.origin != Match.Origin.HOSTED or not match.over:
        return []
    return moves_in(match, moved_by(embargoed_to(request)))


def _chat_name(visitor: Visitor) -> str:
    """The name under which a visitor may chat; empty if none yet."""
    return visitor.name if visitor.named else ""


def _urls(match: Match) -> tuple[str, str, str]:
    """The URLs of the log, the record, and the charts' folder."""
    home = reverse("replays:replay", args=[match.pk])
    record_url = reverse("replays:record", args=[match.pk])
    return reverse("replays:log", args=[match.pk]), record_url, f"{home}charts/"


@require_safe
def record(request: HttpRequest, pk: int) -> HttpResponse:
    """A match's record, once it is over; `?notes=1`: with the notes that this visitor may see."""
    match, may = match_of(request, pk)
    if not may.export:
        context = {"match": match}
        return page(request, "record_later", context, status=HTTPStatus.CONFLICT)
    noted = request.GET.get("notes") == "1"
    lines = record_with_notes(match, reader_of(request)) if noted else record_of(match)
    body = "".join(lines).encode()
    response = HttpResponse(body, content_type="application/x-ndjson; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{match.record_id}.ratuki"'
    return response


@require_POST
def spoilers(request: HttpRequest) -> HttpResponse:
    """From now on, show or hide how matches ended for this viewer."""
    target = request.POST.get("next", "")
    if not url_has_allowed_host_and_scheme(target, {request.get_host()}, request.is_secure()):
        target = reverse("replays:archive")
    response = HttpResponseRedirect(target)
    remember(request, response, show=request.POST.get("show") == "on")
    return response
