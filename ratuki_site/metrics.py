"""`/metrics` for Prometheus: this process, and counts from its live matches."""

from __future__ import annotations

from typing import Final

from prometheus_client import (
    CollectorRegistry,
    GCCollector,
    PlatformCollector,
    ProcessCollector,
    disable_created_metrics,
)
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

from games.live.wire import routing

disable_created_metrics()
process: Final = CollectorRegistry()
for collector in (ProcessCollector, PlatformCollector, GCCollector):
    collector(registry=process)


def exposition() -> tuple[str, str]:
    """The content type and the text of all metrics."""
    supervisor = routing.running()
    if supervisor:
        supervisor.measure()
    live = generate_latest(supervisor.hub.metrics.registry) if supervisor else b""
    return CONTENT_TYPE_LATEST, (generate_latest(process) + live).decode()
