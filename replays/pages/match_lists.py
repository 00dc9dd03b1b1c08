"""Lists of matches for programs: by the archive's filters, page after page, with their records."""

import json
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Annotated, Any, Final, Literal, NotRequired
from urllib.parse import urlencode

from django.http import HttpResponse, HttpResponseBase
from django.urls import reverse
from django.utils.cache import get_conditional_response
from ninja import Query, Router
from pydantic import BaseModel, Field, create_model
from typing_extensions import TypedDict

from games.archive.queries import ORDERS, Filter, Mark, Page, Row, page_of
from games.archive.store import record_of
from games.models import Match
from games.people import embargoes
from games.people.visit import Request, Visit
from games.records.strict import Malformed
from replays.pages.archive import filter_for
from replays.pages.forms import MOST_NAMES, SELECTS, MatchFilters, write_mark
from replays.pages.players.pages import player_called, under_its_name
from replays.pages.responses import must_show_results

MAX_MATCHES: Final = 500
MAX_LINES: Final = 20_000
"""Lines of records in one response: about 1.5 MB. A match with more is to be asked for alone."""
_LINES: Final = "application/x-ndjson"
_OWN: Final = ("limit", "format", "include")
router: Final = Router(tags=["matches"])


class ListedSeat(TypedDict):
    """A seat. `stand_in`: a bot finished the match for its player."""

    number: int
    name: str
    kind: str
    total: int | None
    won: bool
    stand_in: bool


class ListedMatch(TypedDict):
    """A match. `record` or `events` if requested: null if it is long, or not over."""

    id: int
    page: str
    edition: str
    started_at: str
    state: str
    origin: str
    source: str
    rounds: int
    ties: int
    duration_ms: int
    margin: int | None
    seats: list[ListedSeat]
    record: NotRequired[str | None]
    events: NotRequired[list[dict[str, Any]] | None]


class Matches(TypedDict):
    """Some matches, and the address of the next ones. null at the end."""

    matches: list[ListedMatch]
    next: str | None


_Words = Annotated[str | None, Field(max_length=MOST_NAMES)]
_Day = Annotated[str | None, Field(pattern=r"^\d{4}-\d{2}-\d{2}$")]
_FILTERS: Final[dict[str, Any]] = {
    **{
        select.name: (Literal[tuple(option.value for option in select.options[1:])] | None, None)
        for select in SELECTS
    },
    **dict.fromkeys(("player", "winner", "after"), (_Words, None)),
    **dict.fromkeys(("since", "until"), (_Day, None)),
    "sort": (Literal[tuple(ORDERS)] | None, None),
    "notes": (Literal["yes"] | None, None),
}
"""As in the address of the archive's page."""


class Wanted(BaseModel):
    """How many matches, in which format, and the parts of their records to include."""

    limit: Annotated[int, Field(ge=1, le=MAX_MATCHES)] = 100
    format: Literal["json", "ndjson"] = "json"
    include: Literal["records", "events"] | None = None


Filters: Any = create_model("Filters", __base__=Wanted, **_FILTERS)
_BOTH: Final = {"responses": {200: {"content": {_LINES: {"schema": {"type": "string"}}}}}}


@router.get("/matches", url_name="matches", response=Matches, openapi_extra=_BOTH)
def list_matches(request: Request, filters: Filters = Query(...)) -> HttpResponseBase:  # noqa: B008
    """Public matches, newest first: 500 at most, or as many as 20,000 lines of records allow."""
    return _answer(request, filters, None)


@router.get(
    "/players/{player:name}/matches",
    url_name="player_matches",
    response=Matches,
    openapi_extra=_BOTH,
)
def list_matches_of_player(
    request: Request,
    name: str,
    filters: Filters = Query(...),  # noqa: B008 - how the library wants it
) -> HttpResponseBase:
    """A player's public matches, in the same way."""
    player = player_called(name)
    if player.name != name:
        return under_its_name(request, player)
    return _answer(request, filters, player.pk)


