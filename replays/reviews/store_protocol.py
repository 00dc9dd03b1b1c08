"""What the hub of reviews asks of its store."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, Protocol

from games.people.visitor import Visitor
from replays.reviews.frames import Who
from replays.reviews.gathering import Admission, Attendance
from replays.reviews.room import State


class ReviewNews(NamedTuple):
    """A review that another process has changed."""

    pk: int
    state: State
    members: Mapping[int, Who]


class Attended(NamedTuple):
    """Who is in which review through other processes, and who those members are."""

    elsewhere: Mapping[int, Attendance]
    members: Mapping[int, Mapping[int, Who]]


class ShownNote(NamedTuple):
    """A note on a match as JSON, and whose accounts may read it; None: everybody."""

    match: int
    text: str
    readers: Collection[int] | None


class ReviewStore(Protocol):
    """What reviews need from the store. Every method may raise StoreUnavailableError."""

    async def save(self, review: int, base: int, state: State) -> bool:
        """Commit a state based on version `base`; False if that is not the latest any more."""

    async def news(self, known: Mapping[int, int]) -> list[ReviewNews]:
        """Those of these reviews that have a later version than the known one."""

    async def attend(self, here: Mapping[int, Attendance]) -> Attended:
        """Store who is here, by review; returns who is here through other processes."""

    async def end_forgotten(self) -> None:
        """End the questions to classes that are forgotten."""

    async def note(self, review: int, key: str) -> ShownNote | None:
        """A note on what is reviewed, unless only its author may read it."""

    async def admissions(self, key: str, visitors: Sequence[Visitor]) -> list[Admission | None]:
        """Each visitor's rights in a review now; None: it does not exist for them."""
