"""The hub: one a process, with every follower that is connected here.

- What a host commits comes in through `told` and goes out to the players at once, then, in
  batches, to spectators. Matches hosted by other processes come in through `heard`.
- What players ask for goes to the host: at once where it is here, else by an errand.
- Each second the hub calls the roll of each match for its host: who is here, with which lag.

Nothing here waits for a follower.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Protocol

from games.live.fanout import frames
from games.live.fanout.broadcast import Channel
from games.live.fanout.close_codes import DONE, NOT_ALLOWED, RESTART, Close
from games.live.fanout.follower import WINDOW, Follower
from games.live.fanout.frames import OPEN, SPECTATOR, View
from games.live.fanout.transport import Direct, Send
from games.live.host.clock import Clock
from games.live.host.leases import News, Tail
from games.live.host.messages import Answer, Ask, Asker, Entry, Hello, Leave, Roll, Wish
from games.live.host.metrics import Figures
from games.live.host.presence import MOST_NAMES
from games.tables.plan import Plan

BATCH_MS: Final = 250
"""How long what happens is gathered for spectators."""
ROLL_MS: Final = 1_000
MOST_ASKS: Final = 32
"""How many unanswered actions of a connection are remembered."""
_AT_ONCE: Final = 64
"""After so many spectators, others get their turn."""


class Desk(Protocol):
    """Where what players ask for goes."""

    def ask(self, match: str, ask: Ask) -> None:
        """Bring an action to the match's host."""

    def wish(self, match: str, seat: int, wish: Wish) -> None:
        """Bring a wish to the match's host."""

    def call(self, match: str, roll: Roll) -> None:
        """Tell the match's host who is here."""


