"""The present members of classes: the one place that every other room asks.

A class is an audience of people's work, and of matches (`games.people.classes`).
"""

from collections import Counter
from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.db.models import Exists, F, Q, QuerySet

from games.models import Account, Match, Seat
from games.people.classes import Called
from games.people.names import skeleton
from games.people.person import account as account_of
from games.people.person import encode
from games.people.visitor import Author
from replays.models import ClassMember, Homework, News, SchoolClass
from replays.news import tell

COACH, PUPIL = ClassMember.Role.COACH, ClassMember.Role.PUPIL


class Pupil(NamedTuple):
    """An account in a class, and its name there."""

    user: User
    name: str


def classes_of(account: int) -> dict[str, str]:
    """The names of the classes that an account is in now, by key, each another. One query.

    Two, if it is in two of one name.
    """
    here = _now().filter(user=account).order_by("school_class__name", "pk")
    return told_apart(row.school_class for row in here.select_related("school_class"))


def told_apart(classes: Iterable[SchoolClass]) -> dict[str, str]:
    """The names of these classes by key. To those of one name that of a coach is added."""
    names = {row.key: row.name for row in classes}
    looks = Counter(map(skeleton, names.values()))
    alike = [key for key, name in names.items() if looks[skeleton(name)] > 1]
    coaches = _now().filter(school_class__key__in=alike, role=COACH).order_by("-pk")
    by_class = dict(coaches.values_list("school_class__key", "name")) if alike else {}
    return names | {key: f"{names[key]} ({by_class[key]})" for key in alike if key in by_class}


def classes_of_all(accounts: Collection[int]) -> dict[int, set[str]]:
    """The keys of the classes that each of these accounts is in now. One query."""
    classes: dict[int, set[str]] = {}
    rows = _now().filter(user__in=accounts).values_list("user", "school_class__key")
    for account, key in rows if accounts else ():
        classes.setdefault(account, set()).add(key)
    return classes


def keys_of(account: int | None) -> QuerySet[ClassMember, Any]:
    """The keys of the same classes, for use within a query. None without an account."""
    return _now().filter(user=account).values("school_class__key")


def out_of_reach(accounts: Collection[int], by: int | None) -> set[int]:
    """The children's accounts among these that this account does not coach.

    One query, two if there are children.
    """
    rows = Account.objects.filter(user__in=accounts, supervised=True)
    children = set(rows.values_list("user", flat=True)) if accounts else set()
    if not children or by is None:
        return children
    coached = _now().filter(user=by, role=COACH).values("school_class")
    here = _now().filter(user__in=children, school_class__in=coached)
    return children - set(here.values_list("user", flat=True))


def may_name(account: int) -> Q:
    """The things whose owner may share them with this account by name, for use within a query.

    With a child only its coaches do, so that no one else writes to it unseen.
    """
    child = Account.objects.filter(user=account, supervised=True)
    return ~Exists(child) | Q(user__in=coaches_of(account))


def coaches_of(account: int | None) -> QuerySet[ClassMember, Any]:
    """The coaches of an account's classes, for use within a query."""
    there = _now().filter(role=COACH, school_class__key__in=keys_of(account))
    return there.values("user")


def accounts_in(school_class: str) -> frozenset[int]:
    """The accounts in the class of that key. None if there is no such class. One query."""
    return frozenset(_here(school_class).values_list("user", flat=True))


def accounts_since(school_class: str, since: datetime) -> QuerySet[ClassMember, Any]:
    """The accounts in that class then or later, for use within a query."""
    here = ClassMember.objects.filter(school_class__key=school_class)
    return here.filter(Q(left=None) | Q(left__gte=since)).values("user")


def coaches_in(school_class: str) -> frozenset[int]:
    """The accounts that coach the class of that key. One query."""
    return frozenset(_here(school_class).filter(role=COACH).values_list("user", flat=True))


