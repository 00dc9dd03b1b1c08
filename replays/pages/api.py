"""Logs and charts, above all for the replay page."""

from typing import Any, Final, Literal, NotRequired

from django.http import Http404, HttpResponse
from ninja import Query, Router
from typing_extensions import TypedDict

from games.pages.operations import NonNegativeInt
from games.pages.words import reason
from games.people.visit import Request
from replays.pages.charts import figures
from replays.pages.match_log import log_from, slice_from
from replays.pages.responses import about_match, gzipped, must_show_results

router: Final = Router(tags=["matches"])


class LogChunk(TypedDict):
    """Lines as in a record, or, of a finished round, the columns in which it is stored."""

    seq: int
    lines: NotRequired[list[dict[str, Any]]]
    packed: NotRequired[dict[str, Any]]


LogSlice = TypedDict(
    "LogSlice", {"from": int, "next": int, "finished": bool, "chunks": list[LogChunk]}
)
"""Part of a log. Until it is `finished`, request the rest from `next`."""


class Figure(TypedDict):
    """A chart as Plotly draws it."""

    data: list[dict[str, Any]]
    layout: dict[str, Any]


@router.get("/matches/{match:pk}/log", url_name="log", response=LogSlice)
def match_log(
    request: Request,
    pk: int,
    first: NonNegativeInt = Query(1, alias="from"),  # noqa: B008 - how the library wants it
    until_t: NonNegativeInt | None = None,
) -> HttpResponse:
    """A match's log from a line to its end. `until_t` is for pages that hide the end."""
    match, _ = request.visit.match(pk)
    first_seq = max(1, first)
    if until_t is not None:
        return about_match(match, slice_from(match, first_seq, until_t).encode())
    must_show_results(request.visit)
    return about_match(match, log_from(match, first_seq).encode())


@router.get("/matches/{match:pk}/charts", url_name="charts", response=dict[str, Figure])
def match_charts(
    request: Request,
    pk: int,
    round: NonNegativeInt | Literal["all"] = 1,  # noqa: A002 - its name in the address
    until: NonNegativeInt | None = None,
) -> HttpResponse:
    """All charts of a round, or of the match, by name. `until`: the last line seen."""
    return _chart_response(request, pk, round, until)


@router.get("/matches/{match:pk}/charts/{slug:name}", url_name="chart", response=Figure)
def match_chart(
    request: Request,
    pk: int,
    name: str,
    round: NonNegativeInt | Literal["all"] = 1,  # noqa: A002 - its name in the address
    until: NonNegativeInt | None = None,
) -> HttpResponse:
    """One of the charts."""
    return _chart_response(request, pk, round, until, name)


def _chart_response(
    request: Request, pk: int, number: int | Literal["all"], until: int | None, name: str = ""
) -> HttpResponse:
    match, _ = request.visit.match(pk)
    if until is None:
        must_show_results(request.visit)
    which = None if number == "all" else number
    try:
        body = figures(match, which, until, request.visit, name)
    except LookupError as error:
        raise Http404(reason(error)) from None
    return gzipped(request, match, body)
