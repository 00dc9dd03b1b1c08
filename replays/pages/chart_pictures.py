"""Pictures of charts at addresses, and the address of a chart on a match's page.

`?chart=ownership&of=match` names a chart of the match on its page, in its embed and in its preview,
`&round=2` instead of `of` one of a round. The picture has the same query. `&shape=square` is for
chats that cut wide ones, `&shape=mid` and `tall` for embeds.
"""

import gzip
import json
from http import HTTPStatus
from typing import Final, NamedTuple
from urllib.parse import urlencode

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse, QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.engine.message import Message
from games.pages.words import reason, words
from games.people.rights import public
from games.people.visit import Request
from replays.charts.ownership import TITLE as OWNERSHIP
from replays.charts.scores import TITLE as SCORES
from replays.pages.charts import figures
from replays.pages.concurrency import RETRY_S, BusyError
from replays.pages.pictures import answered
from replays.pages.telling import names_in
from replays.pictures.plotting import SIZES, chart_svg
from replays.query_string import number_or_404

TITLES: Final[dict[str, Message]] = {"ownership": OWNERSHIP, "scores": SCORES}
"""The charts that have a picture. A matrix is read by pointing at it."""


class NamedChart(NamedTuple):
    """A chart that an address names, with its title and the pictures' addresses."""

    name: str
    title: str
    mid: str
    tall: str
    png: str


def chart_named(match: int, query: QueryDict) -> NamedChart | None:
    """The chart that the query names, if there is such a picture."""
    name = query.get("chart", "")
    if name not in TITLES:
        return None
    kinds = ("of",) if query.get("of") == "match" else ("of", "round")
    of = {kind: query[kind] for kind in kinds if kind in query}
    svg, png = (reverse(f"replays:chart_{kind}", args=[match, name]) for kind in ("svg", "png"))
    mid, tall = (f"{svg}?{urlencode({**of, 'shape': shape})}" for shape in ("mid", "tall"))
    end = f"?{urlencode(of)}" if of else ""
    return NamedChart(name, words(TITLES[name]), mid, tall, f"{png}{end}")


@require_safe
def chart(request: Request, pk: int, name: str, *, png: bool) -> HttpResponse:
    """A chart as PNG or SVG. Raises Http404 and PermissionDenied."""
    match, may = request.visit.match(pk)
    shape = request.GET.get("shape", "wide")
    if name not in TITLES or shape not in SIZES:
        raise Http404(_("there is no such picture"))
    if not request.visit.shows_results:
        raise PermissionDenied(_("results are hidden"))
    number = number_or_404(request.GET, "round")
    whole = request.GET.get("of") == "match" or (number is None and match.over)
    whole = whole and match.rounds != 1  # whose round shows more
    try:
        body = figures(match, None if whole else number or 1, None, request.visit, name)
    except LookupError as error:
        raise Http404(reason(error)) from None
    except BusyError as error:
        wait = {"Retry-After": str(RETRY_S)}
        return HttpResponse(reason(error), status=HTTPStatus.SERVICE_UNAVAILABLE, headers=wait)
    figure = json.loads(gzip.decompress(body))
    drawn = chart_svg(figure, names_in(match, request.visit), shape)
    return answered(drawn, match, shared=public(may.access), png=png)
