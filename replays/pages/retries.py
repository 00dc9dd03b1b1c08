"""A request that is sent again, because its response was lost, is done once and answered alike.

A change that names the revision it is based on is known by what it asks; a request that makes
something new by its header `X-Request-Key`, which its client chooses. The response is kept in the
transaction of what was done, and then sent. A request that is sent again while the first one is
under way waits for that transaction; if its process is killed, the database undoes all of it at
once, and the second one is done.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from http import HTTPStatus
from typing import Final

from django.conf import settings
from django.db import IntegrityError, transaction
from django.http import HttpResponse, HttpResponseBase

from games.pages.operations import MAX_BODY, request_key
from games.pages.problems import problem
from games.people.visit import Request
from games.records.strict import Malformed, decode
from replays.models import AnsweredRequest

MAX_KEPT: Final = 128 * 2**10
"""Bytes; responses to changes have a few kilobytes."""
_TOO_LONG: Final = "it is done already, but its response was too long to be kept; load it again"


class Known(Exception):  # noqa: N818 - not an error
    """It has been answered already."""

    def __init__(self, response: HttpResponse) -> None:
        super().__init__()
        self.response = response


def once(request: Request, name: str, run: Callable[[], HttpResponseBase]) -> HttpResponseBase:
    """The response to a request to the operation of that name. Raises Known, Malformed."""
    asked = "" if name in settings.COMPUTE_ONLY else _digest(request)
    key, person = asked and _key_of(request, asked), request.visit.caller.person
    if not key or not person:
        return run()
    with transaction.atomic():
        row = _begun(request, key, asked)
        response = run()
        refused = response.status_code >= HTTPStatus.BAD_REQUEST
        if refused or not isinstance(response, HttpResponse):
            transaction.set_rollback(True)
        else:
            row.status = response.status_code
            row.body = response.content.decode() if len(response.content) <= MAX_KEPT else ""
            row.save(update_fields=["status", "body"])
    return response


def _digest(request: Request) -> str:
    what = (request.method or "").encode(), request.get_full_path().encode(), request.body
    return sha256(b"\0".join(what)).hexdigest()


def _key_of(request: Request, asked: str) -> str:
    """By what a request is known when it is sent again; empty: by nothing. Raises Malformed."""
    if request.method != "POST":
        return asked if _names_revision(request.body) else ""
    return request_key(request)


def _names_revision(body: bytes) -> bool:
    try:
        said = decode(body) if len(body) <= MAX_BODY else None
    except Malformed:
        return False
    return type(said) is dict and "revision" in said


def _begun(request: Request, key: str, asked: str) -> AnsweredRequest:
    """This request's row, which others wait for until it is committed. Raises Known, Malformed."""
    visit = request.visit
    mine = AnsweredRequest(person=visit.caller.person, user=visit.author.user, key=key, asked=asked)
    try:
        with transaction.atomic():
            mine.save(force_insert=True)
    except IntegrityError:
        known = AnsweredRequest.objects.get(person=mine.person, key=key)
    else:
        return mine
    if known.asked != asked:
        raise Malformed("X-Request-Key: it belongs to another request")
    if not known.body:
        raise Known(problem(HTTPStatus.CONFLICT, _TOO_LONG))
    raise Known(HttpResponse(known.body, "application/json", known.status))
