"""A review as one process knows it: its state, the people present, and each member's frames.

Nothing here waits, and time comes from outside: `now` is this process's monotonic clock, `wall` the
wall clock, both in ms. The law is in `replays.reviews.room`.

- A state replaces an older one only, so news may come late, twice or in any order.
- A frame is written once for all who lack the same things.
- A leader who is in no process for `GONE_MS` has gone. A process that has just opened the
  review gives the leader the same time to come back.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from games.live.fanout.close_codes import NO_SUCH_MATCH, NOT_ALLOWED
from games.live.fanout.connection import Connection
from games.live.fanout.transport import DirectSend, Send
from games.live.host.metrics import Metrics
from games.people.visitor import STRANGER, Visitor
from replays.reviews import frames
from replays.reviews.frames import Here, Who
from replays.reviews.room import (
    Change,
    Mute,
    Pass,
    RefusedError,
    State,
    Succeed,
    change,
    committed,
    lender,
    successor,
)

GONE_MS: Final = 20_000
"""After how long without its leader a review gets another one."""
MOST_SHOWN: Final = 40
"""How many members are shown by name."""
FRESH_MS: Final = 500
"""A frame this old is written again, since it has the time."""


class Attendance(NamedTuple):
    """The people present through one process: members, and the number of people without a name.

    A member who follows on one screen and looks around on another is not `detached`.
    """

    members: tuple[int, ...] = ()
    others: int = 0
    detached: tuple[int, ...] = ()
    others_detached: int = 0

    def joined(self, more: Attendance) -> Attendance:
        """With those who are here through another process."""
        members = {*self.members, *more.members}
        follow = ({*self.members} - {*self.detached}) | ({*more.members} - {*more.detached})
        return Attendance(
            tuple(sorted(members)),
            self.others + more.others,
            tuple(sorted(members - follow)),
            self.others_detached + more.others_detached,
        )


class OpenedReview(NamedTuple):
    """A review as read from the store."""

    pk: int
    key: str
    state: State
    members: Mapping[int, Who]
    subjects: frozenset[str] = frozenset()
    """The changes (`games.people.changes`) after which rights in it are asked again."""
    answers: str = ""
    """The subject of answers to the questions that its class is, or its readers are, asked."""


class Admission(NamedTuple):
    """Whether a visitor may be in a review, and the chapters that are withheld from them."""

    allowed: bool
    withheld: frozenset[int] = frozenset()


class Entrant(NamedTuple):
    """A visitor who may enter: their number in the review, 0 without a name, and their rights."""

    number: int
    visitor: Visitor = STRANGER
    admission: Admission = Admission(True)


class AskedChange(NamedTuple):
    """A requested change. `by` is 0 for nameless people and the process itself."""

    by: int
    wanted: Change
    asker: ReviewFollower | None = None


class Gathering:
    """One review in this process."""

    def __init__(self, opened: OpenedReview, now: int) -> None:
        self.pk, self.key, self.subjects = opened.pk, opened.key, opened.subjects
        self.answers = opened.answers
        self.state = opened.state
        self.members: dict[int, Who] = dict(opened.members)
        self.followers: dict[ReviewFollower, None] = {}
        self.others = Attendance()
        self.asked: list[AskedChange] = []
        self.seq = 1
        """Rises whenever there is news."""
        self._here = Here()
        self._here_since = 0
        self.answering = False
        """Whether it will soon send news of an answer."""
        self._answered = self._answered_since = 0
        self._led = self.state.leader
        self._leader_seen = now
        self._frames: dict[tuple[int, int, frozenset[int]], tuple[int, str]] = {}
        self._changed()

    def _changed(self) -> None:
        self.seq += 1
        self._frames.clear()

    # The state

    def learn(self, state: State) -> bool:
        """Take a committed state, if it is newer than the known one."""
        if state.version <= self.state.version:
            return False
        self.state = state
        self._changed()
        return True

    def introduce(self, members: Mapping[int, Who]) -> None:
        """Take members' names."""
        self.members.update(members)

    def judge(self, changes: list[AskedChange]) -> tuple[State, list[tuple[ReviewFollower, str]]]:
        """The state to commit after these changes, and why some of them are refused."""
        state, refused = self.state, []
        for asked in changes:
            try:
                self._need_member(asked.wanted)
                state = change(state, asked.by, asked.wanted)
            except RefusedError as error:
                if asked.asker is not None:
                    refused.append((asked.asker, str(error.args[0])))
        return (state if state is self.state else committed(state)), refused

    def _need_member(self, wanted: Change) -> None:
        """Nobody leads, or is muted, who has never been here."""
        named = wanted.to if isinstance(wanted, Pass) else None
        named = wanted.member if isinstance(wanted, Mute) else named
        if named is not None and named not in self.members and named not in self.present():
            raise RefusedError("no-such")

    # The people present

    def attendance(self) -> Attendance:
        """The people present through this process."""
        here = [follower for follower in self.followers if not follower.gone]
        follow = {follower.member for follower in here if not follower.detached}
        named = {follower.member for follower in here} - {0}
        nameless = [follower.detached for follower in here if not follower.member]
        detached = tuple(sorted(named - follow))
        return Attendance(tuple(sorted(named)), len(nameless), detached, sum(nameless))

    def present(self) -> set[int]:
        """The members who are here, through any process."""
        return {*self._everybody().members}

    def _everybody(self) -> Attendance:
        return self.attendance().joined(self.others)

    def gather(self, others: Attendance, now: int) -> bool:
        """Add the people from other processes. Returns whether the list of people has changed."""
        self.others = others
        everybody, leader = self._everybody(), self.state.leader
        if self._led != leader or leader in everybody.members:
            self._led, self._leader_seen = leader, now
        here = self._present_members(everybody)
        if here == self._here:
            return False
        self._here = here
        self._changed()
        self._here_since = self.seq
        return True

    def _present_members(self, everybody: Attendance) -> Here:
        members, others, detached, others_detached = everybody
        first = (1, self.state.leader, *(hand.member for hand in self.state.hands))
        order = dict.fromkeys((*(n for n in first if n in members), *sorted(members)))
        shown = tuple(sorted([*order][:MOST_SHOWN]))
        away = {*detached} - {self.state.leader}
        return Here(
            shown,
            len(members) + others,
            tuple(n for n in shown if n in away),
            len(away) + others_detached,
        )

    def answered(self) -> None:
        """Somebody has come to a question, or answered it."""
        self._answered += 1
        self._changed()
        self._answered_since = self.seq

    def succession(self, now: int) -> Succeed | None:
        """The next leader, if the leader has gone, or if the one who had gone is back."""
        state, here = self.state, self.present()
        if state.ended:
            return None
        to = lender(state, here)
        if to is None and self._led == state.leader and now - self._leader_seen >= GONE_MS:
            to = successor(state, sorted(here))
        return None if to is None else Succeed(state.leader, to)

    # Frames

    def frame(
        self, version: int, sent: int, now: int, wall: int, withheld: frozenset[int] = frozenset()
    ) -> str:
        """The news for who knows this version, and everything else up to seq `sent`."""
        kept = self._frames.get((version, sent, withheld))
        if kept is not None and now - kept[0] < FRESH_MS:
            return kept[1]
        parts = frames.state_parts(self.state, version, self.members, withheld)
        if self._here_since > sent:
            parts |= frames.here_part(self._here, self.members)
        if self._answered_since > sent and not self.withheld(withheld):
            parts["answered"] = self._answered
        text = frames.news(self.seq, wall, parts)
        self._frames[version, sent, withheld] = now, text
        return text

    def withheld(self, chapters: frozenset[int]) -> bool:
        """Whether the leader is in one of these chapters."""
        return self.state.place.position.chapter in chapters


