"""The hub: one per process, with every follower connected here.

- A host's commits arrive through `publish` and go out to players at once, then, in batches, to
  spectators. Matches hosted by other processes arrive through `update`.
- Players' requests go to the host: directly if it is here, otherwise through the relay.
- Each second the hub reports to each match's host the people present, with their lags.

Nothing here waits for a follower.
"""

import asyncio
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final, Protocol

from games.live.fanout import frames
from games.live.fanout.broadcast import Broadcast
from games.live.fanout.close_codes import DONE, LEFT, NOT_ALLOWED, RESTART, Close
from games.live.fanout.connection import WINDOW
from games.live.fanout.follower import Follower
from games.live.fanout.frames import OPEN, SPECTATOR, View
from games.live.fanout.pieces import Crowd
from games.live.fanout.transport import DirectSend, Send
from games.live.host.client_frames import Command, Hello, Leave
from games.live.host.clock import Clock
from games.live.host.leases import LogTail, LogUpdate
from games.live.host.metrics import Metrics
from games.live.host.presence import MOST_NAMES
from games.live.host.requests import ActionRequest, Answer, ConnectionId, LogEntry, PresenceReport
from games.records.digests import first_digest
from games.records.log import Header
from games.tables.plan import Plan
from games.tables.state import MatchState

BATCH_MS: Final = 250
"""How long events are collected for spectators, with up to `CROWD` followers in this process."""
CROWD: Final = 500
MOST_BATCH_MS: Final = 500
"""How long at most, with more followers: their frames cost most."""
MOST_WATCHERS: Final = 2_000
REPORT_MS: Final = 1_000
CROWD_MS: Final = 10_000
"""A match that no one has asked for by pieces for this long has no crowd."""
_AT_ONCE: Final = 64
"""After this many spectators, other tasks get a turn."""


class HostLink(Protocol):
    """Where hosts are reached, here or in another process."""

    def request(self, match: str, request: ActionRequest) -> None:
        """Pass an action to the match's host."""

    def command(self, match: str, seat: int, command: Command) -> None:
        """Pass a command to the match's host."""

    def report_presence(self, match: str, report: PresenceReport) -> None:
        """Tell the match's host who is present."""


