"""A request that is sent again, because its answer was lost, is done once and answered alike.

A change that names the revision it is based on is known by what it asks; a request that makes
something new by its header `X-Request-Key`, which its client chooses. An answer is kept in the
transaction of what was done, and then sent. While the first request is under way, the second is
asked to come back.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from hashlib import sha256
from http import HTTPStatus
from typing import Final

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.http import HttpResponse, HttpResponseBase
from django.utils import timezone

from games.pages.operations import MAX_BODY
from games.pages.problems import problem
from games.pages.request_keys import request_key
from games.people.visit import Request
from games.records.strict import Malformed, decode
from replays.models import AnsweredRequest

GIVEN_UP: Final = timedelta(minutes=1)
"""A request that has been under way for longer has died with its process."""


class Known(Exception):  # noqa: N818 - not an error
    """It has been answered, or is under way."""

    def __init__(self, response: HttpResponse) -> None:
        super().__init__()
        self.response = response


def once(request: Request, run: Callable[[], HttpResponseBase]) -> HttpResponseBase:
    """The answer to a request that changes something. Raises Known, Malformed."""
    person, asked = request.visit.caller.person, _digest(request)
    key = _key_of(request, asked)
    if not key or not person:
        return run()
    mine = AnsweredRequest.objects.filter(pk=_begun(person, key, asked).pk)
    try:
        with transaction.atomic():
            response = run()
            if not _keep(mine, response):
                transaction.set_rollback(True)
    except BaseException:
        mine.delete()
        raise
    if response.status_code >= HTTPStatus.BAD_REQUEST:
        mine.delete()
    return response


def _keep(mine: QuerySet[AnsweredRequest], response: HttpResponseBase) -> bool:
    """Keep the answer; False: it was refused, and nothing is to be done."""
    if not isinstance(response, HttpResponse) or response.status_code >= HTTPStatus.BAD_REQUEST:
        return False
    # After `GIVEN_UP` the row may be another's, or gone.
    mine.update(status=response.status_code, body=response.content.decode())
    return True


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


def _begun(person: str, key: str, asked: str) -> AnsweredRequest:
    """This request, now under way. Raises Known, Malformed."""
    try:
        with transaction.atomic():
            return AnsweredRequest.objects.create(person=person, key=key, asked=asked)
    except IntegrityError:
        known = AnsweredRequest.objects.filter(person=person, key=key).first()
    if known is not None and known.asked != asked:
        raise Malformed("X-Request-Key: it belongs to another request")
    if known is not None and known.status:
        raise Known(HttpResponse(known.body, "application/json", known.status))
    long_ago = timezone.now() - GIVEN_UP
    rows = AnsweredRequest.objects.filter(person=person, key=key, status=0, created__lt=long_ago)
    if known is None or not rows.update(created=timezone.now()):
        wait = "the same request is under way; ask again in a moment"
        raise Known(problem(HTTPStatus.SERVICE_UNAVAILABLE, wait, retry_s=1))
    return known
