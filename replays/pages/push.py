"""A browser that is told of news while the page is closed: its subscription and service worker."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe
from ninja import Router
from typing_extensions import TypedDict

from games.models import LogIn
from games.pages.operations import Asked
from games.pages.problems import Refused
from games.people.visit import Request
from games.records.strict import Malformed
from replays import web_push
from replays.models import NewsSettings, PushSubscription
from replays.pages.news_settings import verify_zone
from replays.web_push import Subscription

MOST_BROWSERS: Final = 10
"""Of an account; the oldest gives way."""
_TRIES: Final = 20
"""Whenever log-ins store the same browser at once, one of them succeeds."""
_WORKER: Final = Path(__file__).parents[1] / "static/replays/news/pushed.js"
router: Final = Router(tags=["people"])


@require_safe
def worker(_request: HttpRequest) -> HttpResponse:
    """The service worker, at an address that stays the same from release to release."""
    response = HttpResponse(_WORKER.read_bytes(), content_type="text/javascript")
    response["Cache-Control"] = "no-cache"
    return response


def offered(request: Request) -> dict[str, Any]:
    """For the page of news: what browsers know the site by, and whether it tells this one."""
    key = web_push.public_key()
    there = bool(key) and PushSubscription.objects.filter(log_in=log_in_of(request)).exists()
    return {"push_key": key, "pushed": "yes" if there else ""}


class NewPush(Asked):
    """A browser's subscription, as its push service gave it."""

    endpoint: str
    p256dh: str
    auth: str
    zone: str
    """Its time zone, for quiet hours if its account has none yet."""


class Pushed(TypedDict):
    """Whether this browser is told of news from now on."""

    pushed: bool


def log_in_of(request: Request) -> LogIn | None:
    """This browser, if it is logged in to an account that may be told elsewhere."""
    visitor = request.visit.visitor
    mine = LogIn.objects.filter(user=visitor.account, session=request.session.session_key or "")
    return None if visitor.supervised or visitor.account is None else mine.first()


@router.put("/push", url_name="push", response=Pushed)
def subscribe(request: Request, asked: NewPush) -> Pushed:
    """Tell this browser of news, until it logs out."""
    log_in = log_in_of(request)
    if log_in is None or not settings.PUSH_KEY:
        raise PermissionDenied("this site cannot send news to this browser")
    subscription = Subscription(asked.endpoint, asked.p256dh, asked.auth)
    try:
        web_push.verify(subscription)
        verify_zone(asked.zone)
    except ValidationError as error:
        raise Malformed(f"zone: {error.messages[0]}") from None
    except ValueError as error:
        raise Malformed(str(error)) from None
    NewsSettings.objects.get_or_create(user_id=log_in.user_id, defaults={"zone": asked.zone})
    for _ in range(_TRIES):
        with suppress(IntegrityError):  # Another log-in has stored the same browser just now.
            _store(log_in, subscription)
            return {"pushed": True}
    raise Refused("other log-ins store the same browser again and again")


@transaction.atomic
def _store(log_in: LogIn, subscription: Subscription) -> None:
    """Raises PermissionDenied for a browser that has logged out just now."""
    if LogIn.objects.select_for_update().filter(pk=log_in.pk).first() is None:
        raise PermissionDenied("this browser is no longer logged in")
    PushSubscription.objects.filter(endpoint=subscription.endpoint).delete()
    fields = {**subscription._asdict(), "told": timezone.now()}
    PushSubscription.objects.update_or_create(log_in=log_in, defaults=fields)
    own = PushSubscription.objects.filter(log_in__user=log_in.user_id).order_by("-told")
    old = list(own.values_list("pk", flat=True)[MOST_BROWSERS:])
    PushSubscription.objects.filter(pk__in=old).delete()


@router.delete("/push", url_name="push", response=Pushed)
def unsubscribe(request: Request) -> Pushed:
    """Tell this browser no more."""
    PushSubscription.objects.filter(log_in=log_in_of(request)).delete()
    return {"pushed": False}