def _answer(request: Request, wanted: Wanted, player: int | None) -> HttpResponseBase:
    visit = request.visit
    must_show_results(visit)
    asked = _parse_filters(request)
    rows = filter_for(visit, asked)
    if player is not None:
        rows = rows._replace(players=[[player], *rows.players])
    page = Page([], None) if asked.nobody else page_of(rows, asked.after, wanted.limit)
    texts = list(_texts(visit, page.rows, wanted.include))
    after = page.after if len(texts) == len(page.rows) else _mark(rows, page.rows[len(texts) - 1])
    query = {**request.GET.dict(), "after": write_mark(after)} if after else {}
    following = f"{request.path}?{urlencode(query)}" if after else None
    if wanted.format == "ndjson":
        body, kind = "".join(f"{text}\n" for text in texts), f"{_LINES}; charset=utf-8"
    else:
        body = f'{{"matches":[{",".join(texts)}],"next":{json.dumps(following)}}}'
        kind = "application/json"
    response = HttpResponse(body, kind, headers={"Cache-Control": "private, no-cache"})
    if following:
        response["Link"] = f'<{following}>; rel="next"'
    response["ETag"] = f'"{sha256(response.content + str(following).encode()).hexdigest()[:32]}"'
    return get_conditional_response(request, etag=response["ETag"], response=response) or response


def _parse_filters(request: Request) -> MatchFilters:
    """The request. Raises Malformed for anything that the page would overlook."""
    known = {*_FILTERS, *_OWN}
    for name in request.GET:
        if name not in known:
            raise Malformed(
                "{name}: expected one of {values}", name=name, values=", ".join(sorted(known))
            )
    asked = MatchFilters(request.GET, spoilers=True)
    for name in ("since", "until"):
        if request.GET.get(name) and name not in asked.values:
            raise Malformed("{name}: expected a day such as 2026-11-26", name=name)
    if request.GET.get("after") and asked.after is None:
        raise Malformed("after: expected what `next` has")
    return asked


def _mark(rows: Filter, last: Row) -> Mark:
    """Where a page ends that has no room for more."""
    return Mark(getattr(last, ORDERS[rows.order].field), last.id)


def _texts(visit: Visit, rows: Sequence[Row], include: str | None) -> Iterator[str]:
    """The matches as JSON, as many as may be sent at once. Two queries for their records, and one
    for each match."""
    if include is None:
        yield from (_object(_match_json(row)) for row in rows)
        return
    ids = [row.id for row in rows]
    matches = {m.pk: m for m in embargoes.with_embargoes(Match.objects.filter(pk__in=ids))}
    written = 0
    for row in rows:
        match = matches[row.id]
        sent = match.lines <= MAX_LINES and visit.rights(match).export
        written += match.lines if sent else 0
        if written > MAX_LINES:
            return
        record = "".join(record_of(match)) if sent else None
        if include == "records":
            yield _object({**_match_json(row), "record": record})
        elif record is None:
            yield _object({**_match_json(row), "events": None})
        else:
            lines = record.split("\n")[1:-1]  # texts in them may include other line ends of Python
            yield _object(_match_json(row), events=f"[{','.join(lines)}]")


def _object(fields: Mapping[str, Any], **encoded: str) -> str:
    """A JSON object. `encoded`: more fields, whose values are JSON already."""
    values = {name: json.dumps(value, ensure_ascii=False) for name, value in fields.items()}
    parts = (f'"{name}": {value}' for name, value in (values | encoded).items())
    return f"{{{', '.join(parts)}}}"


def _match_json(row: Row) -> dict[str, Any]:
    said, seats = row._asdict(), [seat._asdict() for seat in row.seats]
    return {
        **{name: said[name] for name in ListedMatch.__annotations__ if name in said},
        "page": reverse("replays:replay", args=[row.id]),
        "started_at": row.started_at.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "seats": [{name: seat[name] for name in ListedSeat.__annotations__} for seat in seats],
    }
