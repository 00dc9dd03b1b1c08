"""Telling browsers of news while their page is closed.

A message says how many pieces of news are unread, as the bell does, and nothing else. It is taken
by one worker before it is sent: what is lost on the way is still under the bell.
"""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from http import HTTPStatus
from typing import Final

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db.models import Exists, OuterRef
from django.utils import timezone

from games.people.visit import visit_of_account
from games.records.plural import counted
from replays import web_push
from replays.models import News, NewsSettings, PushSubscription
from replays.pages.news import unread
from replays.web_push import Subscription

MOST: Final = 64
"""Browsers that are told in a minute; the rest in the next one."""
AT_ONCE: Final = 8
_GONE: Final = (HTTPStatus.NOT_FOUND, HTTPStatus.GONE)


def look_round() -> None:
    """Tell browsers of what is new: workers do it every minute."""
    if settings.PUSH_KEY:
        push_due(timezone.now())


def push_due(now: datetime) -> None:
    """Tell those that are not left in peace now."""
    taken = [(row, said) for row in _wanting(now) if (said := _taken(row, now))]
    with ThreadPoolExecutor(AT_ONCE) as threads:
        to = (Subscription(row.endpoint, row.p256dh, row.auth) for row, _ in taken)
        answers = list(threads.map(web_push.push, to, (said for _, said in taken)))
    gone = [row.endpoint for (row, _), said in zip(taken, answers, strict=True) if said in _GONE]
    PushSubscription.objects.filter(endpoint__in=gone).delete()


def _wanting(now: datetime) -> Iterable[PushSubscription]:
    """The browsers that are logged in, with something new that has not been read."""
    accounts = PushSubscription.objects.values("log_in__user")
    asked = NewsSettings.objects.filter(user__in=accounts)
    quiet = [row.pk for row in asked if row.quiet(now)]
    lasting = Session.objects.filter(session_key=OuterRef("log_in__session"), expire_date__gt=now)
    new = News.objects.filter(user=OuterRef("log_in__user"), read=None, at__gt=OuterRef("told"))
    rows = PushSubscription.objects.filter(
        Exists(lasting), Exists(new), log_in__user__is_active=True
    ).exclude(log_in__user__in=quiet)
    return rows.order_by("told").select_related("log_in__user")[:MOST]


def _taken(row: PushSubscription, now: datetime) -> str:
    """What to tell a browser, which nobody else tells now; empty: nothing."""
    waiting = unread(visit_of_account(row.log_in.user))
    new = any(piece.row.at > row.told for piece in waiting)
    mine = PushSubscription.objects.filter(pk=row.pk, told=row.told)
    said = f"{counted(len(waiting), 'piece', 'pieces')} of unread news"
    return said if mine.update(told=now) and new else ""
