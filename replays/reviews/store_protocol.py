"""The store's operations for the hub of reviews, and its counts for the site's operator."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, NamedTuple, Protocol

from prometheus_client import CollectorRegistry, Counter, Gauge
from prometheus_client.exposition import generate_latest

from games.people.visitor import Visitor
from replays.reviews.frames import Who
from replays.reviews.gathering import Admission, Attendance, Gathering
from replays.reviews.room import State

KINDS: Final = ("leader", "member", "nameless")


class ReviewNews(NamedTuple):
    """A review that another process has changed."""

    pk: int
    state: State
    members: Mapping[int, Who]


class Attended(NamedTuple):
    """The people in reviews through other processes, with these members' names."""

    elsewhere: Mapping[int, Attendance]
    members: Mapping[int, Mapping[int, Who]]


class ShownNote(NamedTuple):
    """A note on a match as JSON, and the accounts that may read it. None: everyone."""

    match: int
    text: str
    readers: Collection[int] | None


class ReviewStore(Protocol):
    """The store's operations for reviews. Every method may raise StoreUnavailableError."""

    async def save(self, review: int, base: int, state: State) -> bool:
        """Commit a state based on version `base`. False if that is not the latest any more."""

    async def news(self, known: Mapping[int, int]) -> list[ReviewNews]:
        """Those of these reviews that have a later version than the known one."""

    async def attend(self, here: Mapping[int, Attendance]) -> Attended:
        """Store the people present, by review. Returns those present through other processes."""

    async def end_forgotten(self) -> None:
        """End the questions to classes that are forgotten."""

    async def note(self, review: int, key: str) -> ShownNote | None:
        """A note on a reviewed match, unless only its author may read it."""

    async def admissions(self, key: str, visitors: Sequence[Visitor]) -> list[Admission | None]:
        """Each visitor's rights in a review now. None: it does not exist for them."""


class ReviewMetrics:
    """The reviews with followers in this process, and their sockets."""

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
