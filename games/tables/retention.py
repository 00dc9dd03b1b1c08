"""Deletion of data that is no longer needed, so that a site that runs for years stays small.

Matches and their logs are kept for good, without their tables. A table that has been over for some
days is deleted, along with its answers, its chat and the reports about it, and the mutes that
applied only there.
"""

from collections.abc import Collection
from datetime import timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone

from games.models import ChatLine, ChatMute, LiveTable, RelayReply, RelayRequest

KEEP_DAYS: Final = 30
BATCH: Final = 20
"""How many tables one transaction deletes, so that others need not wait for it."""
_PASSING: Final = timedelta(days=1)


def forget_some_tables(days: int) -> bool:
    """Delete some tables as `forget_tables` does. Returns whether there may be more."""
    return forget_tables(days) == BATCH


def forget_tables(days: int) -> int:
    """Delete some finished tables that were opened that many days ago. Returns how many."""
    before = timezone.now() - timedelta(days=days)
    old = LiveTable.objects.filter(over=True, created__lt=before).order_by("created")
    with transaction.atomic():
        chosen = dict(old.values_list("pk", "record_id")[:BATCH])
        LiveTable.objects.filter(pk__in=chosen).delete()
        forget_chats(chosen.values())
    return len(chosen)


def forget_chats(rooms: Collection[str]) -> None:
    """Delete the chats of matches or reviews that are gone, the reports about them, and mutes."""
    ChatLine.objects.filter(room__in=rooms).delete()
    ChatMute.objects.filter(room__in=rooms).delete()


def forget_relayed() -> None:
    """Delete messages that processes no longer running left for each other."""
    before = timezone.now() - _PASSING
    RelayRequest.objects.filter(created__lt=before).delete()
    RelayReply.objects.filter(created__lt=before).delete()