def pupils_in(school_class: str) -> list[Pupil]:
    """The pupils of the class of that key, in the order of their accounts. One query."""
    rows = _here(school_class).filter(role=PUPIL).select_related("user").order_by("user_id")
    return [Pupil(row.user, row.name) for row in rows]


def names_in(keys: Collection[str], accounts: Collection[int]) -> dict[tuple[str, int], str]:
    """The names of these accounts in these classes, former ones too, by class and account.

    One query. No one outside the class may get such a name.
    """
    rows = ClassMember.objects.filter(school_class__key__in=keys, user__in=accounts)
    names = rows.values_list("school_class__key", "user", "name") if keys and accounts else ()
    return {(key, user): name for key, user, name in names}


def people_in(keys: Collection[str]) -> dict[str, str]:
    """The names of these classes’ members, former ones too, by person. One query."""
    rows = ClassMember.objects.filter(school_class__key__in=keys)
    names = rows.order_by(F("left").asc(nulls_last=True), "pk")  # the last one counts
    return {encode(account_of(user)): name for user, name in names.values_list("user", "name")}


def called(school_class: str) -> list[Called]:
    """The names of members in the class of that key, and of former ones. One query."""
    rows = ClassMember.objects.filter(school_class__key=school_class)
    return [
        Called(user, username, name, left is None)
        for user, username, name, left in rows.values_list("user", "user__username", "name", "left")
    ]


def names_at(matches: Collection[int], classes: Collection[str]) -> dict[tuple[int, int], str]:
    """What these classes call the players of their matches, by match and seat. Two queries."""
    seats = Seat.objects.filter(match__in=matches, match__school_class__in=list(classes))
    rows = list(seats.values_list("match", "number", "user", "match__school_class"))
    names = names_in({key for *_, key in rows}, {user for *_, user, _ in rows if user})
    return {
        (match, number): names[key, user]
        for match, number, user, key in rows
        if (key, user) in names
    }


def as_known(classes: Collection[str], match: Match, names: list[str]) -> list[str]:
    """These names of a match's players, or the class's own for somebody in these classes.

    Two queries in a match of one of them, else none.
    """
    if not match.school_class or match.school_class not in classes:
        return names
    called = names_at([match.pk], [match.school_class])
    return [called.get((match.pk, number), name) for number, name in enumerate(names)]


def coaches(account: int | None, school_class: str) -> bool:
    """Whether the account coaches the class of that key now. One query, none without a class."""
    here = _here(school_class).filter(user=account, role=COACH)
    return bool(account and school_class) and here.exists()


def homework_for(account: int) -> QuerySet[Homework]:
    """The homework that an account has to do, or coaches the class of."""
    here = "school_class__members__"
    coaching = Q(**{f"{here}user": account, f"{here}role": COACH, f"{here}left": None})
    doing = Q(assignments__member__user=account, assignments__member__left=None)
    return Homework.objects.filter(coaching | doing, deleted=None, school_class__deleted=None)


def accounts_given(homework: Iterable[Homework]) -> frozenset[int]:
    """The accounts that have to do any of this homework, or coach its class. One query."""
    people = Q(assignments__homework__in=homework)
    people |= Q(role=COACH, school_class__homework__in=homework)
    return frozenset(ClassMember.objects.filter(people, left=None).values_list("user", flat=True))


def invited_to(invitation: str) -> SchoolClass | None:
    """The class that an invitation opens, if it opens one."""
    known = SchoolClass.objects.filter(invitation=invitation, deleted=None)
    return known.first() if invitation else None


def table_opened(school_class: str, table_id: str, by: str, account: int | None) -> None:
    """Tell the class of that key that one of its accounts has opened a table for it."""
    person = "" if account is None else encode(account_of(account))
    tell(accounts_in(school_class), News.Kind.TABLE, table_id, Author(person, by))


def _here(school_class: str) -> QuerySet[ClassMember]:
    return _now().filter(school_class__key=school_class)


def _now() -> QuerySet[ClassMember]:
    return ClassMember.objects.filter(left=None, school_class__deleted=None)
