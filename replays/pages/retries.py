"""A request that is sent again, because its response was lost, is done once and answered alike.

A change that names the revision it is based on is known by its content. A request that makes
something new is known by its header `X-Request-Key`, which its client chooses. The response is kept
in the transaction of the change, and then sent. A repeated request waits for the transaction of the
first one. If the first one's process is killed, the database undoes all of it at once, and the
second one is done.

A form of a page that makes something (`FORMS_ONCE`) is known by its token, which is new in every
page. Sent again while it is being done, or within half a minute after, it leads to the same page.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from hashlib import sha256
from http import HTTPStatus
from typing import Any, Final

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.db import IntegrityError, transaction
from django.http import HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.utils import timezone
from django.utils.translation import gettext_lazy

from games.pages.operations import MAX_BODY, request_key
from games.pages.problems import problem
from games.people.visit import Request
from games.records.strict import Malformed, decode
from replays.models import AnsweredRequest

MAX_KEPT: Final = 128 * 2**10
"""Bytes. Responses to changes have a few kilobytes."""
FORM_TWICE: Final = timedelta(seconds=30)
"""How long after it was done. Later somebody has gone back to the page to do it once more."""
_TOO_LONG: Final = gettext_lazy(
    "it is done already, but its response was too long to be kept: load it again"
)


class Replayed(Exception):  # noqa: N818 - not an error
    """It has been answered already."""

    def __init__(self, response: HttpResponse) -> None:
        super().__init__()
        self.response = response


def once(request: Request, name: str, run: Callable[[], HttpResponseBase]) -> HttpResponseBase:
    """The response to a request to the operation of that name. Raises Replayed, Malformed."""
    asked = "" if name in settings.COMPUTE_ONLY else _digest(request)
    key, person = asked and _key_of(request, asked), request.visit.caller.person
    if not key or not person:
        return run()
    with transaction.atomic():
        row = _claim_request(request, key, asked)
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
    """The key of a request that may be repeated. Empty: none. Raises Malformed."""
    if request.method != "POST":
        return asked if _names_revision(request.body) else ""
    return request_key(request)


def _names_revision(body: bytes) -> bool:
    try:
        said = decode(body) if len(body) <= MAX_BODY else None
    except Malformed:
        return False
    return type(said) is dict and "revision" in said


def _claim_request(request: Request, key: str, asked: str) -> AnsweredRequest:
    """This request's row, which others wait for until it is committed.

    Raises Replayed, Malformed.
    """
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
        raise Replayed(problem(HTTPStatus.CONFLICT, str(_TOO_LONG)))
    raise Replayed(HttpResponse(known.body, "application/json", known.status))


class FormsMiddleware:
    """Does a form that makes something once, though it is sent twice."""

    def __init__(self, get_response: Callable[[Request], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: Request) -> HttpResponseBase:
        return self._get_response(request)

    def process_view(
        self, request: Request, view: Callable[..., HttpResponseBase], args: Any, kwargs: Any
    ) -> HttpResponseBase | None:
        """Take the view's place where a form makes something."""
        resolved = request.resolver_match
        name = resolved.view_name if resolved else ""
        if request.method != "POST" or name not in settings.FORMS_ONCE:
            return None
        person = request.visit.caller.person
        if "csrfmiddlewaretoken" not in request.POST or not person:
            return None
        with transaction.atomic():
            row, new = _form(request, person)
            if not new:
                return HttpResponseRedirect(row.body)
            response = view(request, *args, **kwargs)
            if response.status_code == HTTPStatus.FOUND:
                row.status, row.body = response.status_code, response["Location"]
                row.created = timezone.now()
                row.save(update_fields=["status", "body", "created"])
            else:
                row.delete()
        return response


def _form(request: Request, person: str) -> tuple[AnsweredRequest, bool]:
    """A form's row, and whether it is new, so that the form is to be done.

    Others with the same key wait until its transaction ends, however long that takes. If its
    process is killed, the database undoes the row with all else, and the next one is new.
    """
    said = sorted((name, *values) for name, values in request.POST.lists())
    files = [_digest_of(file) for _, sent in request.FILES.lists() for file in sent]
    key = sha256(repr((request.get_full_path(), said, files)).encode()).hexdigest()
    rows = AnsweredRequest.objects.filter(person=person, key=key)
    rows.filter(created__lt=timezone.now() - FORM_TWICE).delete()
    named = {"user": request.visit.author.user, "asked": key}
    return AnsweredRequest.objects.get_or_create(person=person, key=key, defaults=named)


def _digest_of(file: UploadedFile[Any]) -> str:
    digest = sha256(file.read()).hexdigest()
    file.seek(0)
    return digest
