"""Accounts by their names, in whatever case or look-alike letters (`games.people.names`)."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import timedelta
from typing import Final, NamedTuple

from django.contrib.auth import get_user_model
from django.db.models import F, Q
from django.utils import timezone

from games.models import Account, FormerName
from games.people.names import skeleton

RESERVED: Final = timedelta(days=90)
"""How long a former name stays reserved for its account."""
_BATCH: Final = 500


def looks_like_an_account(name: str, but: int | None = None) -> bool:
    """Whether a name looks the same as an account's. The account `but` is ignored."""
    _catch_up()
    looks = skeleton(name)
    if Account.objects.filter(skeleton=looks).exclude(user=but).exists():
        return True
    kept = FormerName.objects.filter(skeleton=looks, since__gt=timezone.now() - RESERVED)
    return (kept if but is None else kept.exclude(user=but)).exists()


def keep_former_name(user: int, name: str) -> None:
    """Reserve a name that an account is giving up, or is deleted with, for a while."""
    FormerName.objects.filter(since__lte=timezone.now() - RESERVED).delete()
    FormerName.objects.create(user_id=user, skeleton=skeleton(name))


def supervised(account: int) -> bool:
    """Whether it is a child's account that a coach has made. One query."""
    return Account.objects.filter(user=account, supervised=True).exists()


def _catch_up() -> None:
    """Record the look of account names that were created or changed elsewhere."""
    known = Q(account__name=F("username")) & ~Q(account__skeleton="")
    stale = get_user_model().objects.exclude(known)
    while rows := list(stale.values_list("pk", "username")[:_BATCH]):
        Account.objects.bulk_create(
            [Account(user_id=pk, name=name, skeleton=skeleton(name)) for pk, name in rows],
            update_conflicts=True,
            unique_fields=["user"],
            update_fields=["name", "skeleton"],
        )


class Named(NamedTuple):
    """An account: its user's key, and its name as it is written."""

    user: int
    name: str


def accounts_named(names: Iterable[str]) -> dict[str, Named]:
    """The accounts that these names are of, by the name as given. Two queries.

    Of several accounts with one skeleton, a name is of the one that is written so, or of none.
    """
    looks = {name: skeleton(name) for name in names}
    if not looks:
        return {}
    _catch_up()
    rows = Account.objects.filter(skeleton__in=set(looks.values()))
    similar: defaultdict[str, list[Named]] = defaultdict(list)
    for look, user, name in rows.values_list("skeleton", "user", "name"):
        similar[look].append(Named(user, name))
    found: dict[str, Named] = {}
    for name, look in looks.items():
        same = [account for account in similar[look] if account.name == name] or similar[look]
        if len(same) == 1:
            found[name] = same[0]
    return found


def as_written(name: str) -> str:
    """An account's name as it is written. Any other name is unchanged."""
    found = accounts_named([name]).get(name)
    return found.name if found else name
