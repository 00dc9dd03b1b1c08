"""The figures of live play for Prometheus. Each process tells its own; Prometheus adds up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from prometheus_client import CollectorRegistry, GCCollector, PlatformCollector, ProcessCollector
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector

from games.live.cluster.supervisor import Supervisor
from games.live.host.metrics import EDGES_MS, Figures, Times
from games.live.wire import routing

TIMES: Final = {
    "commit": "From a decision to its commit.",
    "players": "From a commit to the sockets of all players on this process.",
    "spectators": "From a batch's close to the sockets of all spectators on this process.",
    "late": "How much later than due a batch was closed.",
}
COUNTS: Final = {
    "lines": "Log lines committed by this process.",
    "retries": "Commits tried again because the database was away.",
    "takeovers": "Tables taken over from another host.",
    "lost": "Leases lost to another process.",
    "rings": "Doorbells of other processes heard.",
    "resyncs": "Followers that could not keep up and were brought to the current round.",
}


class LiveCollector(Collector):
    """What a supervisor and its figures say at this moment; nothing while there is none."""

    def collect(self) -> Iterator[Metric]:
        """All families of metrics."""
        supervisor = routing.running()
        if supervisor is not None:
            yield from gauges(supervisor)
            yield from counters(supervisor.hub.figures)
            for name, help_text in TIMES.items():
                yield histogram(name, help_text, getattr(supervisor.hub.figures, name))


def gauges(supervisor: Supervisor) -> Iterator[Metric]:
    """What there is now."""
    phases = Counter(host.game.phase for host in supervisor.hosts.values())
    yield labelled("ratuki_live_matches", "Matches hosted here.", "phase", phases.items())
    kinds = supervisor.hub.sockets
    known = ((kind, kinds[kind]) for kind in ("player", "spectator", "open"))
    yield labelled("ratuki_sockets", "Sockets that follow a match.", "kind", known)


def labelled(
    name: str, help_text: str, label: str, values: Iterable[tuple[str, int]]
) -> GaugeMetricFamily:
    """A gauge with one label."""
    family = GaugeMetricFamily(name, help_text, labels=[label])
    for key, value in values:
        family.add_metric([key], value)
    return family


def counters(figures: Figures) -> Iterator[Metric]:
    """What has happened since the process started."""
    for name, help_text in COUNTS.items():
        yield CounterMetricFamily(f"ratuki_{name}", help_text, value=getattr(figures, name))
    refused = CounterMetricFamily("ratuki_refused", "Refused actions by rule.", labels=["rule"])
    for rule, count in figures.refused.items():
        refused.add_metric([rule], count)
    closed = CounterMetricFamily("ratuki_closed", "Sockets closed by code.", labels=["code"])
    for code, count in figures.closed.items():
        closed.add_metric([str(code)], count)
    yield from (refused, closed)


def histogram(name: str, help_text: str, times: Times) -> HistogramMetricFamily:
    """Durations in seconds, as Prometheus wants them."""
    edges = [*(str(edge / 1_000) for edge in EDGES_MS), "+Inf"]
    buckets = list(zip(edges, times.up_to(), strict=True))
    full = f"ratuki_{name}_seconds"
    return HistogramMetricFamily(full, help_text, buckets=buckets, sum_value=times.total_ms / 1_000)


registry: Final = CollectorRegistry()
for collector in (ProcessCollector, PlatformCollector, GCCollector):
    collector(registry=registry)
registry.register(LiveCollector())


def figures() -> tuple[str, str]:
    """The content type and the text of everything that is measured."""
    return CONTENT_TYPE_LATEST, generate_latest(registry).decode()
