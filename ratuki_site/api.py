"""The API under /api/v1/: the rooms' operations, and the status of each error.

All JSON for pages and programs is an operation here, described by /api/v1/openapi.json. Addresses
have no slash at their end.
"""

import json
from collections.abc import Callable, Sequence
from functools import cache, wraps
from http import HTTPStatus
from typing import Any, Final

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotAllowed
from django.urls import path
from django.utils.cache import patch_vary_headers
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError
from ninja.renderers import JSONRenderer
from pydantic import TypeAdapter

from games.bots.roster import RosterError
from games.engine.editions import RulesError
from games.engine.facts import Fault
from games.models import LiveTable
from games.pages import api as tables
from games.pages import challenges, stream
from games.pages.accounts import views as people
from games.pages.operations import StrictParser, TooLargeError, fault_words
from games.pages.problems import MEDIA_TYPE, ROOT, Problem, Refused, malformed, not_allowed, problem
from games.pages.words import reason
from games.people.tokens import scopes_of
from games.people.visit import Request, Visit
from games.records.strict import Malformed
from games.tables.opening import TooManyTablesError
from games.tables.plan import NoSeatError
from games.tables.seats import TooManySeatsError
from ratuki_site import __version__
from replays.jobs.kinds import JobFault
from replays.jobs.starting import TooManyJobsError
from replays.models import Chapter, Note, Playlist, Study, Variation
from replays.notes.notes import Conflict
from replays.notes.positions import ValidationFault
from replays.pages import analysis, clips, jobs, judging, live_curves, match_lists, receipts, tv
from replays.pages import api as logs
from replays.pages.concurrency import RETRY_S, BusyError
from replays.pages.news import views as news
from replays.pages.notes import api as notes
from replays.pages.notes import playlists
from replays.pages.patterns import api as patterns
from replays.pages.players import pages as players
from replays.pages.retries import Replayed, once
from replays.pages.reviews import views as reviews
from replays.pages.studies import answering, lessons
from replays.pages.studies import api as studies
from replays.pages.variations import what_if

View = Callable[..., HttpResponseBase]
STATUS: Final[dict[type[Exception], HTTPStatus]] = {
    PermissionDenied: HTTPStatus.FORBIDDEN,
    Http404: HTTPStatus.NOT_FOUND,
    LiveTable.DoesNotExist: HTTPStatus.NOT_FOUND,
    NoSeatError: HTTPStatus.CONFLICT,
    TooManySeatsError: HTTPStatus.CONFLICT,
    TooLargeError: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    Fault: HTTPStatus.UNPROCESSABLE_ENTITY,
    JobFault: HTTPStatus.UNPROCESSABLE_ENTITY,
    Malformed: HTTPStatus.UNPROCESSABLE_ENTITY,
    RosterError: HTTPStatus.UNPROCESSABLE_ENTITY,
    RulesError: HTTPStatus.UNPROCESSABLE_ENTITY,
    ValidationFault: HTTPStatus.UNPROCESSABLE_ENTITY,
    TooManyJobsError: HTTPStatus.TOO_MANY_REQUESTS,
    TooManyTablesError: HTTPStatus.TOO_MANY_REQUESTS,
    BusyError: HTTPStatus.SERVICE_UNAVAILABLE,
}
"""Operations' errors, and the status with which each message is sent."""
OVERTAKEN: Final[dict[type, Callable[[Visit, Any], Refused]]] = {
    Note: notes.overtaken,
    Variation: notes.overtaken,
    Playlist: playlists.overtaken,
    Study: studies.study_overtaken,
    Chapter: studies.chapter_overtaken,
}
"""The response about something that someone else has changed in the meantime."""
_RETRY_S: Final = {TooManyTablesError: 60, BusyError: RETRY_S}
COOKIELESS: Final = frozenset({"tables", "table", "join", "leave"})
"""What programs ask for: a session gives no rights there, so no other site can misuse one."""
COMPUTED: Final = frozenset({"receipt"})
"""Pure computations: they change nothing, so anyone who may see the match needs no session."""
_SAFE: Final = ("GET", "HEAD")
_OF_TOKENS: Final = "An account's, made on its page, with the scope that is named"


class _Renderer(JSONRenderer):
    def render(self, _request: HttpRequest, data: Any, *, response_status: int) -> str:
        return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


class Api(NinjaAPI):
    """The library's, with the site's errors, and its answers to a request that is sent again."""

    def set_default_exception_handlers(self) -> None:
        """The expected errors of operations. Anything else is the site's own fault."""
        for kind in (*STATUS, Conflict, Refused, HttpError, ValidationError):
            self.add_exception_handler(kind, refusal)

    def get_openapi_operation_id(self, operation: Any) -> str:
        """An operation is called as its function is."""
        return str(operation.view_func.__name__)

    @property
    def urls(self) -> tuple[list[Any], str, str]:
        """The addresses of the operations, of their description, and of nothing."""
        patterns, app, namespace = super().urls
        operations: list[Any] = [
            pattern for pattern in patterns if getattr(pattern, "name", "") != "api-root"
        ]
        for operation in operations:
            operation.callback = responding(operation.callback, operation.name)
        first = path("openapi.json", openapi, name="openapi")
        return [first, *operations, path("<path:rest>", nothing, name="nothing")], app, namespace


