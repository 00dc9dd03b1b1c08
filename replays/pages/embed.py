"""Matches, live tables and chapters in pages of other sites, and the same for oEmbed.

A page of another site brings no cookies, so an embed is for strangers. A visitor with a question to
answer first may see less than a stranger. If they open an embed on this site, it is closed to them.
"""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode, urlsplit

from csp.decorators import csp_replace
from django.conf import settings
from django.http import HttpResponse, JsonResponse, QueryDict
from django.shortcuts import render
from django.urls import Resolver404, resolve, reverse
from django.utils.cache import patch_vary_headers
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from games.archive.store import shown_header
from games.live.storage.queries import shared
from games.models import Match
from games.pages.words import Text, spoken_names, together
from games.people import embargoes
from games.people.rights import public
from games.people.visit import Request, Visit
from games.people.visitor import Reader
from games.tables import lobby
from replays.models import Chapter, Study
from replays.notes.access import readable_study
from replays.pages.chart_pictures import chart_named
from replays.pages.moment_pictures import picture_of
from replays.pages.replay_page import (
    first_chunk,
    outcomes_of,
    replay_of,
    told_of,
    verdict_of,
)
from replays.pages.studies.lessons import heading_of, place_of
from replays.query_string import number_or_none
from replays.stored import reports

MAX_AGE_S: Final = 300
"""How long an embed of a match that is over may be cached, and so outlive the match."""
WIDTH: Final = 640
NARROW: Final = 480
"""Up to this width the table has another height. All in px."""
_LINE: Final = 44
_PLACE: Final = ("round", "event", "seq", "t", "lead", "until", "pov", "theme", "chart", "of")
"""What the address of a match's page and of its embed may both say."""
_PLACED: Final = ("round", "event", "seq", "t")


class Closed(NamedTuple):
    """Why there is no table to show."""

    status: HTTPStatus
    heading: Text
    words: Text
    locked: bool = False
    again: bool = False
    """Whether the page looks again by itself."""


GONE: Final = Closed(
    HTTPStatus.NOT_FOUND,
    gettext_lazy("There is no such match"),
    gettext_lazy("It is deleted, or private."),
)
"""For a private match too: an address says nothing of one."""
UNSHARED: Final = Closed(
    HTTPStatus.NOT_FOUND,
    gettext_lazy("There is no such chapter"),
    gettext_lazy("It is gone, or not shared with everyone."),
)
BARRED: Final = Closed(
    HTTPStatus.FORBIDDEN,
    gettext_lazy("Not yet"),
    gettext_lazy("A question about this match is waiting for you."),
    True,
)
SEATING: Final = Closed(
    HTTPStatus.OK,
    gettext_lazy("Waiting for players"),
    gettext_lazy("The match appears here when it begins."),
    again=True,
)
QUESTION: Final = Closed(
    HTTPStatus.OK,
    gettext_lazy("What would you play?"),
    gettext_lazy("Answer it, then see the rest."),
)
WHAT_IF: Final = Closed(
    HTTPStatus.OK,
    pgettext_lazy("tab", "What if?"),
    gettext_lazy("This chapter shows another way to play on."),
)


class Shown(NamedTuple):
    """The contents of an embed, and the addresses of its page and itself."""

    page: str
    embed: str
    title: str = ""
    headline: str = ""
    """How a finished match ended, or who plays. Empty for a chapter."""
    match: Match | None = None
    closed: Closed | None = None
    look: reports.FirstLook | None = None
    """None for readers who hide results, and until the report is stored."""
    place: str = ""
    """The place where a chapter opens, as a query string. Others open where their address says."""


