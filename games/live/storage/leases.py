"""Leases in the database: who hosts which table. All times are the database's.

Each function is one job in a thread of `games.live.storage.store`.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now

from games.live.host.leases import LEASE_MS, Lease
from games.models import LiveTable, Match

CLAIMS: Final = 20
"""The most tables that a process takes at a time."""


def _lease_end() -> Any:
    return Now() + timedelta(milliseconds=LEASE_MS)


def _free() -> Q:
    return Q(over=False) & (Q(lease_until=None) | Q(lease_until__lt=Now()))


def claim(process: str) -> list[Lease]:
    """Take the leases of tables without a host, each in a statement of its own."""
    taken = []
    free = LiveTable.objects.filter(_free()).order_by("pk")
    for pk, match, epoch in free.values_list("pk", "record_id", "epoch")[:CLAIMS]:
        with transaction.atomic():
            mine = LiveTable.objects.filter(_free(), pk=pk, epoch=epoch).update(
                epoch=epoch + 1, lease_owner=process, lease_until=_lease_end()
            )
            if mine:
                Match.objects.filter(record_id=match, state=Match.State.OPEN).update(
                    owner_epoch=epoch + 1
                )
                taken.append(Lease(pk, match, epoch + 1))
    return taken


def renew(process: str, tables: Iterable[int]) -> set[Lease]:
    """Renew a process's leases. One that expired but was not taken is still its own."""
    mine = LiveTable.objects.filter(pk__in=list(tables), lease_owner=process, over=False)
    if not mine.update(lease_until=_lease_end()):
        return set()
    return {Lease(*row) for row in mine.values_list("pk", "record_id", "epoch")}


def release(process: str) -> None:
    """Give up all leases of a process."""
    LiveTable.objects.filter(lease_owner=process).update(lease_owner="", lease_until=None)
