"""`/metrics` for Prometheus: this process, counts from its live matches, and the jobs of all."""

from __future__ import annotations

import logging
from typing import Final

from django.db import DatabaseError, connection
from prometheus_client import (
    CollectorRegistry,
    GCCollector,
    PlatformCollector,
    ProcessCollector,
    disable_created_metrics,
)
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

from games.live.wire import routing
from ratuki_site import browser_faults
from ratuki_site.database_thread import DatabaseThread
from replays.jobs import metrics as jobs
from replays.reviews import routing as reviews

disable_created_metrics()
process: Final = CollectorRegistry()
for collector in (ProcessCollector, PlatformCollector, GCCollector):
    collector(registry=process)
log: Final = logging.getLogger(__name__)


async def exposition() -> tuple[str, str]:
    """The content type and the text of all metrics; without a database, those of jobs are left out.

    Live matches are measured in the event loop, jobs counted in a thread.
    """
    supervisor = routing.running()
    if supervisor:
        supervisor.measure()
    live = generate_latest(supervisor.hub.metrics.registry) if supervisor else b""
    faults = generate_latest(browser_faults.registry)
    own = (generate_latest(process) + live + faults).decode() + reviews.exposition()
    return CONTENT_TYPE_LATEST, own + await _of_jobs.result()


def _jobs() -> str:
    try:
        return jobs.exposition()
    except DatabaseError as error:
        log.warning("no metrics of jobs: %s", error)
        return ""
    finally:
        connection.close()


_of_jobs: Final = DatabaseThread(_jobs, late="")