def responding(view: View, name: str) -> View:
    """The view of an address, whose answers are for this visitor alone, and given once."""

    @wraps(view)
    def responded(request: Request, *args: Any, **kwargs: Any) -> HttpResponseBase:
        response = _response(request, name, lambda: view(request, *args, **kwargs))
        if isinstance(response, HttpResponseNotAllowed):
            response = not_allowed(sorted(response["Allow"].split(", ")))
        if "Cache-Control" not in response:
            response["Cache-Control"] = "no-store"
        patch_vary_headers(response, ("Authorization", "Cookie"))
        return response

    responded.csrf_exempt = name in COOKIELESS | COMPUTED  # type: ignore[attr-defined]
    return responded


def _response(request: Request, name: str, run: Callable[[], HttpResponseBase]) -> HttpResponseBase:
    if request.method in _SAFE:
        request.method = "GET"  # the server leaves out the body
        return run()
    if name in COOKIELESS | COMPUTED:
        return run()
    try:
        return once(request, f"api:{name}", run)
    except Replayed as known:
        return known.response
    except Malformed as error:
        return malformed(reason(error))


def refusal(request: Any, error: Any) -> HttpResponse:
    """The problem that an error is."""
    if isinstance(error, Conflict):
        now = error.args[0]
        error = OVERTAKEN[type(now)](request.visit, now)
    if isinstance(error, Refused):
        return problem(error.status, str(error), **error.more)
    if isinstance(error, ValidationError):
        source, *place = error.errors[0]["loc"]
        names = place[1:] if source == "body" else place
        return malformed(fault_words(error.errors[0], names or [source]))
    if isinstance(error, HttpError):  # the library's own: it could not read the body
        return refusal(request, error.__cause__)
    kind, status = next(entry for entry in STATUS.items() if isinstance(error, entry[0]))
    words = reason(error) or status.phrase.lower()
    if status == HTTPStatus.UNPROCESSABLE_ENTITY:
        return malformed(words)
    return problem(status, words, _RETRY_S.get(kind))


def nothing(request: HttpRequest, rest: str) -> HttpResponse:
    """There is no operation at this address."""
    return problem(HTTPStatus.NOT_FOUND, f"there is no operation at {request.path}")


# --- Its description ------------------------------------------------------------------------------


@cache
def description() -> bytes:
    """The API as OpenAPI, with the common parts of all operations."""
    described: dict[str, Any] = api.get_openapi_schema(path_prefix=ROOT)
    schema = TypeAdapter(Problem).json_schema(ref_template="#/components/schemas/{model}")
    described["components"]["schemas"] |= {**schema.pop("$defs"), "Problem": schema}
    described["components"]["securitySchemes"] = {
        "session": {"type": "apiKey", "in": "cookie", "name": "sessionid"},
        "csrf": {"type": "apiKey", "in": "header", "name": "X-CSRFToken"},
        "seat": {"type": "http", "scheme": "bearer"},
        "token": {"type": "http", "scheme": "bearer", "description": _OF_TOKENS},
    }
    views = _views()
    for operations in described["paths"].values():
        for method, operation in operations.items():
            scopes = scopes_of(method.upper(), views[operation["operationId"]])
            _complete(operation, scopes, reads=method == "get")
    return json.dumps(described, ensure_ascii=False, indent=1).encode()


def _views() -> dict[str, str]:
    """The name of each operation's address, by the operation's."""
    paths = [path for room in _ROOMS for path in room.router.path_operations.values()]
    return {
        operation.view_func.__name__: f"api:{path.url_name}"
        for path in paths
        for operation in path.operations
    }


def _complete(operation: dict[str, Any], scopes: Sequence[str], *, reads: bool) -> None:
    """Add its failures, its scopes, and its safe repetition."""
    wrong = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    operation["summary"] = operation["description"].partition("\n")[0].removesuffix(".")
    operation["responses"] |= {
        "4XX": {"description": "It was not done; `detail` says why", "content": wrong},
        "503": {"description": "Ask again after `Retry-After` seconds", "content": wrong},
    }
    asked: list[dict[str, list[str]]] = (
        [{}, {"session": []}] if reads else [{"session": [], "csrf": []}]
    )
    tokens = [{"token": [scope]} for scope in scopes]
    operation["security"] = [*operation.get("security", asked), *tokens]
    if not reads:
        operation["parameters"].append(
            {
                "in": "header",
                "name": "X-Request-Key",
                "description": "The same when the request is sent again: it is done once",
                "schema": {"type": "string", "pattern": "^[A-Za-z0-9_-]{16,64}$"},
                "required": False,
            }
        )


def openapi(_request: HttpRequest) -> HttpResponse:
    return HttpResponse(description(), "application/json", headers={"Cache-Control": "no-cache"})


api: Final = Api(
    title="Ratuki",
    version=__version__,
    description="What the pages ask for, and what programs may do (docs/reference/api.md).",
    openapi_url="",
    docs_url=None,
    urls_namespace="api",
    parser=StrictParser(),
    renderer=_Renderer(),
)
_ROOMS: Final[tuple[Any, ...]] = (
    *(tables, challenges, stream, people),
    *(match_lists, logs, analysis, judging, live_curves, tv, receipts, what_if, clips),
    *(notes, playlists, studies, lessons, answering, reviews),
    *(players, patterns, jobs, news),
)
for room in _ROOMS:
    api.add_router("", room.router)
