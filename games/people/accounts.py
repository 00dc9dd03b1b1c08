"""Accounts, by what their names look like."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.contrib.auth import get_user_model
from django.db.models import F
from django.utils import timezone

from games.models import Account, FormerName
from games.people.names import skeleton

RESERVED: Final = timedelta(days=90)
"""How long a former name stays reserved for its account."""
_BATCH: Final = 500


def looks_like_an_account(name: str, but: int | None = None) -> bool:
    """Whether a name looks the same as an account's; `but`: an account to ignore."""
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
    stale = get_user_model().objects.exclude(account__name=F("username"))
    while rows := list(stale.values_list("pk", "username")[:_BATCH]):
        Account.objects.bulk_create(
            [Account(user_id=pk, name=name, skeleton=skeleton(name)) for pk, name in rows],
            update_conflicts=True,
            unique_fields=["user"],
            update_fields=["name", "skeleton"],
        )


def as_written(name: str) -> str:
    """An account's name with its own capitals; any other name unchanged."""
    users = get_user_model().objects.filter(username__iexact=name)
    names = list(users.values_list("username", flat=True)[:2])
    return str(names[0]) if len(names) == 1 else name
