"""How the API says that something cannot be done: `application/problem+json` (RFC 9457)."""

import json
import re
from collections.abc import Sequence
from datetime import datetime
from functools import reduce
from http import HTTPStatus
from typing import Any, Final, Literal, TypeVar

from django.http import Http404, HttpResponse
from django.utils.translation import gettext as _
from typing_extensions import TypedDict, Unpack

ROOT: Final = "/api/v1/"
MEDIA_TYPE: Final = "application/problem+json"
T = TypeVar("T")
_BLAMED: Final = re.compile(r"([A-Za-z_-]+(?:\.[a-z0-9_]+)*): ")


class Changed(TypedDict):
    """The person who changed it, and the time. `you`: the requester, in another tab."""

    by: str
    at: str
    you: bool


class Limit(TypedDict):
    """A limit that was reached: its action and unit (`api:notes|person`), and its time."""

    key: str
    most: int
    seconds: int


class More(TypedDict, total=False):
    """Further fields of some problems."""

    field: str
    """The wrong field, if the fault is in one field."""
    results: Literal["hidden"]
    """It would show results, and the viewer has hidden them."""
    now: dict[str, Any]
    """The version that someone else has saved."""
    changed: Changed
    csrf: str
    """The token to send, where that of the request was not the visitor's (any more)."""
    limit: Limit
    """Which limit was reached. `Retry-After` says when to ask again."""


class Problem(More):
    """Why something was not done. `detail` is for people."""

    type: str
    title: str
    status: int
    detail: str


class Refused(Exception):  # noqa: N818 - what is refused is no error of ours
    """Something that cannot be done now, or by this visitor. The words are for people."""

    def __init__(
        self, words: str, status: HTTPStatus = HTTPStatus.CONFLICT, **more: Unpack[More]
    ) -> None:
        super().__init__(words)
        self.status = status
        self.more = more


def conflict(now: Any, by: str, at: datetime, *, you: bool) -> Refused:
    """Someone has saved another version. `you`: the requester, in another tab."""
    changed: Changed = {"by": by, "at": at.strftime("%Y-%m-%dT%H:%M:%SZ"), "you": you}
    return Refused(_("it has been changed in the meantime"), now=now, changed=changed)


def for_program(path: str) -> bool:
    """Whether an address is the API's, which answers with a problem and not with a page."""
    return path.startswith("/api/")


def problem(
    status: int, detail: str, retry_s: int | None = None, **more: Unpack[More]
) -> HttpResponse:
    """The response. `retry_s`: when to ask again."""
    said: dict[str, Any] = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        **more,
    }
    text = json.dumps(said, ensure_ascii=False, separators=(",", ":"))
    response = HttpResponse(text, content_type=MEDIA_TYPE, status=status)
    response["Cache-Control"] = "no-store"
    if retry_s is not None:
        response["Retry-After"] = str(retry_s)
    return response


def malformed(words: str) -> HttpResponse:
    """The request is malformed. Words that begin with a field's name blame it."""
    blamed = _BLAMED.match(words)
    more: More = {"field": blamed[1]} if blamed else {}
    return problem(HTTPStatus.UNPROCESSABLE_ENTITY, words, **more)


def _either(first: str, last: str) -> str:
    return _("{first} or {last}").format(first=first, last=last)


def not_allowed(methods: Sequence[str]) -> HttpResponse:
    """The address takes other methods."""
    offered = [*methods, "HEAD"] if "GET" in methods else list(methods)
    response = problem(
        HTTPStatus.METHOD_NOT_ALLOWED,
        _("expected {methods}").format(methods=reduce(_either, methods)),
    )
    response["Allow"] = ", ".join(offered)
    return response


def must_be_there(looked_up: T | None, missing: str) -> T:
    """The value, if it is not None. Otherwise raises Http404 with these words."""
    if looked_up is None:
        raise Http404(missing)
    return looked_up
