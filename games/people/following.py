"""Matches that an account keeps in its own list, and players and classes that it follows.

No one else learns of it, and no one counts followers. Accounts that coaches make for children can
do neither (SUPERVISED_MAY in the settings).
"""

from datetime import datetime
from typing import Final, NamedTuple

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from games.models import Follow, KeptMatch, Match, Player
from games.people.classes import classes_of
from games.people.matches import access_of
from games.people.rights import public

MOST_KEPT: Final = 500
MOST_FOLLOWED: Final = 100


class TooManyError(ValueError):
    """An account keeps or follows too much. The message names it."""


class Followed(NamedTuple):
    """A player by name, or a class of the account's with its key."""

    name: str
    school_class: str = ""


def keep(account: int, match: Match, word: str) -> None:
    """Keep a match, or give a kept one another word. Raises TooManyError."""
    mine = KeptMatch.objects.filter(user=account)
    if not mine.filter(match=match).exists() and mine.count() >= MOST_KEPT:
        raise TooManyError(
            _("You have {count} bookmarks. Remove one first.").format(count=MOST_KEPT)
        )
    said = {"word": word.strip()[:100]}
    KeptMatch.objects.update_or_create(user_id=account, match=match, defaults=said)


def bookmark_of(account: int | None, match: int) -> KeptMatch | None:
    """A match in an account's list, or None. Without an account no query."""
    mine = KeptMatch.objects.filter(user=account, match=match)
    return mine.first() if account is not None else None


def follow(account: int, player: Player | None, school_class: str = "") -> None:
    """Follow a player, or else a class. Raises TooManyError."""
    known = follows(account, player, school_class)
    if not known and Follow.objects.filter(user=account).count() >= MOST_FOLLOWED:
        raise TooManyError(
            _("You follow {count} players and classes. Unfollow one first.").format(
                count=MOST_FOLLOWED
            )
        )
    Follow.objects.get_or_create(user_id=account, player=player, school_class=school_class)


def unfollow(account: int, player: Player | None, school_class: str = "") -> None:
    Follow.objects.filter(user=account, player=player, school_class=school_class).delete()


def follows(account: int | None, player: Player | None, school_class: str = "") -> bool:
    """Whether an account follows that player or class. Without an account no query."""
    rows = Follow.objects.filter(user=account, player=player, school_class=school_class)
    return account is not None and rows.exists()


def following_of(account: int) -> list[Followed]:
    """Players and classes that an account follows, except classes that it has left. Two queries."""
    mine = Follow.objects.filter(user=account).order_by("player__name", "pk")
    rows = list(mine.values_list("player__name", "school_class"))
    classes = classes_of(account) if any(key for _, key in rows) else {}
    return [Followed(name or classes[key], key) for name, key in rows if name or key in classes]


def followed_since(since: datetime) -> QuerySet[Match]:
    """The matches being played that began since then and whose players or class are followed."""
    players = Q(seats__player__in=Follow.objects.exclude(player=None).values("player"))
    classes = Q(school_class__in=Follow.objects.filter(player=None).values("school_class"))
    going = Match.objects.filter(state=Match.State.OPEN, source="live", created__gte=since)
    return going.filter(players | classes).distinct().prefetch_related("seats__player")


def followers_of(match: Match) -> list[tuple[int, int | None]]:
    """Accounts with the player whom they follow in a match, or None for its class.

    A private match has no followers, and a bot none: its matches begin all day. Former members of a
    class are among those of its matches: the page of news leaves out matches that an account may
    not see.
    """
    rows = Follow.objects.order_by("pk").values_list("user", "player")
    if match.school_class:
        return list(rows.filter(school_class=match.school_class))
    if not public(access_of(match)):
        return []
    people = match.seats.exclude(kind="bot")
    return list(rows.filter(player__in=people.values("player")))
