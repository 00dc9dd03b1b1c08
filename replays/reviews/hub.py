"""The hub of reviews: one per process, with all its followers of reviews.

- Members' requests are judged (`replays.reviews.room`), committed, and only then announced.
  Changes that arrive meanwhile are judged together, at most once every `SPACING_MS`.
- A commit names the version that it is based on. If another process was quicker, its state is
  read and the changes are judged again, so no change is lost and none is made twice.
- Other processes learn of it by the doorbell or within `POLL_MS`.
- A note that a member has saved is sent to those who may read it.
- When rights may have changed, all are checked again at once, and every `READMIT_TICKS`.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any, Final

from games.live.fanout.close_codes import DONE, NO_SUCH_MATCH, RESTART, Close
from games.live.fanout.connection import WINDOW
from games.live.fanout.doorbell import Doorbell
from games.live.fanout.transport import DirectSend, Send
from games.live.host.clock import Clock, pause
from games.live.host.leases import StoreUnavailableError
from games.live.host.metrics import Metrics
from replays.reviews import frames
from replays.reviews.gathering import (
    AskedChange,
    Attendance,
    Entrant,
    Gathering,
    OpenedReview,
    ReviewFollower,
)
from replays.reviews.room import Change, Move, State
from replays.reviews.store_protocol import ReviewMetrics, ReviewNews, ReviewStore

SPACING_MS: Final = 200
"""The least time between two commits of a review."""
POLL_MS: Final = 500
TICK_MS: Final = 1_000
RETRY_MS: Final = 250
READMIT_TICKS: Final = 5
FORGET_MS: Final = 20_000
MOST_ASKED: Final = 200
"""The most that may wait to be judged in one review."""
_AT_ONCE: Final = 64
log: Final = logging.getLogger(__name__)


class _GoneError(Exception):
    """The review has been deleted."""


class ReviewHub:
    """All reviews with followers in this process. `wall` gives the wall clock's ms."""

    def __init__(
        self,
        store: ReviewStore,
        clock: Clock,
        wall: Callable[[], int],
        doorbell: Doorbell,
        *,
        metrics: Metrics | None = None,
    ) -> None:
        self.metrics = metrics or Metrics()
        self.review_metrics = ReviewMetrics()
        self._store = store
        self._clock = clock
        self._wall = wall
        self._bell = doorbell
        self._gatherings: dict[str, Gathering] = {}
        self._working: dict[str, asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._rung = asyncio.Event()
        self._closed = False
        self._ticks = 0

    # Coming and going

    def known(self, key: str) -> Gathering | None:
        """The review, if it has followers here."""
        return self._gatherings.get(key)

    async def catch_up(self, opened: OpenedReview) -> None:
        """Update a review with newly read data, so that an entering member gets the latest."""
        gathering = self._gatherings.get(opened.key)
        if gathering is not None:
            gathering.introduce(opened.members)
            gathering.subjects, gathering.answers = opened.subjects, opened.answers
            await self._learn(gathering, opened.state)

    def follow(
        self,
        opened: OpenedReview,
        entrant: Entrant,
        send: Send,
        direct: DirectSend | None = None,
        *,
        chat: bool = False,
    ) -> ReviewFollower:
        """Admit a connection to a review. It gets a welcome and everything so far."""
        now, wall = self._clock.now(), self._wall()
        gathering = self._gatherings.get(opened.key)
        if gathering is None:
            gathering = self._gatherings[opened.key] = Gathering(opened, now)
        gathering.introduce(opened.members)
        follower = ReviewFollower(
            gathering, entrant, send, self.metrics, wall_ahead=wall - now, direct=direct
        )
        gathering.followers[follower] = None
        gathering.gather(gathering.others, now)
        follower.say(frames.welcome(opened.key, entrant.number, WINDOW, chat=chat))
        if self._closed:
            follower.close(RESTART)
        follower.pump(now)
        return follower

    def unfollow(self, follower: ReviewFollower) -> None:
        follower.gone = True
        follower.gathering.followers.pop(follower, None)

    def drain(self) -> None:
        """Close all connections, and turn away new ones."""
        self._closed = True
        self.let_go(RESTART)

    def let_go(self, close: Close) -> None:
        """Close all connections. New ones are welcome."""
        for gathering in self._gatherings.values():
            self._close_all(gathering, close)

    def _close_all(self, gathering: Gathering, close: Close) -> None:
        now = self._clock.now()
        for follower in list(gathering.followers):
            follower.close(close)
            follower.pump(now)

    # What members say

    def ask(self, asker: ReviewFollower, wanted: Change) -> bool:
        """Queue a change. False if too many are waiting."""
        if isinstance(wanted, Move):
            wanted = Move(wanted.place._replace(at=self._wall()))
        return self._queue(asker.gathering, AskedChange(asker.member, wanted, asker))

    def _queue(self, gathering: Gathering, asked: AskedChange) -> bool:
        if len(gathering.asked) >= MOST_ASKED:
            return False
        gathering.asked.append(asked)
        if gathering.key not in self._working:
            task = asyncio.create_task(self._work(gathering), name=f"review {gathering.key}")
            self._working[gathering.key] = task
            task.add_done_callback(lambda done: self._worked(gathering, done))
        return True

    def _worked(self, gathering: Gathering, task: asyncio.Task[None]) -> None:
        del self._working[gathering.key]
        if task.cancelled():
            return
        if task.exception():
            log.error("a review's change failed", exc_info=task.exception())
        elif gathering.asked:
            last = gathering.asked.pop()
            self._queue(gathering, last)

    def _later(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # Commits

    async def _work(self, gathering: Gathering) -> None:
        while gathering.asked:
            changes, gathering.asked = gathering.asked, []
            try:
                await self._settle(gathering, changes)
            except _GoneError:
                gathering.asked.clear()
                self._close_all(gathering, NO_SUCH_MATCH)
                return
            await pause(self._clock, SPACING_MS)

    async def _settle(self, gathering: Gathering, changes: list[AskedChange]) -> None:
        """Commit what is changed, announce it, and answer."""
        while True:
            before = gathering.state
            state, refused = gathering.judge(changes)
            if state is before or await self._save_state(gathering, before.version, state):
                break
        for asker, code in refused:
            asker.say(frames.refusal(code))
            asker.pump(self._clock.now())
        if state is not before:
            await self._learn(gathering, state)
            self._bell.ring(gathering.key, state.version)

    async def _save_state(self, gathering: Gathering, base: int, state: State) -> bool:
        """Commit a state. False if it must be judged again, since there is a newer one.

        Raises _GoneError.
        """
        try:
            if await self._store.save(gathering.pk, base, state):
                self.review_metrics.commits.inc()
                return True
            newer = await self._store.news({gathering.pk: base})
            if not newer:
                raise _GoneError
            for news in newer:
                await self._take(gathering, news)
        except StoreUnavailableError as error:
            log.warning("a review waits for the database: %s", error)
            await pause(self._clock, RETRY_MS)
        return False

    async def _take(self, gathering: Gathering, news: ReviewNews) -> None:
        gathering.introduce(news.members)
        await self._learn(gathering, news.state)

    async def _learn(self, gathering: Gathering, state: State) -> None:
        """Take a committed state, and announce it."""
        before = gathering.state.version
        if not gathering.learn(state):
            return
        gathering.gather(gathering.others, self._clock.now())
        await self._tell(gathering)
        if state.ended:
            self._close_all(gathering, DONE)
        for version, key in state.noted:
            if version > before:
                await self._tell_note(gathering, key)

    async def _tell(self, gathering: Gathering) -> None:
        for count, follower in enumerate(list(gathering.followers)):
            if count % _AT_ONCE == _AT_ONCE - 1:
                await asyncio.sleep(0)
            follower.pump(self._clock.now())

    async def _tell_note(self, gathering: Gathering, key: str) -> None:
        try:
            note = await self._store.note(gathering.pk, key)
        except StoreUnavailableError:
            return  # a reload of the page shows it
        if note is None:
            return
        text = frames.note(note.match, note.text)
        for follower in list(gathering.followers):
            who = gathering.members.get(follower.member)
            may = note.readers is None or (who and who.account in note.readers)
            if may and not follower.withheld:  # it may be about a chapter withheld from them
                follower.say(text)
                follower.pump(self._clock.now())

    # Rights

    def rights_changed(self, subject: str) -> None:
        """Rights may have changed (`games.people.changes`): ask for those concerned."""
        for gathering in self._gatherings.values():
            if subject in gathering.subjects:
                self._later(self._readmit(gathering))
            elif subject and subject == gathering.answers and not gathering.answering:
                gathering.answering = True
                self._later(self._answered(gathering))

    async def _answered(self, gathering: Gathering) -> None:
        """Tell of all answers within a moment at once: a class may answer in one second."""
        await pause(self._clock, SPACING_MS)
        gathering.answering = False
        gathering.answered()
        await self._tell(gathering)

    async def _readmit(self, gathering: Gathering) -> None:
        """Check everyone's rights. Members who have lost theirs are disconnected."""
        followers = [follower for follower in gathering.followers if not follower.closed]
        try:
            admissions = await self._store.admissions(
                gathering.key, [follower.visitor for follower in followers]
            )
        except StoreUnavailableError:
            return  # it is asked again soon
        for follower, admission in zip(followers, admissions, strict=True):
            follower.readmit(admission)
            follower.pump(self._clock.now())

    def exposition(self) -> str:
        return self.review_metrics.exposition(self._gatherings.values())

    # Services

    def services(self) -> Sequence[Callable[[], Awaitable[None]]]:
        """The tasks that must be kept running."""
        return self.poll, self.tick, self.forget

    def rung(self, key: str, _version: int) -> None:
        """Handle a ring from another process: a review has news."""
        if key in self._gatherings:
            self._rung.set()

    async def poll(self) -> None:
        """Learn what other processes have changed, until cancelled."""
        while True:
            self._rung.clear()
            await self.look()
            await self._clock.wait(self._rung, self._clock.now() + POLL_MS)

    async def look(self) -> None:
        held = {
            gathering.pk: gathering
            for gathering in self._gatherings.values()
            if gathering.key not in self._working
        }
        if not held:
            return
        known = {pk: gathering.state.version for pk, gathering in held.items()}
        for news in await self._store.news(known):
            await self._take(held[news.pk], news)

    async def tick(self) -> None:
        """See who is here, and whether a leader has gone, until cancelled."""
        while True:
            await pause(self._clock, TICK_MS)
            await self.attend()

    async def forget(self) -> None:
        """End questions that classes have forgotten, until cancelled."""
        while True:
            await pause(self._clock, FORGET_MS)
            await self._store.end_forgotten()

    async def attend(self) -> None:
        """See who is here, here and elsewhere."""
        held = {gathering.pk: gathering for gathering in self._gatherings.values()}
        if not held:
            return
        self._ticks += 1
        if self._ticks % READMIT_TICKS == 0:
            for gathering in held.values():
                await self._readmit(gathering)
        here = {pk: gathering.attendance() for pk, gathering in held.items()}
        elsewhere, members = await self._store.attend(here)
        now = self._clock.now()
        for pk, gathering in held.items():
            gathering.introduce(members.get(pk, {}))
            if gathering.gather(elsewhere.get(pk, Attendance()), now):
                await self._tell(gathering)
            self._check(gathering, now)

    def _check(self, gathering: Gathering, now: int) -> None:
        for follower in list(gathering.followers):
            follower.check(now)
            follower.pump(now)
        succeed = gathering.succession(now)
        if succeed is not None:
            self._queue(gathering, AskedChange(0, succeed))
        if not gathering.followers and gathering.key not in self._working:
            self._gatherings.pop(gathering.key, None)