class Hub:
    """All followers of one process, by match."""

    def __init__(self, process: str, clock: Clock, hosts: HostLink) -> None:
        self.process = process
        self._clock = clock
        self._hosts = hosts
        self._broadcasts: dict[str, Broadcast] = {}
        self._followers: dict[str, dict[ConnectionId, Follower]] = {}
        self._players: dict[str, dict[ConnectionId, Follower]] = {}
        self._numbers = 0
        self._reports = 0
        self._closed = False
        self.metrics = Metrics()
        self.crowds: dict[str, Crowd] = {}
        """Spectators by pieces, by match."""
        self.most_watchers = MOST_WATCHERS
        """With so many spectators here, further ones follow by pieces where they can."""
        self._watchers = 0

    # Channels

    def broadcast(self, match: str) -> Broadcast | None:
        """A match's broadcast, if anyone here follows or hosts it."""
        return self._broadcasts.get(match)

    def open(self, tail: LogTail) -> Broadcast:
        """Add a match, starting from the end of its log as read. A known one is updated."""
        broadcast = self._broadcasts.get(tail.match)
        if broadcast is None:
            broadcast = self._broadcasts[tail.match] = Broadcast(tail, self._clock.now())
            self._followers[tail.match], self._players[tail.match] = {}, {}
            return broadcast
        if broadcast.clock is None or broadcast.end > 1:
            self.reseat(tail.plan)
        if tail.end > broadcast.end or tail.epoch > broadcast.epoch:
            self._catch_up(broadcast, tail)
        return broadcast

    def _broadcast_of(self, broadcast: Broadcast) -> Broadcast:
        """The match's broadcast as held now: it may have been dropped during a lookup."""
        match = broadcast.plan.id
        self._followers.setdefault(match, {})
        self._players.setdefault(match, {})
        return self._broadcasts.setdefault(match, broadcast)

    def _catch_up(self, broadcast: Broadcast, tail: LogTail) -> None:
        taken_over = tail.epoch > broadcast.epoch
        broadcast.epoch, broadcast.over = tail.epoch, tail.over
        if tail.state:
            broadcast.set_state(tail.state, self._clock.now())
        broadcast.catch_up(tail, self._clock.now())
        self.answer(tail.match)
        if taken_over:
            self._ask_again(tail.match)

    def remote(self) -> dict[str, int]:
        """The matches held here and hosted elsewhere, with their next seq."""
        return {
            match: broadcast.end
            for match, broadcast in self._broadcasts.items()
            if broadcast.clock is None and not broadcast.over
        }

    def reseat(self, plan: Plan) -> None:
        """Close connections that lost their seat, or that used a key which has changed.

        After the first deal a seat changes hands only when a guest opens an account.
        """
        broadcast = self._broadcasts.get(plan.id)
        if broadcast is None:
            return
        if broadcast.end > 1:
            broadcast.plan = broadcast.plan.claimed(plan)
            return
        before, broadcast.plan = broadcast.plan, plan
        for seat, place in enumerate(before.places):
            if plan.places[seat].person != place.person:
                self.close_seat(plan.id, seat, NOT_ALLOWED)
        if plan.key != before.key:
            for follower in list(self._followers[plan.id].values()):
                if not follower.player:
                    follower.close(NOT_ALLOWED)
                    follower.pump(self._clock.now())

    @property
    def sockets(self) -> Counter[str]:
        """The number of followers: players, spectators, spectators of open hands."""
        kinds = {SPECTATOR: "spectator", OPEN: "open"}
        return Counter(
            kinds.get(follower.view, "player")
            for followers in self._followers.values()
            for follower in followers.values()
        )

    @property
    def room(self) -> int:
        """How many more spectators get a socket although they could follow by pieces."""
        return max(0, self.most_watchers - self._watchers)

    # Joining and leaving

    def follow(
        self,
        broadcast: Broadcast,
        view: View,
        hello: Hello,
        send: Send,
        direct: DirectSend | None = None,
    ) -> Follower:
        """Make a connection follow a match. It gets a welcome and the lines so far."""
        now, broadcast = self._clock.now(), self._broadcast_of(broadcast)
        self._numbers += 1
        connection = ConnectionId(self.process, self._numbers)
        follower = Follower(connection, view, broadcast, send, self.metrics, direct=direct)
        follower.who = hello.viewer or connection
        seq = follower.begin(hello.epoch, hello.seq, now)
        end = broadcast.end_for(view, now)
        clock = broadcast.now_for(view, end, now)
        place = {"seq": seq, "round": broadcast.round_at(max(end - 1, 0)), "now": clock}
        welcome = frames.welcome(
            broadcast.plan, broadcast.epoch, view, place, WINDOW, chat=hello.chat
        )
        follower.say(welcome)
        follower.queue_state(now)
        self._followers[broadcast.plan.id][connection] = follower
        if follower.player:
            self._players[broadcast.plan.id][connection] = follower
        else:
            self._watchers += 1
        if self._closed:
            follower.close(RESTART)
        follower.pump(now)
        if follower.player:
            self.report_presence(broadcast.plan.id)
        return follower

    def unfollow(self, follower: Follower) -> None:
        follower.gone = True
        match = follower.broadcast.plan.id
        self._followers[match].pop(follower.connection, None)
        if self._players[match].pop(follower.connection, None):
            self.report_presence(match)
        else:
            self._watchers -= 1

    def close_seat(self, match: str, seat: int, close: Close = DONE) -> None:
        for follower in list(self._players.get(match, {}).values()):
            if follower.view == seat:
                follower.close(close)
                follower.pump(self._clock.now())

    def drain(self) -> None:
        """Close all connections, and turn away new ones."""
        self._closed = True
        self.let_go(RESTART)

    def let_go(self, close: Close) -> None:
        """Close all connections. New ones are welcome."""
        now = self._clock.now()
        for followers in self._followers.values():
            for follower in list(followers.values()):
                follower.close(close)
                follower.pump(now)

    # From followers

    def request(self, follower: Follower, name: str, number: int, action: Any) -> None:
        """A player asks for an action in round `number`."""
        now = self._clock.now()
        match = follower.broadcast.plan.id
        mates = (f for f in self._players[match].values() if f.view == follower.view)
        floor = max(mate.floor(now) for mate in mates)
        request = ActionRequest(follower.connection, name, number, action, floor)
        follower.ask(request)
        self._hosts.request(match, request)

    def _ask_again(self, match: str) -> None:
        """Resend unanswered actions: a new host may not know of them."""
        for follower in list(self._players[match].values()):
            for request in list(follower.requests.values()):
                self._hosts.request(match, request)

    def command(self, follower: Follower, command: Command) -> None:
        """A player sends a command that is not an action."""
        match = follower.broadcast.plan.id
        self._hosts.command(match, follower.view, command)
        if isinstance(command, Leave):
            self.close_seat(match, follower.view, LEFT)

    def got(self, follower: Follower, seq: int) -> None:
        now = self._clock.now()
        follower.got(seq, now)
        follower.pump(now)

    # From hosts

    def begin(self, match: str, header: Header) -> None:
        broadcast = self._broadcasts.get(match)
        if broadcast is not None:
            broadcast.anchor(1, first_digest(header))

    def publish(
        self, match: str, seq: int, entries: Sequence[LogEntry], answers: Sequence[Answer]
    ) -> None:
        """Lines of a match hosted here are committed, with the answers to its players."""
        now = self._clock.now()
        broadcast = self._broadcasts.get(match)
        if broadcast is None:
            return
        broadcast.extend(seq, [entry.line for entry in entries], now)
        self.answer(match, answers)
        self._pump_players(match, now)
        self._count(entries, answers, now)

    def _count(self, entries: Sequence[LogEntry], answers: Sequence[Answer], now: int) -> None:
        self.metrics.lines.inc(len(entries))
        for answer in answers:
            if not isinstance(answer.result, int):
                self.metrics.refused.labels(answer.result.rule).inc()
        if entries:
            self.metrics.players.observe((self._clock.now() - now) / 1_000)

    def answer(self, match: str, answers: Iterable[Answer] = ()) -> None:
        """Send answers to those askers who are connected here, with those that waited."""
        broadcast = self._broadcasts.get(match)
        if broadcast is None:
            return
        for answer in broadcast.answerable(answers):
            for connection in answer.connections:
                follower = self._followers[match].get(connection)
                if follower is not None:
                    follower.tell(answer)
                    follower.pump(self._clock.now())

    def publish_state(self, match: str, state: MatchState) -> None:
        broadcast = self._broadcasts.get(match)
        if broadcast is None:
            return
        now = self._clock.now()
        broadcast.set_state(state, now)
        self._pump_players(match, now)

    def update(self, news: LogUpdate) -> bool:
        """A match hosted elsewhere has news. False if earlier lines are missing."""
        now = self._clock.now()
        broadcast = self._broadcasts.get(news.match)
        if broadcast is None:
            return True
        if news.epoch > broadcast.epoch:
            self._ask_again(news.match)
        broadcast.epoch, broadcast.over = news.epoch, news.over
        if news.plan is not None:
            self.reseat(news.plan)
        broadcast.anchor(news.seq, news.before)
        if not broadcast.extend(news.seq, news.lines, now):
            return False
        self.answer(news.match)
        if news.state and broadcast.state != news.state:
            self.publish_state(news.match, news.state)
        self._pump_players(news.match, now)
        return True

    def _pump_players(self, match: str, now: int) -> None:
        for follower in list(self._players[match].values()):
            follower.queue_state(now)
            follower.pump(now)

    # Time

    async def run(self) -> None:
        """Send batches and presence reports until cancelled."""
        never = asyncio.Event()
        due = self._clock.now()
        reports = 0
        while True:
            period = batch_ms(sum(map(len, self._followers.values())))
            due = max(due + period, self._clock.now())
            await self._clock.wait(never, due)
            self.metrics.late.observe((self._clock.now() - due) / 1_000)
            await self.batch()
            reports += period
            if reports >= REPORT_MS:
                reports = 0
                self._report_all()

    async def batch(self) -> None:
        """Release what has arrived to spectators, a few at a time."""
        count = 0
        for match, broadcast in list(self._broadcasts.items()):
            begun, news = self._clock.now(), broadcast.close_batch()
            for follower in list(self._followers[match].values()):
                count += 1
                if count % _AT_ONCE == 0:
                    await asyncio.sleep(0)
                self._serve(follower, broadcast, news)
            if news and self._followers[match]:
                self.metrics.spectators.observe((self._clock.now() - begun) / 1_000)

    def _serve(self, follower: Follower, broadcast: Broadcast, news: bool) -> None:
        now = self._clock.now()
        follower.check(now)
        news |= follower.queue_state(now)
        if broadcast.over and follower.served:
            follower.close(DONE)
        if news or follower.view != SPECTATOR or follower.closed:
            follower.pump(now)

    def _report_all(self) -> None:
        now = self._clock.now()
        for match, crowd in list(self.crowds.items()):
            if now - crowd.asked > CROWD_MS:
                del self.crowds[match]
        for match, followers in list(self._followers.items()):
            broadcast, crowded = self._broadcasts[match], match in self.crowds
            if followers or (crowded and not broadcast.over):  # then no host waits for a report
                self.report_presence(match)
            elif not crowded and broadcast.clock is None:
                del self._broadcasts[match], self._followers[match], self._players[match]

    def report_presence(self, match: str) -> None:
        lags: dict[int, int | None] = {}
        players = self._players[match]
        others = {f.who for key, f in self._followers[match].items() if key not in players}
        crowd = self.crowds.get(match)
        watching = len(others) + (crowd.size(self._clock.now()) if crowd else 0)
        for follower in players.values():
            if not follower.gone:
                known = (lags.get(follower.view), follower.lag)
                lags[follower.view] = min((lag for lag in known if lag is not None), default=None)
        names = sorted({f.name for f in self._followers[match].values() if f.name})
        self._reports += 1
        report = PresenceReport(
            self.process, lags, watching, tuple(names[:MOST_NAMES]), self._reports
        )
        self._hosts.report_presence(match, report)


def batch_ms(followers: int) -> int:
    """How long events are collected for spectators when a process has so many followers."""
    return min(MOST_BATCH_MS, max(BATCH_MS, BATCH_MS * followers // CROWD))
