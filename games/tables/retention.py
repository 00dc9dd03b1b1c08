"""What is thrown away once nobody needs it, so that a site that runs for years stays small.

Matches and their logs are kept for good. A table that has been over for some days is not
needed for them: with it go its answers, its chat with what was reported of it, and the mutes
that held there only.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone

from games.models import LiveTable, RelayReply, RelayRequest

KEEP_DAYS: Final = 30
BATCH: Final = 20
"""So many tables are deleted in one transaction, which keeps nobody waiting."""
_PASSING: Final = timedelta(days=1)


def forget_some_tables(days: int) -> bool:
    """Delete some tables as `forget_tables` does; whether there may be more."""
    return forget_tables(days) == BATCH


def forget_tables(days: int) -> int:
    """Delete some tables that are over and were opened so many days ago; how many."""
    before = timezone.now() - timedelta(days=days)
    old = LiveTable.objects.filter(over=True, created__lt=before).order_by("created")
    with transaction.atomic():
        chosen = list(old.values_list("pk", flat=True)[:BATCH])
        LiveTable.objects.filter(pk__in=chosen).delete()
    return len(chosen)


def forget_relayed() -> None:
    """Delete what processes that are gone have left for each other."""
    before = timezone.now() - _PASSING
    RelayRequest.objects.filter(created__lt=before).delete()
    RelayReply.objects.filter(created__lt=before).delete()
