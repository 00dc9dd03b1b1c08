"""Whether any worker is running: each writes when it was last alive. Times are the database's.

Prometheus gets that, and for how long a job has waited, in the `/metrics` of every server process.

Systemd gets the signal too where a unit asks for it (`WatchdogSec`), see sd_notify(3).
"""

import os
import socket
from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.db.models import Min
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext as _
from prometheus_client import CollectorRegistry
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.exposition import generate_latest
from prometheus_client.registry import Collector

from replays.jobs import rows
from replays.models import Job, Worker

SILENT_S: Final = 20
"""After that long without a sign of life a worker is taken for gone."""
KEEP_DAYS: Final = 1
"""How long a worker that is gone is remembered. The last one is for ever."""


def beat(worker: str) -> None:
    """Show that a worker is alive: in the database, and then to systemd."""
    Worker.objects.update_or_create(name=worker, defaults={"seen": Now()})
    tell_watchdog()


def alive() -> int:
    return Worker.objects.filter(seen__gte=Now() - timedelta(seconds=SILENT_S)).count()


def silence() -> timedelta | None:
    """For how long no worker has been seen. None if none has ever been."""
    rows = Worker.objects.order_by("-seen").annotate(now=Now()).values_list("now", "seen")
    last = rows.first()
    return last and last[0] - last[1]


def warning() -> str:
    """A sentence for people who wait while no worker runs. Empty while one does."""
    since = silence()
    if since is None:
        return _("No worker has ever been seen.")
    seconds = int(since.total_seconds())
    return "" if seconds <= SILENT_S else _long(seconds)


def _long(seconds: int) -> str:
    """For how long, in the largest unit that fits in the time twice."""
    if (days := seconds // 86_400) > 1:
        return _("No worker has been seen for {count} days.").format(count=days)
    if (hours := seconds // 3_600) > 1:
        return _("No worker has been seen for {count} hours.").format(count=hours)
    if (minutes := seconds // 60) > 1:
        return _("No worker has been seen for {count} minutes.").format(count=minutes)
    return _("No worker has been seen for {count} s.").format(count=seconds)


def forget() -> None:
    """Delete the rows of workers that stopped long ago, except the last one."""
    last = Worker.objects.order_by("-seen").values("pk")[:1]
    long_ago = Now() - timedelta(days=KEEP_DAYS)
    Worker.objects.filter(seen__lt=long_ago).exclude(pk=last).delete()


_ALIVE: Final = b"WATCHDOG=1"


def tell_watchdog() -> None:
    """Send systemd the signal. Nothing happens where no watchdog listens."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    if address.startswith("@"):  # an abstract socket
        address = "\0" + address[1:]
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
        sender.sendto(_ALIVE, address)


class JobMetrics(Collector):
    """Read from the database at each request, so every process reports the same."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        yield GaugeMetricFamily(
            "ratuki_job_oldest_waiting_seconds",
            "How long the oldest job that nobody has begun has waited; 0 without one.",
            value=_oldest_s(),
        )
        yield GaugeMetricFamily(
            "ratuki_job_workers", f"Workers seen within the last {SILENT_S} s.", value=alive()
        )
        yield GaugeMetricFamily(
            "ratuki_job_still_seconds",
            "How long the part that workers have and that stands still longest has; 0 without one.",
            value=rows.stands_still().total_seconds(),
        )
        if settings.NIGHTLY_AT is not None:
            last = rows.last_night()
            yield GaugeMetricFamily(
                "ratuki_backup_last_success_timestamp_seconds",
                "When the last backup of a night was begun that was made and checked; 0 without.",
                value=last.timestamp() if last else 0,
            )


def _oldest_s() -> float:
    waiting = Job.objects.filter(state=Job.State.WAITING)
    oldest = waiting.aggregate(oldest=Min("created"))["oldest"]
    return max(0.0, (timezone.now() - oldest).total_seconds()) if oldest else 0.0


def exposition() -> str:
    """The text of these metrics. Raises DatabaseError."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(JobMetrics())
    return generate_latest(registry).decode()
