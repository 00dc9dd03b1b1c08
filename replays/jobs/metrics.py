"""Jobs and workers for Prometheus, in the `/metrics` of every server process."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.db.models import Count, Min, QuerySet
from django.db.models.functions import Now
from django.utils import timezone
from prometheus_client import CollectorRegistry
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.exposition import generate_latest
from prometheus_client.registry import Collector

from replays.jobs import workers
from replays.models import Job

LATELY: Final = timedelta(days=1)
_ENDS: Final = (Job.State.FINISHED, Job.State.FAILED, Job.State.CANCELLED)


class JobMetrics(Collector):
    """Read from the database at each request, so every process reports the same."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        active = Job.objects.filter(state__in=Job.ACTIVE)
        yield _by_kind("ratuki_jobs", "Jobs waiting or running.", Job.ACTIVE, _counts(active))
        ended = Job.objects.filter(ended__gte=Now() - LATELY)
        text = "Jobs that ended within the last 24 hours."
        yield _by_kind("ratuki_jobs_ended_day", text, _ENDS, _counts(ended))
        yield GaugeMetricFamily(
            "ratuki_job_oldest_waiting_seconds",
            "How long the oldest job that nobody has begun has waited; 0 without one.",
            value=_oldest_s(),
        )
        yield GaugeMetricFamily(
            "ratuki_job_workers",
            f"Workers seen within the last {workers.SILENT_S} s.",
            value=workers.alive(),
        )


def exposition() -> str:
    """The text of these metrics. Raises DatabaseError."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(JobMetrics())
    return generate_latest(registry).decode()


Counts = Counter[tuple[str, str]]


def _counts(jobs: QuerySet[Job]) -> Counts:
    rows = jobs.order_by().values_list("kind", "state").annotate(Count("pk"))
    return Counter({(kind, state): count for kind, state, count in rows})


def _by_kind(
    name: str, text: str, states: tuple[Job.State, ...], counts: Counts
) -> GaugeMetricFamily:
    """A sample for every kind and state, including those without any jobs."""
    family = GaugeMetricFamily(name, text, labels=["kind", "state"])
    for kind in sorted(settings.JOB_KINDS):
        for state in states:
            family.add_metric([kind, state], counts[kind, state])
    return family


def _oldest_s() -> float:
    waiting = Job.objects.filter(state=Job.State.WAITING)
    oldest = waiting.aggregate(oldest=Min("created"))["oldest"]
    return max(0.0, (timezone.now() - oldest).total_seconds()) if oldest else 0.0
