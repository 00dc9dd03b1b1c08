"""What a process counts of reviews for its operator."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge
from prometheus_client.exposition import generate_latest

from replays.reviews.gathering import Gathering

KINDS: Final = ("leader", "member", "nameless")


class ReviewMetrics:
    """The reviews with somebody in this process, and their sockets."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._reviews = Gauge(
            "ratuki_reviews", "Reviews with somebody here.", registry=self.registry
        )
        self._sockets = Gauge(
            "ratuki_review_sockets", "Sockets in reviews.", ["kind"], registry=self.registry
        )
        self.commits = Counter(
            "ratuki_review_commits", "Changes of reviews committed here.", registry=self.registry
        )

    def exposition(self, gatherings: Iterable[Gathering]) -> str:
        """The text for these reviews as they are now."""
        kinds = dict.fromkeys(KINDS, 0)
        count = 0
        for gathering in gatherings:
            count += bool(gathering.followers)
            for follower in gathering.followers:
                kinds[_kind(follower.member, gathering.state.leader)] += 1
        self._reviews.set(count)
        for kind, sockets in kinds.items():
            self._sockets.labels(kind).set(sockets)
        return generate_latest(self.registry).decode()


def _kind(member: int, leader: int) -> str:
    if not member:
        return "nameless"
    return "leader" if member == leader else "member"
