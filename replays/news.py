"""Notifications: the only place where news is made.

One thing of a kind is one piece of news. Where it happens again, such as further notes on the same
match, the same news is new again, so that no one gets a heap of them.
"""

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import F, Window
from django.db.models.functions import RowNumber
from django.utils import timezone
from django.utils.translation import gettext_noop

from games.models import Match, Seat
from games.people.classes import out_of_reach
from games.people.each import for_each
from games.people.following import followed_since, followers_of
from games.people.matches import person_of
from games.people.person import Kind, Person, account, encode
from games.people.visitor import Author
from replays.models import News

MAX_NEWS: Final = 200
"""Kept for each account. The oldest give way."""
BEGUN: Final = timedelta(minutes=10)
"""Matches that began earlier are not announced."""
GONE: Final = gettext_noop("deleted account")


def tell(
    accounts: Iterable[int | None],
    kind: News.Kind,
    key: str,
    by: Author,
    *,
    again: bool = False,
) -> None:
    """Send these accounts news, except the one that did it. At most five queries.

    `again`: also those who had the same news before. A child's account gets news of its coaches
    alone.
    """
    did = _account_of(by)
    readers = {pk for pk in accounts if pk is not None and pk != did}
    readers -= out_of_reach(readers, did)
    if not readers:
        return
    now = timezone.now()
    said = {"kind": kind, "key": key, "by": by.name[:150], "person": by.person, "at": now}
    rows = [News(user_id=pk, **said) for pk in sorted(readers)]
    if again:
        same = ["user", "kind", "key"]
        News.objects.bulk_create(
            rows,
            update_conflicts=True,
            unique_fields=same,
            update_fields=["by", "person", "at", "read"],
        )
    else:
        News.objects.bulk_create(rows, ignore_conflicts=True)
    _forget_old(readers)


def tell_followers() -> None:
    """Send followers of players and classes news of matches that have just begun, each once.

    Players of a match get no news of it.
    """
    begun = followed_since(timezone.now() - BEGUN)
    for_each(begun, _tell_followers_of, "news of live matches")


def _tell_followers_of(match: Match) -> None:
    seats = list(match.seats.all())
    by_player = {seat.player_id: seat for seat in seats}
    playing = {seat.user_id for seat in seats}
    followers = followers_of(match)
    for player in dict.fromkeys(followed for _, followed in followers):
        accounts = {who for who, followed in followers if followed == player}
        by = _author_of_seat(by_player[player]) if player in by_player else Author()
        tell(accounts - playing, News.Kind.LIVE, match.record_id, by)


def _author_of_seat(seat: Seat) -> Author:
    return Author(encode(person_of(seat.user_id, seat.guest)), seat.name)


def signed(user: Any) -> Author:
    """An account as the author of an action."""
    return Author(encode(account(user.pk)), user.get_username(), user)


def _account_of(author: Author) -> int | None:
    """Not everyone who writes is a person: an import has none."""
    kind, _, key = author.person.partition(":")
    return int(key) if kind == Kind.ACCOUNT.value else None


def forget(person: Person) -> None:
    """Take the name of a deleted account out of others' news."""
    News.objects.filter(person=encode(person)).update(person="", by=GONE)


def _forget_old(accounts: Collection[int]) -> None:
    newest = Window(RowNumber(), partition_by=F("user"), order_by=[F("at").desc(), F("pk").desc()])
    rows = News.objects.filter(user__in=accounts).annotate(number=newest)
    old = list(rows.filter(number__gt=MAX_NEWS).values_list("pk", flat=True))
    if old:
        News.objects.filter(pk__in=old).delete()


def mark_read(account: int | None, until: datetime) -> None:
    """An account has seen its news. Not those that have come or happened again since."""
    rows = News.objects.filter(user=account, read=None, at__lte=until)
    rows.update(read=timezone.now())
