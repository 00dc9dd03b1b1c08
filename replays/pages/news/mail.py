"""News by email: for accounts that want it, once a day, after their quiet hours.

The same rooms as for the page provide its content, when it is sent. One worker marks a day before
its mail is sent: lost news is in the next mail, and none comes twice.
"""

from __future__ import annotations

from datetime import datetime
from itertools import takewhile
from time import monotonic
from typing import Final
from zoneinfo import ZoneInfo

from django.conf import settings
from django.core import signing
from django.core.mail import EmailMessage
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from games.people import door, languages, mail
from games.people.each import for_each
from games.people.visit import visit_of_account
from replays.models import News, NewsSettings
from replays.pages.news.views import NewsItem, newest, told

HOURS: Final = 4
"""How long after the quiet hours it may still come: workers may have been away."""
ROUND_S: Final = 20
"""The rest waits for the next minute."""
MOST: Final = 30
"""Pieces of news in one."""
_SALT: Final = "replays.pages.news_mail"


def run_due() -> None:
    """Send the mails that are due: workers do it every minute."""
    send_due(timezone.now())


def send_due(now: datetime) -> None:
    began = monotonic()
    rows = takewhile(lambda _: monotonic() - began <= ROUND_S, list(_wanting(now)))
    for_each((row for row in rows if _due(row, now)), lambda row: _send(row, now), "mail of news")


def _wanting(now: datetime) -> QuerySet[NewsSettings]:
    """Accounts that want mail at this time of day, may get it, and have new unread news."""
    news = News.objects.filter(user=OuterRef("user"), read=None)
    since = Q(at__gt=OuterRef("mailed_until"))
    rows = NewsSettings.objects.filter(
        Exists(news.filter(since)),
        _at_this_hour(now),
        mail=True,
        user__is_active=True,
        user__account__supervised=False,
        user__account__address=F("user__email"),
    )
    return rows.exclude(user__email="").select_related("user")


def _at_this_hour(now: datetime) -> Q:
    """Those whose quiet hours have ended in the last `HOURS`, by the time zones in use."""
    zones = NewsSettings.objects.filter(mail=True).values_list("zone", flat=True).distinct()
    by_hour: dict[int, list[str]] = {}

    def note_hour(zone: str) -> None:
        by_hour.setdefault(now.astimezone(ZoneInfo(zone)).hour, []).append(zone)

    for_each(zones, note_hour, "reading a time zone")
    wanted = Q(pk__in=[])
    for hour, there in by_hour.items():
        ended = [(hour - since) % 24 for since in range(HOURS)]
        wanted |= Q(zone__in=there, quiet_until__in=ended)
    return wanted


def _due(row: NewsSettings, now: datetime) -> bool:
    day = row.day(now)
    new = row.mailed_on is None or row.mailed_on < day.date()
    return new and not row.quiet(now)


def _send(row: NewsSettings, now: datetime) -> None:
    with override(languages.of_account(row.user_id)):
        _send_in_its_language(row, now)


def _send_in_its_language(row: NewsSettings, now: datetime) -> None:
    visit = visit_of_account(row.user)
    pieces = told(visit, newest(visit, read=None, at__gt=row.mailed_until))
    mine = NewsSettings.objects.filter(pk=row.pk, mail=True)
    taken = mine.filter(mailed_on=row.mailed_on)
    if pieces and not mail.may_send(mail.NEWS, row.user.email):
        return
    if not taken.update(mailed_on=row.day(now).date()) or not pieces:
        return
    _mail(row, pieces).send()
    mine.update(mailed_until=now)


def _mail(row: NewsSettings, pieces: list[NewsItem]) -> EmailMessage:
    origin, site = settings.SITE_ORIGINS[0], door.site().name
    stop = f"{origin}{reverse('replays:stop_news', args=[signing.dumps(row.pk, salt=_SALT)])}"
    context = {
        "name": row.user.get_username(),
        "told": pieces[:MOST],
        "more": len(pieces) - MOST,
        "origin": origin,
        "site": site,
        "stop": stop,
    }
    count = len(pieces)
    subject = ngettext(
        "{count} notification from {site}", "{count} notifications from {site}", count
    ).format(count=count, site=site)
    headers = {
        "List-Unsubscribe": f"<{stop}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }
    body = render_to_string("replays/news_email.txt", context)
    return EmailMessage(subject, body, None, [row.user.email], headers=headers)


@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def stop(request: HttpRequest, token: str) -> HttpResponse:
    """End the mail, by its link alone. A GET shows a button, so that no scanner ends it."""
    try:
        account = signing.loads(token, salt=_SALT)
    except signing.BadSignature:
        raise Http404(_("this link is incomplete")) from None
    stopped = request.method == "POST"
    if stopped:
        NewsSettings.objects.filter(pk=account).update(mail=False)
    return render(request, "replays/stop_news.html", {"stopped": stopped})
