"""Who is in which class now: a class is an audience (`access`), of matches too (`games.people`)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.db.models import QuerySet

from replays.models import ClassMember, News
from replays.news import tell


def classes_of(account: int) -> dict[str, str]:
    """The names of the classes that an account is in now, by key. One query."""
    here = _now().filter(user=account).order_by("school_class__name", "pk")
    return dict(here.values_list("school_class__key", "school_class__name"))


def classes_of_all(accounts: Collection[int]) -> dict[int, set[str]]:
    """The keys of the classes that each of these accounts is in now. One query."""
    classes: dict[int, set[str]] = {}
    rows = _now().filter(user__in=accounts).values_list("user", "school_class__key")
    for account, key in rows if accounts else ():
        classes.setdefault(account, set()).add(key)
    return classes


def keys_of(account: int | None) -> QuerySet[ClassMember, Any]:
    """The keys of the same classes, for use within a query; none of nobody's."""
    return _now().filter(user=account).values("school_class__key")


def accounts_in(school_class: str) -> frozenset[int]:
    """The accounts in the class of that key; none if there is no such class. One query."""
    here = _now().filter(school_class__key=school_class)
    return frozenset(here.values_list("user", flat=True))


def names_in(keys: Collection[str], accounts: Collection[int]) -> dict[tuple[str, int], str]:
    """What these classes call these accounts, former ones too, by class and account. One query.

    Nobody outside the class may be sent such a name.
    """
    rows = ClassMember.objects.filter(school_class__key__in=keys, user__in=accounts)
    names = rows.values_list("school_class__key", "user", "name") if keys and accounts else ()
    return {(key, user): name for key, user, name in names}


def coaches(account: int | None, school_class: str) -> bool:
    """Whether the account coaches the class of that key now. One query, none without a class."""
    here = _now().filter(user=account, school_class__key=school_class)
    return bool(account and school_class) and here.filter(role=ClassMember.Role.COACH).exists()


def table_opened(school_class: str, table_id: str, by: str, account: int | None) -> None:
    """Tell the class of that key that one of its accounts has opened a table for it."""
    tell(accounts_in(school_class), News.Kind.TABLE, table_id, by, but=account)


def _now() -> QuerySet[ClassMember]:
    return ClassMember.objects.filter(left=None, school_class__deleted=None)
