"""A request that is sent again, because its response was lost, is done once and answered alike.

A change that names the revision it is based on is known by its content. A request that makes
something new is known by its header `X-Request-Key`, which its client chooses. The response is kept
in the transaction of the change, and then sent. A repeated request waits for the transaction of the
first one. If the first one's process is killed, the database undoes all of it at once, and the
second one is done.

A form of a page that makes something (`FORMS_ONCE`) is known by its token, which is new in every
page. Sent again within half a minute, it leads to the same page.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta
from hashlib import sha256
from http import HTTPStatus
from typing import Any, Final

from django.conf import settings
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.db import IntegrityError, transaction
from django.http import HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.pages.operations import MAX_BODY, request_key
from games.pages.problems import problem
from games.people.visit import Request
from games.records.strict import Malformed, decode
from replays.models import AnsweredRequest

MAX_KEPT: Final = 128 * 2**10
"""Bytes. Responses to changes have a few kilobytes."""
FORM_TWICE: Final = timedelta(seconds=30)
_LOOKS: Final = 20
_LOOK_S: Final = 0.2
_SHOWN_ONCE: Final = frozenset(("replays:new_children",))
"""Forms whose response is a page that is not kept: it has secrets."""
_TOO_LONG: Final = gettext_lazy(
    "it is done already, but its response was too long to be kept: load it again"
)


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
        raise Known(problem(HTTPStatus.CONFLICT, str(_TOO_LONG)))
    raise Known(HttpResponse(known.body, "application/json", known.status))


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
        row, led = _form(request, person)
        if led is not None:
            return led
        try:
            response = view(request, *args, **kwargs)
            if response.status_code == HTTPStatus.FOUND or name in _SHOWN_ONCE:
                row.status, row.body = response.status_code, response.get("Location", "")
        finally:
            if row.status in (HTTPStatus.FOUND, HTTPStatus.OK):
                row.save(update_fields=["status", "body"])
            else:
                row.delete()
        return response


def _form(request: Request, person: str) -> tuple[AnsweredRequest, HttpResponse | None]:
    """A form's row, and where it leads if it has been sent before.

    The first request may be under way for a moment. If its process was killed, it is done again.
    """
    said = sorted((name, *values) for name, values in request.POST.lists())
    files = [_digest_of(file) for _, sent in request.FILES.lists() for file in sent]
    key = sha256(repr((request.get_full_path(), said, files)).encode()).hexdigest()
    rows = AnsweredRequest.objects.filter(person=person, key=key)
    rows.filter(created__lt=timezone.now() - FORM_TWICE).delete()
    for left in reversed(range(_LOOKS)):
        mine = AnsweredRequest(person=person, user=request.visit.author.user, key=key, asked=key)
        try:
            with transaction.atomic():
                mine.save(force_insert=True)
        except IntegrityError:
            known = rows.first()
            if known and known.status:
                return known, _led_again(request, known.body)
            if left == 1:
                rows.filter(status=0).delete()
            time.sleep(_LOOK_S)
        else:
            return mine, None
    return mine, _led_again(request, "")


def _digest_of(file: UploadedFile[Any]) -> str:
    digest = sha256(file.read()).hexdigest()
    file.seek(0)
    return digest


def _led_again(request: Request, to: str) -> HttpResponse:
    if not to:
        messages.info(request, _("This was sent twice. It was done once."))
    return HttpResponseRedirect(to or request.get_full_path())