class Hub:
    """All followers of one process, by match."""

    def __init__(self, process: str, clock: Clock, desk: Desk) -> None:
        self.process = process
        self._clock = clock
        self._desk = desk
        self._channels: dict[str, Channel] = {}
        self._followers: dict[str, dict[Asker, Follower]] = {}
        self._players: dict[str, dict[Asker, Follower]] = {}  # those of them that have a seat
        self._numbers = 0
        self._rolls = 0
        self._closed = False
        self.figures = Figures()

    # Channels

    def channel(self, match: str) -> Channel | None:
        """What this process knows of a match, if anybody follows it or it is hosted here."""
        return self._channels.get(match)

    def open(self, tail: Tail) -> Channel:
        """Hold a match, from its log's end as it was read; one that is held is brought forward."""
        channel = self._channels.get(tail.match)
        if channel is None:
            channel = self._channels[tail.match] = Channel(tail, self._clock.now())
            self._followers[tail.match], self._players[tail.match] = {}, {}
            return channel
        if channel.clock is None or channel.end > 1:
            self.reseat(tail.plan)
        if tail.end > channel.end or tail.epoch > channel.epoch:
            self._catch_up(channel, tail)
        return channel

    def _held(self, channel: Channel) -> Channel:
        """That match's channel as it is held now: while somebody was asked who they are, it may
        have been let go of."""
        match = channel.plan.id
        self._followers.setdefault(match, {})
        self._players.setdefault(match, {})
        return self._channels.setdefault(match, channel)

    def _catch_up(self, channel: Channel, tail: Tail) -> None:
        taken_over = tail.epoch > channel.epoch
        channel.epoch, channel.over = tail.epoch, tail.over
        if tail.state:
            channel.tell(tail.state, self._clock.now())
        if tail.seq <= channel.end:
            channel.extend(tail.seq, tail.lines, self._clock.now())
        if taken_over:
            self._ask_again(tail.match)

    def remote(self) -> dict[str, int]:
        """The matches that are held here and hosted elsewhere, with their next seq."""
        return {
            match: channel.end
            for match, channel in self._channels.items()
            if channel.clock is None and not channel.over
        }

    def reseat(self, plan: Plan) -> None:
        """Who sits where, or the key, has changed; who lost a seat or came by the old key must go.

        After the first deal a seat changes hands only when a guest takes an account.
        """
        channel = self._channels.get(plan.id)
        if channel is None:
            return
        if channel.end > 1:
            channel.plan = channel.plan.claimed(plan)
            return
        before, channel.plan = channel.plan, plan
        for seat, place in enumerate(before.places):
            if plan.places[seat].person != place.person:
                self.close_seat(plan.id, seat, NOT_ALLOWED)
        if plan.key != before.key:
            self._close_spectators(plan.id)

    def _close_spectators(self, match: str) -> None:
        for follower in list(self._followers[match].values()):
            if not follower.player:
                follower.close(NOT_ALLOWED)
                follower.pump(self._clock.now())

    @property
    def sockets(self) -> Counter[str]:
        """How many followers there are: players, spectators, spectators of open hands."""
        kinds = {SPECTATOR: "spectator", OPEN: "open"}
        return Counter(
            kinds.get(follower.view, "player")
            for followers in self._followers.values()
            for follower in followers.values()
        )

    # Coming and going

    def follow(
        self,
        channel: Channel,
        view: View,
        hello: Hello,
        send: Send,
        direct: Direct | None = None,
    ) -> Follower:
        """Let a connection follow a match; it is welcomed and shown what there is."""
        now, channel = self._clock.now(), self._held(channel)
        self._numbers += 1
        asker = Asker(self.process, self._numbers)
        follower = Follower(asker, view, channel, send, self.figures, direct=direct)
        seq = follower.begin(hello.epoch, hello.seq, now)
        end = channel.end_for(view, now)
        clock = channel.now_for(view, end, now)
        place = {"seq": seq, "round": channel.round_at(max(end - 1, 0)), "now": clock}
        told = frames.welcome(channel.plan, channel.epoch, view, place, WINDOW, chat=hello.chat)
        follower.say(told)
        follower.learn_state(now)
        self._followers[channel.plan.id][asker] = follower
        if follower.player:
            self._players[channel.plan.id][asker] = follower
        if self._closed:
            follower.close(RESTART)
        follower.pump(now)
        if follower.player:
            self.call_roll(channel.plan.id)
        return follower

    def unfollow(self, follower: Follower) -> None:
        """The connection is gone."""
        follower.gone = True
        match = follower.channel.plan.id
        self._followers[match].pop(follower.asker, None)
        if self._players[match].pop(follower.asker, None):
            self.call_roll(match)

    def close_seat(self, match: str, seat: int, close: Close = DONE) -> None:
        """Close all connections of a seat."""
        for follower in list(self._players.get(match, {}).values()):
            if follower.view == seat:
                follower.close(close)
                follower.pump(self._clock.now())

    def drain(self, close: Close = RESTART) -> None:
        """Say goodbye to everybody; who comes now is sent away too."""
        self._closed = True
        now = self._clock.now()
        for followers in self._followers.values():
            for follower in list(followers.values()):
                follower.close(close)
                follower.pump(now)

    # From followers

    def ask(self, follower: Follower, name: str, number: int, action: Any) -> None:
        """A player asks for an action in round `number`."""
        now = self._clock.now()
        match = follower.channel.plan.id
        mates = (f for f in self._players[match].values() if f.view == follower.view)
        floor = max(mate.floor(now) for mate in mates)
        ask = Ask(follower.asker, follower.view, name, number, action, floor)
        self._note(follower, ask)
        self._desk.ask(match, ask)

    @staticmethod
    def _note(follower: Follower, ask: Ask) -> None:
        follower.asks[ask.id] = ask
        if len(follower.asks) > MOST_ASKS:
            del follower.asks[next(iter(follower.asks))]

    def _ask_again(self, match: str) -> None:
        """Another host may not have heard what the last one did not answer."""
        for follower in list(self._players[match].values()):
            for ask in list(follower.asks.values()):
                self._desk.ask(match, ask)

    def wish(self, follower: Follower, wish: Wish) -> None:
        """A player wants something that is no action."""
        match = follower.channel.plan.id
        self._desk.wish(match, follower.view, wish)
        if isinstance(wish, Leave):
            self.close_seat(match, follower.view)

    def got(self, follower: Follower, seq: int) -> None:
        """A client has everything below `seq`."""
        now = self._clock.now()
        follower.got(seq, now)
        follower.pump(now)

    # From hosts

    def told(
        self, match: str, seq: int, entries: Sequence[Entry], answers: Sequence[Answer]
    ) -> None:
        """Lines of a match hosted here are committed; answers to its players."""
        now = self._clock.now()
        channel = self._channels.get(match)
        if channel is None:
            return
        channel.extend(seq, [entry.line for entry in entries], now)
        self.answer(match, answers)
        self._pump_players(match, now)
        self._count(entries, answers, now)

    def _count(self, entries: Sequence[Entry], answers: Sequence[Answer], now: int) -> None:
        self.figures.lines += len(entries)
        for answer in answers:
            if not isinstance(answer.result, int):
                self.figures.refused[answer.result.rule] += 1
        if entries:
            self.figures.players.note(self._clock.now() - now)

    def answer(self, match: str, answers: Iterable[Answer]) -> None:
        """Answer those of the askers who are here."""
        followers = self._followers.get(match, {})
        for answer in answers:
            for asker in answer.askers:
                follower = followers.get(asker)
                if follower is not None:
                    follower.asks.pop(answer.id, None)
                    follower.say(frames.answer(answer.id, answer.result))
                    follower.pump(self._clock.now())

    def state(self, match: str, state: Mapping[str, Any]) -> None:
        """What is not history has changed."""
        channel = self._channels.get(match)
        if channel is None:
            return
        now = self._clock.now()
        channel.tell(state, now)
        self._pump_players(match, now)

    def heard(self, news: News) -> bool:
        """Something is new of a match hosted elsewhere; False if lines before it are missing."""
        now = self._clock.now()
        channel = self._channels.get(news.match)
        if channel is None:
            return True
        if news.epoch > channel.epoch:
            self._ask_again(news.match)
        channel.epoch, channel.over = news.epoch, news.over
        if news.plan is not None:
            self.reseat(news.plan)
        if not channel.extend(news.seq, news.lines, now):
            return False
        if channel.state != news.state:
            self.state(news.match, news.state)
        self._pump_players(news.match, now)
        return True

    def _pump_players(self, match: str, now: int) -> None:
        for follower in list(self._players[match].values()):
            follower.learn_state(now)
            follower.pump(now)

    # Time

    async def run(self) -> None:
        """Send batches and call rolls until cancelled."""
        never = asyncio.Event()
        due = self._clock.now()
        rolls = 0
        while True:
            due = max(due + BATCH_MS, self._clock.now())
            await self._clock.wait(never, due)
            self.figures.late.note(self._clock.now() - due)
            await self.batch()
            rolls += BATCH_MS
            if rolls >= ROLL_MS:
                rolls = 0
                self._call_rolls()

    async def batch(self) -> None:
        """Let spectators have what has come, a few at a time."""
        for match, channel in list(self._channels.items()):
            begun, news = self._clock.now(), channel.close_batch()
            for count, follower in enumerate(list(self._followers[match].values())):
                if count % _AT_ONCE == _AT_ONCE - 1:
                    await asyncio.sleep(0)
                self._serve(follower, channel, news)
            if news and self._followers[match]:
                self.figures.spectators.note(self._clock.now() - begun)

    def _serve(self, follower: Follower, channel: Channel, news: bool) -> None:
        now = self._clock.now()
        follower.check(now)
        news |= follower.learn_state(now)
        if channel.over and follower.served:
            follower.close(DONE)
        if news or follower.view != SPECTATOR or follower.closed:
            follower.pump(now)

    def _call_rolls(self) -> None:
        for match, followers in list(self._followers.items()):
            if followers:
                self.call_roll(match)
            elif self._channels[match].clock is None:
                del self._channels[match], self._followers[match], self._players[match]

    def call_roll(self, match: str) -> None:
        """Tell the match's host who is here."""
        lags: dict[int, int | None] = {}
        players = self._players[match]
        watching = len(self._followers[match]) - len(players)
        for follower in players.values():
            if not follower.gone:
                known = (lags.get(follower.view), follower.lag)
                lags[follower.view] = min((lag for lag in known if lag is not None), default=None)
        names = sorted({f.name for f in self._followers[match].values() if f.name})
        self._rolls += 1
        roll = Roll(self.process, lags, watching, tuple(names[:MOST_NAMES]), self._rolls)
        self._desk.call(match, roll)
