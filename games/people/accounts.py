"""Accounts by what their names look like."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.contrib.auth import get_user_model
from django.db.models import F
from django.utils import timezone

from games.models import Account, FormerName
from games.people.names import skeleton

RESERVED: Final = timedelta(days=90)
"""For so long a name that was changed is nobody else's."""
_BATCH: Final = 500


def looks_like_an_account(name: str, but: int | None = None) -> bool:
    """Whether a name cannot be told from an account's; `but`: the account that asks."""
    _catch_up()
    looks = skeleton(name)
    if Account.objects.filter(skeleton=looks).exclude(user=but).exists():
        return True
    kept = FormerName.objects.filter(skeleton=looks, since__gt=timezone.now() - RESERVED)
    return kept.exclude(user=but).exists()


def keep_former_name(user: int, name: str) -> None:
    """An account has given up this name; nobody else gets it for a while."""
    FormerName.objects.create(user_id=user, skeleton=skeleton(name))


def _catch_up() -> None:
    """Note what the names of accounts look like that were made or renamed elsewhere."""
    stale = get_user_model().objects.exclude(account__name=F("username"))
    while rows := list(stale.values_list("pk", "username")[:_BATCH]):
        Account.objects.bulk_create(
            [Account(user_id=pk, name=name, skeleton=skeleton(name)) for pk, name in rows],
            update_conflicts=True,
            unique_fields=["user"],
            update_fields=["name", "skeleton"],
        )


def as_written(name: str) -> str:
    """An account's name with the capitals that it has; what is nobody's stays as it is."""
    users = get_user_model().objects.filter(username__iexact=name)
    found = list(users.values_list("username", flat=True)[:2])
    return str(found[0]) if len(found) == 1 else name
