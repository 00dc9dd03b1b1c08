"""Challenges: a person asks a bot for a match, and a table opens once the bot accepts."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from games.models import Challenge
from games.people import changes
from games.people.accounts import Named
from games.people.addresses import network_hash
from games.people.person import Kind, Person, account, decode, encode
from games.records.ids import new_id
from games.tables import opening, seats
from games.tables.plan import ALL, Plan
from games.tables.seats import MOST_SEATS, has_room

OPEN_FOR: Final = timedelta(seconds=60)
_TOLD_FOR: Final = 2 * OPEN_FOR
MOST_OPEN: Final = 20
"""The most open challenges of a bot."""
MOST_OF_ADDRESS: Final = MOST_SEATS - 1
"""The most tables at which a bot plays people of one address, so that others find it free."""


class ChallengeError(ValueError):
    """It cannot be done now. The message says why."""


def challenge(
    bot: Named,
    person: Person,
    name: str,
    edition: str,
    overrides: Mapping[str, Any],
    *,
    private: bool,
    network: str,
) -> Challenge:
    """Ask a bot for a match of two. Raises ChallengeError, RulesError."""
    if person == account(bot.user):
        raise ChallengeError(_("a bot cannot challenge itself"))
    opening.planned(edition, 2, overrides)
    _verify_room(person, _("you sit at {most} tables: try again when a match is over"))
    _verify_room(
        account(bot.user), _("this bot sits at {most} tables: try again when a match is over")
    )
    _verify_share(bot, person, network_hash(network))
    made = Challenge.objects.create(
        key=new_id(12),
        bot_id=bot.user,
        person=encode(person),
        name=name,
        edition=edition,
        overrides=dict(overrides),
        private=private,
        opener=network_hash(network),
        made=timezone.now(),
    )
    changes.changed(changes.of_account(bot.user))
    return made


def oldest_open() -> datetime:
    """Challenges made before are over."""
    return timezone.now() - OPEN_FOR


def open_ones() -> QuerySet[Challenge]:
    """The challenges that can still be accepted."""
    rows = Challenge.objects.filter(made__gt=oldest_open(), declined=False, table="")
    return rows.order_by("pk")


def of(persons: Sequence[Person]) -> QuerySet[Challenge]:
    """The latest challenges by these persons, or of their account, whatever became of them."""
    accounts = [int(person.key) for person in persons if person.kind is Kind.ACCOUNT]
    mine = Q(bot__in=accounts) | Q(person__in=list(map(encode, persons)))
    since = timezone.now() - _TOLD_FOR
    return Challenge.objects.filter(mine, made__gt=since).select_related("bot").order_by("pk")


def _verify_share(bot: Named, person: Person, opener: str) -> None:
    """Leave room for others: in the bot's challenges, and at its tables. Raises ChallengeError."""
    waiting = open_ones().filter(bot=bot.user)
    mine = open_ones().filter(person=encode(person))
    if mine.filter(bot=bot.user).exists():
        raise ChallengeError(_("you have challenged this bot already: it has not answered yet"))
    if mine.count() + seats.of([person]).count() >= MOST_SEATS:
        raise ChallengeError(_("you have challenged enough bots: wait until they answer"))
    if waiting.count() >= MOST_OPEN:
        raise ChallengeError(_("this bot has too many challenges: try again in a minute"))
    sits = seats.of([account(bot.user)])
    if sits.filter(table__opener=opener).count() >= MOST_OF_ADDRESS:
        raise ChallengeError(
            _("this bot already plays people at your address: try again when a match is over")
        )


@transaction.atomic
def accept(key: str, bot: Any) -> Plan:
    """Open the table, with both seated. Raises ChallengeError, and as `opening.open_table`."""
    row = _mine(key, bot)
    challenger = decode(row.person)
    assert challenger is not None
    words = _("{name} sits at {most} tables: try again when a match is over")
    _verify_room(challenger, words, name=row.name)
    plan = opening.planned(row.edition, 2, row.overrides, private=row.private)
    plan = plan.sit(challenger, row.name).sit(account(bot.pk), bot.get_username())
    opening.open_table(replace(plan, maker=challenger, begins=ALL), row.opener)
    row.table = plan.id
    row.save(update_fields=["table"])
    _tell(row)
    return plan


@transaction.atomic
def decline(key: str, bot: Any) -> None:
    """Turn a challenge down. Raises ChallengeError."""
    row = _mine(key, bot)
    row.declined = True
    row.save(update_fields=["declined"])
    _tell(row)


def _verify_room(person: Person, words: str, **values: str) -> None:
    """Raise ChallengeError, in these words, if the person sits at too many tables."""
    if not has_room(person):
        raise ChallengeError(words.format(most=MOST_SEATS, **values))


def _mine(key: str, bot: Any) -> Challenge:
    row = open_ones().select_for_update().filter(key=key, bot=bot).first()
    if row is None:
        raise ChallengeError(_("there is no such challenge of you, or it is no longer open"))
    return row


def _tell(row: Challenge) -> None:
    challenger = decode(row.person)
    if challenger is not None and challenger.kind is Kind.ACCOUNT:
        changes.changed(changes.of_account(int(challenger.key)))
    changes.changed(changes.of_account(row.bot_id))


def forget_old() -> None:
    """Delete the challenges that are no longer shown."""
    Challenge.objects.filter(made__lt=timezone.now() - _TOLD_FOR).delete()


def forget(person: Person) -> None:
    """Delete what a deleted account asked for."""
    Challenge.objects.filter(person=encode(person)).delete()
