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
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.http.request import RawPostDataException
from django.utils import timezone

from games.people.repeats import request_key
from games.people.sessions import asker_of
from games.records.strict import Malformed, decode
from replays.models import AnsweredRequest

GIVEN_UP: Final = timedelta(minutes=1)
"""A request that has been under way for longer has died with its process."""
MAX_BODY: Final = 64 * 1024


class Known(Exception):  # noqa: N818 - not an error
    """It has been answered: `args` are the body and the status."""


def once(request: HttpRequest, run: Callable[[], HttpResponseBase]) -> HttpResponseBase:
    """The answer to a request that changes something. Raises Known, Malformed."""
    person, asked = asker_of(request).person, _digest(request)
    key = _key_of(request, asked)
    if not key or not person:
        return run()
    mine = _begun(person, key, asked)
    try:
        with transaction.atomic():
            response = run()
            _keep(mine, response)
    except BaseException:
        AnsweredRequest.objects.filter(pk=mine.pk).delete()
        raise
    return response


def _keep(mine: AnsweredRequest, response: HttpResponseBase) -> None:
    if not isinstance(response, HttpResponse) or response.status_code >= HTTPStatus.BAD_REQUEST:
        AnsweredRequest.objects.filter(pk=mine.pk).delete()
    else:
        # Not `save`: after `GIVEN_UP` the row may be another's, or gone.
        kept = {"status": response.status_code, "body": response.content.decode()}
        AnsweredRequest.objects.filter(pk=mine.pk).update(**kept)


def _digest(request: HttpRequest) -> str:
    """Of what is asked; empty for a form with files, which is no request for JSON."""
    try:
        body = request.body
    except RawPostDataException:
        return ""
    what = (request.method or "").encode(), request.get_full_path().encode(), body
    return sha256(b"\0".join(what)).hexdigest()


def _key_of(request: HttpRequest, asked: str) -> str:
    """By what a request is known when it is sent again; empty: by nothing. Raises Malformed."""
    if not asked:
        return ""
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
        raise Known(known.body, known.status)
    long_ago = timezone.now() - GIVEN_UP
    rows = AnsweredRequest.objects.filter(person=person, key=key, status=0, created__lt=long_ago)
    if known is None or not rows.update(created=timezone.now()):
        wait = '{"error":"the same request is under way; ask again in a moment"}'
        raise Known(wait, HTTPStatus.SERVICE_UNAVAILABLE)
    return known