def framed(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A page that other sites may frame. All others stay closed."""
    anywhere: Any = csp_replace({"frame-ancestors": ["*"]})
    framed: Callable[..., HttpResponse] = anywhere(require_safe(view))
    return xframe_options_exempt(framed)


@framed
def embed_match(request: Request, pk: int) -> HttpResponse:
    """A match, from its start or the place that the address names."""
    return _embed(request, _match(request.visit, pk))


@framed
def embed_table(request: Request, table_id: str) -> HttpResponse:
    """A table: before its match, who sits there."""
    return _embed(request, _table(request.visit, table_id))


@framed
def embed_chapter(request: Request, key: str, number: int) -> HttpResponse:
    """A chapter of a study at its place. Questions are asked on the site only."""
    return _embed(request, _chapter(request.visit, key, number, request.GET))


def _embed(request: Request, shown: Shown) -> HttpResponse:
    match, query = shown.match, QueryDict(shown.place) if shown.place else request.GET
    asked = request.GET.get("theme")
    context: dict[str, Any] = {"shown": shown, "theme": asked if asked in ("light", "dark") else ""}
    results = request.visit.shows_results
    chart = context["chart"] = chart_named(match.pk, query) if match and results else None
    if match is not None and chart is None:
        place = number_or_none(query, "round"), number_or_none(query, "seq")
        urls = {"log": reverse("api:log", args=[match.pk])}
        if shown.look and shown.look.moments:
            urls["analysis"] = reverse("api:analysis", args=[match.pk])
        drawn = replay_of(request.visit, match, urls, spoilers=results)
        if results and match.over and not any(name in query for name in _PLACED):
            opening = drawn["opening"] = shown.look.opening if shown.look else 0
            place = None, opening or None
        live = match.record_id if match.hidden and results else None
        context["data"] = {
            "match": drawn,
            "first": first_chunk(match, *place) if results else None,
            "live": live,
            "pieces": live is not None and shared(live),
            "place": query.urlencode(),
            "page": shown.page,
        }
    status = shown.closed.status if shown.closed else HTTPStatus.OK
    response = render(request, "replays/embed.html", context, status=status)
    kept = match is not None and match.over
    response["Cache-Control"] = f"public, max-age={MAX_AGE_S}" if kept else "no-store"
    patch_vary_headers(response, ("Cookie",))
    return response


# --- What is shown --------------------------------------------------------------------------------


def _match(visit: Visit, pk: int) -> Shown:
    shown = Shown(reverse("replays:replay", args=[pk]), reverse("replays:embed_match", args=[pk]))
    match = embargoes.with_embargoes(Match.objects.filter(pk=pk)).first()
    may = visit.rights(match) if match else None
    if match is None or may is None or not public(may.access):
        return shown._replace(page=reverse("replays:archive"), closed=GONE)
    if not may.see:
        return shown._replace(closed=BARRED)
    names = [seat.name for seat in shown_header(match).seats]
    ended = outcomes_of(match, names) if visit.shows_results else []
    look = reports.first_look(match) if visit.shows_results else None
    told = told_of(look, names) if ended else ""
    headline = told or verdict_of(match, ended) or together(spoken_names(names))
    return shown._replace(match=match, title=together(names), headline=headline, look=look)


def _table(visit: Visit, table_id: str) -> Shown:
    address = reverse("replays:embed_table", args=[table_id])
    begun, table = lobby.match_number(table_id), lobby.table_of(table_id)
    if begun is not None:
        return _match(visit, begun)._replace(embed=address)
    shown = Shown(reverse("games:table", args=[table_id]), address)
    if table is None or not public(table.plan.access):
        return shown._replace(page=reverse("replays:archive"), closed=GONE)
    seated = [place.name for place in table.plan.places if place.name]
    return shown._replace(title=together(seated), closed=SEATING)


def _chapter(visit: Visit, key: str, number: int, query: QueryDict) -> Shown:
    share = {"share": query["share"]} if "share" in query else {}
    end = f"?{urlencode(share)}" if share else ""
    page, embed = (
        f"{reverse(f'replays:{name}', args=[key, number])}{end}"
        for name in ("chapter", "embed_chapter")
    )
    anybody = readable_study(Reader(tokens=[*map(str, share.values())]))
    studies = Study.objects.filter(anybody, key=key)
    rows = Chapter.objects.filter(study__in=studies, number=number)
    chapter = rows.select_related("study", "line").first()
    if chapter is None:
        return Shown(reverse("replays:my_studies"), embed, closed=UNSHARED)
    of_match = _match(visit, chapter.match_id)
    shown = of_match._replace(page=page, embed=embed)
    if of_match.closed:
        return shown
    shown = shown._replace(title=heading_of(chapter), headline="")
    if chapter.question is not None or chapter.line is not None:
        closed = WHAT_IF if chapter.question is None else QUESTION
        return shown._replace(match=None, closed=closed)
    place = place_of(chapter, asking=False)
    if chapter.until is not None:
        place["until"] = str(chapter.until)
    return shown._replace(place=urlencode(place))


# --- oEmbed ---------------------------------------------------------------------------------------


@require_safe
def oembed(request: Request) -> JsonResponse:
    """What to put into a page for an address of this site (oembed.com)."""
    if request.GET.get("format", "json") != "json":
        return _refused(HTTPStatus.NOT_IMPLEMENTED, _("Only JSON is offered: format=json."))
    shown, query = _at(request, request.GET.get("url", ""))
    if shown is None or shown.closed in (GONE, UNSHARED, BARRED):
        return _refused(HTTPStatus.NOT_FOUND, _("There is nothing to embed at this address."))
    place = {name: query[name] for name in _PLACE if name in query}
    end = f"{'&' if '?' in shown.embed else '?'}{urlencode(place)}" if place else ""
    at = QueryDict(shown.place) if shown.place else query
    chart = shown.match and chart_named(shown.match.pk, at)
    width, height = _size(request.GET, chart=bool(chart))
    said = {
        "version": "1.0",
        "type": "rich",
        "provider_name": "Ratuki",
        "provider_url": request.build_absolute_uri("/"),
        "title": shown.title,
        "width": width,
        "height": height,
        "html": format_html(
            '<iframe src="{}" title="{}" width="{}" height="{}" loading="lazy"'
            ' style="border: 0; max-width: 100%"></iframe>',
            request.build_absolute_uri(f"{shown.embed}{end}"),
            f"Ratuki: {shown.title}",
            width,
            height,
        ),
        "cache_age": MAX_AGE_S,
    }
    if shown.match is not None:
        png = chart and request.build_absolute_uri(chart.png)
        said["thumbnail_url"] = png or picture_of(request, shown.match, at)
        said |= {"thumbnail_width": 1_200, "thumbnail_height": 630}
    return _answered(JsonResponse(said))


def _at(request: Request, address: str) -> tuple[Shown | None, QueryDict]:
    """What the address of a page or an embed leads to, None elsewhere, and its query string."""
    own = {*settings.SITE_ORIGINS, f"{request.scheme}://{request.get_host()}"}
    try:
        parts = urlsplit(address)
        path = f"{parts.path.rstrip('/')}/"  # people leave out the slash, and other sites do
        found = resolve(path) if f"{parts.scheme}://{parts.netloc}" in own else None
    except (ValueError, Resolver404):
        found = None
    if found is None:
        return None, QueryDict()
    query = QueryDict(parts.query)
    match found.view_name.removeprefix("replays:"):
        case "replay" | "embed_match":
            return _match(request.visit, **found.kwargs), query
        case "games:table" | "embed_table":
            return _table(request.visit, **found.kwargs), query
        case "chapter" | "embed_chapter":
            return _chapter(request.visit, **found.kwargs, query=query), query
        case _:
            return None, query


def _size(asked: QueryDict, *, chart: bool) -> tuple[int, int]:
    """Width and height in px, within what is asked for."""
    width = min(WIDTH, number_or_none(asked, "maxwidth") or WIDTH)
    height = 640 if width <= NARROW else 660
    if chart:  # a tall or a wide picture, and the line below
        height = (width * 4 // 3 if width <= NARROW else width * 16 // 25) + _LINE
    return width, min(height, number_or_none(asked, "maxheight") or height)


def _refused(status: HTTPStatus, words: str) -> JsonResponse:
    return _answered(JsonResponse({"error": words}, status=status))


def _answered(response: JsonResponse) -> JsonResponse:
    response["Cache-Control"] = "no-store"
    patch_vary_headers(response, ("Cookie",))
    return response
