"""JSON in and out: what the views for programs share.

A body is one JSON object, parsed as strictly as a record's line. Errors are reported as
`{"error": …}` with a fitting status.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import wraps
from http import HTTPStatus
from typing import Any, Concatenate, ParamSpec, cast

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import patch_vary_headers

from games.records.strict import Malformed, decode
from replays.annotations.positions import Unfit
from replays.pages.retries import MAX_BODY, Known, once

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponseBase]


def conflict(now: object, by: str, at: datetime, *, you: bool) -> HttpResponse:
    """The version that somebody else has saved; `you`: the requester has, in another tab."""
    changed = {"by": by, "at": at.strftime("%Y-%m-%dT%H:%M:%SZ"), "you": you}
    said = {"error": "it has been changed in the meantime", "now": now, "changed": changed}
    return answer(said, HTTPStatus.CONFLICT)


def json_view(*methods: str) -> Callable[[View[P]], View[P]]:
    """A view that accepts these methods and always responds with uncached JSON."""

    def decorate(view: View[P]) -> View[P]:
        @wraps(view)
        def wrapped(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            if request.method not in methods:
                refused = refusal(f"expected {' or '.join(methods)}", HTTPStatus.METHOD_NOT_ALLOWED)
                refused["Allow"] = ", ".join(methods)
                return refused
            try:
                if request.method in ("GET", "HEAD"):
                    return view(request, *args, **kwargs)
                return once(request, lambda: view(request, *args, **kwargs))
            except Known as known:
                return _sent(*known.args)
            except (Malformed, Unfit) as error:
                return refusal(str(error), HTTPStatus.UNPROCESSABLE_ENTITY)
            except PermissionDenied as error:
                return refusal(str(error) or "not allowed", HTTPStatus.FORBIDDEN)
            except Http404 as error:
                return refusal(str(error) or "not found", HTTPStatus.NOT_FOUND)

        return cast("View[P]", wrapped)

    return decorate


def body_of(request: HttpRequest) -> dict[str, Any]:
    """The object in a request's body. Raises Malformed, Unfit."""
    raw = request.body
    if len(raw) > MAX_BODY:
        raise Unfit(f"body: expected at most {MAX_BODY} bytes, found {len(raw)}")
    found = decode(raw)
    if type(found) is not dict:
        raise Unfit("body: expected a JSON object")
    return found


def answer(data: Mapping[str, Any], status: int = HTTPStatus.OK) -> HttpResponse:
    """JSON for this visitor alone."""
    return _sent(json.dumps(data, ensure_ascii=False, separators=(",", ":")), status)


def _sent(text: str, status: int) -> HttpResponse:
    response = HttpResponse(text, content_type="application/json", status=status)
    response["Cache-Control"] = "no-store"
    patch_vary_headers(response, ("Cookie",))
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        response["Retry-After"] = "1"
    return response


def refusal(words: str, status: int = HTTPStatus.BAD_REQUEST) -> HttpResponse:
    """An error response."""
    return answer({"error": words}, status)


def results_hidden() -> HttpResponse:
    """The viewer has hidden results, maybe in another tab; pages that show them say so."""
    return answer({"error": "results are hidden", "results": "hidden"}, HTTPStatus.FORBIDDEN)
