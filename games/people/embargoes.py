"""Embargoes: a learner may not see a match until they have answered a question about it.

A question stops a match before a moment and asks what to do. Until the answer, its learner gets
nothing of that match except through the question. An embargo applies to every person behind the
browser that opened the question. Another browser without an account cannot be recognised.
`games.people.rights` enforces it.

A match stays closed until the learner's last embargo on it has ended. A learner who opens a
question has at most one, since they are led to that one first. But a class may be asked during
another question. The newest is the one to answer, so that nothing after its stop is shown.

A play of one's own match that is tried again begins no embargo (`replays.studies.attempts`).

An embargo ends with the answer, and when its question is deleted, moved or no longer shared. It
never ends by its age. `forget_gone` deletes the embargoes of persons who are gone.
"""

from collections.abc import Collection, Container, Iterable
from datetime import timedelta
from functools import cached_property
from typing import Final

from django.contrib.auth import get_user_model
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from games.models import Embargo, Match
from games.people import changes
from games.people.guests import guest_of
from games.people.person import Kind, Person, account, decode, encode

SETTLED: Final = timedelta(days=1)
"""A younger embargo may belong to a session that is not stored yet."""


class Embargoed(Container[Person]):
    """The persons who must not see a match. False if there are none. Queries are made on demand.

    For a match fetched with `with_embargoes` it is already known whether there are any.
    """

    def __init__(self, match: Match) -> None:
        self._match = match
        self._known: dict[Person, bool] = {}

    @cached_property
    def _any(self) -> bool:
        known: bool | None = getattr(self._match, "has_embargoes", None)
        return Embargo.objects.filter(match=self._match).exists() if known is None else known

    def __bool__(self) -> bool:
        return self._any

    def __contains__(self, person: object) -> bool:
        assert isinstance(person, Person)
        if person not in self._known:
            rows = Embargo.objects.filter(match=self._match, person=encode(person))
            self._known[person] = self._any and rows.exists()
        return self._known[person]


def with_embargoes(matches: QuerySet[Match]) -> QuerySet[Match]:
    """The matches, each knowing whether it has embargoes."""
    return matches.annotate(has_embargoes=Exists(Embargo.objects.filter(match=OuterRef("pk"))))


def _of(persons: Iterable[Person]) -> QuerySet[Embargo]:
    """Their embargoes, newest first. Without persons there is no query."""
    return Embargo.objects.filter(person__in=[encode(person) for person in persons]).order_by("-pk")


@transaction.atomic
def begin(match: Match, persons: Collection[Person], chapter: int, *, besides: bool = False) -> int:
    """Keep a match from these persons until they answer. Returns the chapter that asks them.

    That is another one if they have an unanswered question on this match already. `besides`: both
    apply, and this one is to be answered first.
    """
    before = () if besides else asking([match.pk], persons)
    asks = next(iter(before), chapter)
    account_pk = next((int(who.key) for who in persons if who.kind is Kind.ACCOUNT), None)
    begun = [
        Embargo(match=match, person=encode(person), account_id=account_pk, chapter=asks)
        for person in persons
    ]
    Embargo.objects.bulk_create(begun, ignore_conflicts=True)
    changes.changed(changes.of_match(match.pk))
    return asks


def lift(
    chapter: int, persons: Collection[Person] | None = None, *, but: Collection[str] = ()
) -> None:
    """End the embargoes of a chapter: of these persons, or (None) of everyone.

    An account's end in every browser in which it was logged in when they began. `but`: stored
    persons whose embargoes go on.
    """
    rows = Embargo.objects.filter(chapter=chapter)
    if persons is not None:
        names = [encode(person) for person in persons]
        accounts = [int(person.key) for person in persons if person.kind is Kind.ACCOUNT]
        rows = rows.filter(Q(person__in=names) | Q(account__in=accounts))
    rows.exclude(person__in=but).delete()


def asking(matches: Iterable[int], persons: Iterable[Person]) -> list[int]:
    """The chapters that these persons have to answer before they see these matches.

    The one to answer first is the first.
    """
    rows = _of(persons).filter(match__in=list(matches))
    return list(dict.fromkeys(rows.values_list("chapter", flat=True)))


def holds(table_id: str, persons: Iterable[Person]) -> bool:
    """Whether these persons must not see the match of a table."""
    return _of(persons).filter(match__record_id=table_id).exists()


def embargoed_persons(matches: Iterable[int]) -> dict[int, frozenset[Person]]:
    """For each of these matches the persons who must not see it. One query."""
    by_match: dict[int, set[Person]] = {match: set() for match in matches}
    rows = Embargo.objects.filter(match__in=list(by_match)).values_list("match", "person")
    for match, text in rows:
        person = decode(text)
        if person:
            by_match[match].add(person)
    return {match: frozenset(persons) for match, persons in by_match.items()}


def open_questions(persons: Iterable[Person]) -> dict[int, int]:
    """The matches that these persons must not see, and the chapter to answer about each."""
    return dict(_of(persons).reverse().values_list("match", "chapter"))


def forget_gone() -> int:
    """Delete the embargoes of persons who no longer exist. Returns their number.

    Such a person is a deleted account, or a guest without a session. Embargoes are looked up by
    person alone, so this reveals nothing to anyone.
    """
    rows = Embargo.objects.filter(created__lt=timezone.now() - SETTLED)
    barred = {decode(text) for text in rows.values_list("person", flat=True).distinct()}
    gone = [encode(person) for person in barred - _living({who.kind for who in barred if who})]
    return rows.filter(person__in=gone).delete()[0]


def _living(kinds: Container[Kind]) -> set[Person | None]:
    """Every person of these kinds who still exists."""
    living: set[Person | None] = set()
    if Kind.ACCOUNT in kinds:
        accounts = get_user_model()._default_manager.values_list("pk", flat=True)
        living |= {account(pk) for pk in accounts.iterator()}
    if Kind.GUEST in kinds:
        sessions = Session.objects.filter(expire_date__gt=timezone.now())
        living |= {guest_of(session.get_decoded()) for session in sessions.iterator()}
    return living
