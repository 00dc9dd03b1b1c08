"""Leases in the database: who hosts which table. All times are the database's.

Each function is one job in a thread of `games.live.storage.store`.
"""

import os
import secrets
import socket
from collections.abc import Iterable
from contextlib import suppress
from datetime import timedelta
from hashlib import blake2s
from pathlib import Path
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


def _free(process: str) -> Q:
    """Tables whose lease was given up, has expired, belongs to a process that has ended, or ends
    later than any lease can, since the clock was set back."""
    held = LiveTable.objects.filter(over=False).exclude(lease_owner__in=("", process))
    owners = held.values_list("lease_owner", flat=True).distinct()
    gone = [owner for owner in owners if has_ended(owner, process)]
    never = Now() + timedelta(milliseconds=2 * LEASE_MS)
    ended = Q(lease_until=None) | Q(lease_until__lt=Now()) | Q(lease_until__gt=never)
    return Q(over=False) & (ended | Q(lease_owner__in=gone))


def claim(process: str) -> list[Lease]:
    """Take the leases of tables without a host, each in a statement of its own."""
    taken = []
    free = _free(process)
    tables = LiveTable.objects.filter(free).order_by("pk")
    for pk, match, epoch in tables.values_list("pk", "record_id", "epoch")[:CLAIMS]:
        with transaction.atomic():
            mine = LiveTable.objects.filter(free, pk=pk, epoch=epoch).update(
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
    LiveTable.objects.filter(lease_owner=process).update(lease_owner="", lease_until=None)


# A killed process cannot give up its leases. Another process of the same machine sees that it has
# ended, and need not wait until they expire.


def _machine() -> str:
    """Where process ids mean the same as here: this boot, this container. Empty if unknown."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text()
        return blake2s(
            f"{boot}{Path('/proc/self/ns/pid').readlink()}".encode(), digest_size=6
        ).hexdigest()
    except OSError:
        return ""


MACHINE: Final = _machine()


def process_name() -> str:
    """A name for this process that no other has or will have."""
    return f"{socket.gethostname()[:24]}-{MACHINE}-{os.getpid()}-{secrets.token_hex(4)}"


def has_ended(name: str, own: str) -> bool:
    """Whether the process of that name has certainly ended. `own`: this process's name."""
    machine, pid = [*name.rsplit("-", 3), "", "", ""][1:3]
    if not MACHINE or machine != MACHINE or not pid.isdigit() or name == own:
        return False
    if int(pid) == os.getpid():
        return True
    with suppress(OSError):
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        return state in {"Z", "X"}
    return not Path(f"/proc/{pid}").exists()
