"""Searches for patterns as JSON (docs/reference/patterns.md)."""

from http import HTTPStatus
from typing import Any, Final, NotRequired, cast

from django.urls import reverse
from django.utils.translation import gettext as _
from ninja import Router, Status
from typing_extensions import TypedDict

from games.pages.problems import must_be_there
from games.people.visit import Request
from replays.models import Job, PatternSearch
from replays.pages.jobs import Followed, followed
from replays.pages.patterns.moments import PatternMoment, found_for, text_of
from replays.pages.patterns.pages import searches_of
from replays.pages.responses import must_show_results
from replays.patterns.query import PatternQuery
from replays.patterns.searching import search

router: Final = Router(tags=["patterns"])


class SearchRow(TypedDict):
    """A search of the visitor's: in words, and by the fields of `PatternQuery`.

    One that was made before there were fields has none.
    """

    key: str
    pattern: str
    query: dict[str, Any]
    url: str


class Searches(TypedDict):
    """The visitor's own searches, newest first."""

    searches: list[SearchRow]


class MomentJson(TypedDict):
    """A moment that was found, and where it can be watched."""

    match: int
    round: int
    event: int
    until: int
    seq: int
    t_ms: int
    ms: int
    cards: int
    players: list[str]
    text: str
    url: str


class PlayerRow(TypedDict):
    """How many moments a player had, in how many of the matches searched."""

    name: str
    kind: str
    moments: int
    matches: int


class SearchJson(SearchRow):
    """A search: its job's progress, or its results."""

    matches: int
    created: str
    job: NotRequired[Followed | None]
    versions: NotRequired[dict[str, int | None]]
    total: NotRequired[int]
    unseen_matches: NotRequired[int]
    outcome: NotRequired[str]
    players: NotRequired[list[PlayerRow]]
    moments: NotRequired[list[MomentJson]]


@router.get("/patterns", url_name="patterns", response=Searches)
def list_searches(request: Request) -> Searches:
    """The visitor's own searches, newest first."""
    return {
        "searches": [
            {"key": row.key, "pattern": text_of(row), "query": row.query, "url": _url(row)}
            for row in searches_of(request.visit)
        ]
    }


@router.post("/patterns", url_name="patterns", response={202: SearchJson})
def search_for_pattern(request: Request, asked: PatternQuery) -> Status[SearchJson]:
    """Begin a search (docs/reference/patterns.md)."""
    begun = search(asked, request.visit.author, request.visit.visitor.persons)
    return Status(HTTPStatus.ACCEPTED, _search_json(request, begun))


@router.get("/patterns/{slug:key}", url_name="pattern", response={200: SearchJson, 202: SearchJson})
def read_search(request: Request, key: str) -> Status[SearchJson]:
    """A search: its job's progress (202), or its results."""
    search = PatternSearch.objects.select_related("job").filter(key=key).first()
    search = must_be_there(search, _("there is no such pattern"))
    must_show_results(request.visit)
    going_on = search.found is None and search.job is not None and search.job.state in Job.ACTIVE
    status = HTTPStatus.ACCEPTED if going_on else HTTPStatus.OK
    return Status(status, _search_json(request, search))


def _search_json(request: Request, search: PatternSearch) -> SearchJson:
    fields: SearchJson = {
        "key": search.key,
        "pattern": text_of(search),
        "query": search.query,
        "url": _url(search),
        "matches": search.matches,
        "created": search.created.isoformat(),
    }
    if search.found is None:
        fields["job"] = None if search.job is None else followed(request, search.job)
        return fields
    found_moments = found_for(request.visit, search)
    fields["versions"] = {"measures": search.measures}
    fields["total"] = found_moments.total
    fields["unseen_matches"] = found_moments.unseen
    fields["outcome"] = found_moments.outcome
    fields["players"] = [cast("PlayerRow", player._asdict()) for player in found_moments.players]
    fields["moments"] = [_moment_json(moment) for moment in found_moments.moments]
    return fields


def _moment_json(moment: PatternMoment) -> MomentJson:
    first, last = moment.hit
    return {
        "match": moment.match,
        "round": first.round,
        "event": first.event,
        "until": last.until,
        "seq": first.seq,
        "t_ms": first.t,
        "ms": first.ms,
        "cards": first.cards,
        "players": moment.who,
        "text": moment.words,
        "url": moment.address,
    }


def _url(search: PatternSearch) -> str:
    return reverse("replays:pattern", args=[search.key])
