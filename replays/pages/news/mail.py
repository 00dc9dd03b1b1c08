"""News by email: for accounts that want it, once a day, in the morning.

The same rooms as for the page provide its content, when it is sent. One worker marks a day before
its mail is sent: lost news is in the next mail, and none comes twice.
"""

from datetime import datetime
from itertools import takewhile
from time import monotonic
from typing import Final

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
from replays.pages.news.views import NewsItem, newest, visible_news

MORNING: Final = range(6, 10)
"""The hours, in UTC, at which it may come: workers may have been away at first."""
ROUND_S: Final = 20
"""The rest waits for the next minute."""
MAX_NEWS: Final = 30
"""Pieces of news in one."""
_SALT: Final = "replays.pages.news_mail"


def run_due() -> None:
    """Send the mails that are due: workers do it every minute."""
    send_due(timezone.now())


def send_due(now: datetime) -> None:
    if now.hour not in MORNING:
        return
    began = monotonic()
    rows = takewhile(lambda _: monotonic() - began <= ROUND_S, list(_wanting(now)))
    for_each(rows, lambda row: _send(row, now), "mail of news")


def _wanting(now: datetime) -> QuerySet[NewsSettings]:
    """Accounts that want mail today, may get it, and have new unread news."""
    news = News.objects.filter(user=OuterRef("user"), read=None)
    since = Q(at__gt=OuterRef("mailed_until"))
    rows = NewsSettings.objects.filter(
        Exists(news.filter(since)),
        Q(mailed_on=None) | Q(mailed_on__lt=now.date()),
        mail=True,
        user__is_active=True,
        user__account__supervised=False,
        user__account__address=F("user__email"),
    )
    return rows.exclude(user__email="").select_related("user")


def _send(row: NewsSettings, now: datetime) -> None:
    with override(languages.of_account(row.user_id)):
        _send_in_its_language(row, now)


def _send_in_its_language(row: NewsSettings, now: datetime) -> None:
    visit = visit_of_account(row.user)
    pieces = visible_news(visit, newest(visit, read=None, at__gt=row.mailed_until))
    mine = NewsSettings.objects.filter(pk=row.pk, mail=True)
    taken = mine.filter(mailed_on=row.mailed_on)
    if pieces and not mail.may_send(mail.NEWS, row.user.email):
        return
    if not taken.update(mailed_on=now.date()) or not pieces:
        return
    _mail(row, pieces).send()
    mine.update(mailed_until=now)


def _mail(row: NewsSettings, pieces: list[NewsItem]) -> EmailMessage:
    origin, site = settings.SITE_ORIGINS[0], door.site().name
    stop = f"{origin}{reverse('replays:stop_news', args=[signing.dumps(row.pk, salt=_SALT)])}"
    context = {
        "name": row.user.get_username(),
        "told": pieces[:MAX_NEWS],
        "more": len(pieces) - MAX_NEWS,
        "origin": origin,
        "site": site,
        "stop": stop,
    }
    count = len(pieces)
    subject = ngettext(
        "{count} notification from {site}", "{count} notifications from {site}", count
    ).format(count=count, site=site)
    headers = {
        mail.AUTO: "auto-generated",
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