class ReviewFollower(Connection):
    """One connection to a review. `member` is 0 for someone without a name."""

    def __init__(
        self,
        gathering: Gathering,
        entrant: Entrant,
        send: Send,
        metrics: Metrics,
        *,
        wall_ahead: int,
        direct: DirectSend | None = None,
    ) -> None:
        super().__init__(send, metrics, direct)
        self.gathering = gathering
        self.member, self.visitor, (_, self._closed_chapters) = entrant
        self.detached = False
        """Whether this page says that its viewer looks around."""
        self._wall_ahead = wall_ahead
        """How far the wall clock is ahead of this process's."""
        self._version = -1
        self._sent = 0

    @property
    def room(self) -> str:
        return self.gathering.key

    @property
    def withheld(self) -> frozenset[int]:
        """The chapters that are closed to this member."""
        return self._closed_chapters

    @property
    def deaf(self) -> bool:
        """Whether the review is in a chapter that is closed to this member."""
        return self.gathering.withheld(self.withheld)

    @property
    def current(self) -> bool:
        """Whether it has been sent everything."""
        return self._sent == self.gathering.seq

    def readmit(self, admission: Admission | None) -> None:
        """Set the visitor's present rights. Lost ones close the connection."""
        if admission is None or not admission.allowed:
            self.close(NO_SUCH_MATCH if admission is None else NOT_ALLOWED)
        elif admission.withheld != self.withheld:
            self._closed_chapters = admission.withheld
            self._version, self._sent = -1, 0

    def _more(self, now: int) -> str | None:
        if self.current:
            return None
        gathering = self.gathering
        wall = now + self._wall_ahead
        text = gathering.frame(self._version, self._sent, now, wall, self.withheld)
        self._version, self._sent = gathering.state.version, gathering.seq
        self._flight.append((self._sent, now))
        return text

    def got(self, seq: int) -> None:
        """The client has received everything up to `seq`."""
        if seq <= self._sent:
            self._land(seq)
