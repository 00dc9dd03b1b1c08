"""A process's counts and measurements for its operator. Nothing depends on it.

Each `Metrics` has a registry of its own, so that a process can have several (tests do), and the
code that exposes them chooses which.
"""

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

BUCKETS_S: Final = (0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)


class Metrics:
    """One process's counters, gauges and histograms."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.matches = Gauge(
            "ratuki_live_matches", "Matches hosted here.", ["phase"], registry=self.registry
        )
        self.sockets = Gauge(
            "ratuki_sockets", "Sockets that follow a match.", ["kind"], registry=self.registry
        )
        self.lines = self._counter("lines", "Log lines committed by this process.")
        self.retries = self._counter(
            "retries", "Commits tried again because the database was unavailable."
        )
        self.takeovers = self._counter("takeovers", "Tables taken over from another host.")
        self.lost = self._counter("lost", "Leases lost to another process.")
        self.rings = self._counter("rings", "Doorbells of other processes heard.")
        self.resyncs = self._counter(
            "resyncs", "Followers that could not keep up and were brought to the current round."
        )
        self.refused = self._counter("refused", "Refused actions by rule.", "rule")
        self.closed = self._counter("closed", "Sockets closed from this side, by code.", "code")
        self.pieces = self._counter(
            "pieces", "Responses to spectators by pieces, by status.", "status"
        )
        self.commit = self._histogram("commit", "From a decision to its commit.")
        self.players = self._histogram(
            "players", "From a commit to the sockets of all players on this process."
        )
        self.spectators = self._histogram(
            "spectators", "From a batch's close to the sockets of all spectators on this process."
        )
        self.late = self._histogram(
            "late", "How much later than due a batch was closed: the event loop's lag."
        )

    def _counter(self, name: str, help_text: str, *labels: str) -> Counter:
        return Counter(f"ratuki_{name}", help_text, labels, registry=self.registry)

    def _histogram(self, name: str, help_text: str) -> Histogram:
        return Histogram(
            f"ratuki_{name}_seconds", help_text, buckets=BUCKETS_S, registry=self.registry
        )
