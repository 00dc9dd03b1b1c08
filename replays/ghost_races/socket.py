"""A ghost race's socket: plain ASGI around a table of its own, in the frames of a live table.

A race ends with its socket. Its actions are kept in any case.
"""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Final

from channels.db import database_sync_to_async
from channels.sessions import SessionMiddlewareStack
from django.db import DatabaseError
from django.http import Http404, QueryDict
from django.urls import re_path
from django.utils.translation import gettext as _

from games.live.fanout import frames
from games.live.fanout.close_codes import BUSY, DONE, NO_SUCH_MATCH, NOT_ALLOWED, TOO_MANY, Close
from games.live.fanout.connection import WINDOW
from games.live.fanout.follower import Follower
from games.live.fanout.transport import DIRECT
from games.live.host.client_frames import Act, Frame, Got, Hello, Leave, Ping, Ready, parse
from games.live.host.clock import Clock, MonotonicClock
from games.live.host.metrics import Metrics
from games.live.host.rate_limits import ConnectionLimit, FrameLimits
from games.live.host.requests import ConnectionId
from games.live.wire import routing
from games.live.wire.entrance import (
    Disconnected,
    Entrance,
    Hearing,
    Receive,
    RejectedError,
    Scope,
    Send,
    put,
)
from games.pages.words import reason
from games.people import changes
from games.people.addresses import address_of_scope, network
from games.people.visit import visit_of_session
from replays.ghost_races.opening import (
    NoGhostRaceError,
    OpenedGhostRace,
    finished,
    opened,
    raced_match,
)
from replays.ghost_races.registry import Registry
from replays.ghost_races.table import GhostRaceTable

SOCKETS: Final = 300
SOCKETS_PER_ADDRESS: Final = 20
LOOK_MS: Final = 1_000
"""How often a quiet race is looked at: whether its player is still there."""
log: Final = logging.getLogger(__name__)
CHECKED_MS: Final = 10_000
"""How often a player's right to see the match is checked."""
_pool: Final = ThreadPoolExecutor(1, "races")
_unseen: Final = Metrics()


class GhostRaceSocket(Entrance[Hello]):
    """An ASGI application for WebSockets, each of which is one race."""

    def __init__(self, clock: Clock, limit: ConnectionLimit, registry: Registry) -> None:
        super().__init__(clock, limit, _metrics, (Hello, parse))
        self._registry = registry

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        limits = FrameLimits(self._clock.now())
        await self._hello(scope, receive, send, limits)
        if not self._registry.may_open(network(address_of_scope(scope)), self._clock.now()):
            raise RejectedError(TOO_MANY)
        pk = int(scope["url_route"]["kwargs"]["match"])
        try:
            query = QueryDict(scope["query_string"])
            opening: OpenedGhostRace = await _in_thread(scope, opened, query, pk)
        except Http404:
            raise RejectedError(NO_SUCH_MATCH) from None
        except DatabaseError:
            raise RejectedError(BUSY) from None
        except NoGhostRaceError as refused:
            error = frames.error("no-race", reason(refused))
            await put(send, {"type": "websocket.send", "text": error})
            raise RejectedError(NOT_ALLOWED) from None
        running = RunningGhostRace(scope, opening, self._clock, send, limits)
        if not self._registry.enter(opening.person, running):
            raise RejectedError(TOO_MANY)
        try:
            await running.run(receive)
        finally:
            self._registry.leave(opening.person, running)


class RunningGhostRace:
    """One race and its only follower."""

    def __init__(
        self, scope: Scope, opening: OpenedGhostRace, clock: Clock, send: Send, limits: FrameLimits
    ) -> None:
        self._scope = scope
        self._found = opening
        self.clock = clock
        self.limits = limits
        self._news = asyncio.Event()
        self._rights = asyncio.Event()
        self._reported = False
        self.table = GhostRaceTable(str(opening.match.pk), opening.race, opening.slow, clock.now)
        direct = scope.get("extensions", {}).get(DIRECT)
        self.follower = Follower(
            ConnectionId("race", 0),
            opening.race.seat,
            self.table.broadcast,
            send,
            _metrics(),
            direct=direct,
        )

    async def run(self, receive: Receive) -> None:
        """Run until the player or the server has closed the socket. Then keep the actions."""
        self._greet()
        listening = asyncio.create_task(_listen(RaceHearing(self, receive)))
        listening.add_done_callback(lambda _: self._news.set())
        watching = asyncio.create_task(self._watch())
        try:
            while not (listening.done() or self.follower.gone):
                await self._turn()
            if listening.done():
                listening.result()  # raises what went wrong there, if anything did
        finally:
            listening.cancel()
            watching.cancel()
            if not self._reported:
                self.table.leave(self.clock.now())
                await asyncio.shield(self._keep())

    async def _watch(self) -> None:
        """End it soon after the player loses the right to see the match (a question, say)."""
        while not self.table.over:
            await self.clock.wait(self._rights, self.clock.now() + CHECKED_MS)
            self._rights.clear()
            try:
                await _in_thread(self._scope, raced_match, self._found.match.pk)
            except DatabaseError:
                continue
            except (Http404, NoGhostRaceError):
                self.stop(NO_SUCH_MATCH)

    def _greet(self) -> None:
        follower, now = self.follower, self.clock.now()
        seq = follower.begin(None, None, now)
        place = {"seq": seq, "round": self._found.race.what_if.place.round}
        place["now"] = self.table.t(now)
        broadcast = self.table.broadcast
        follower.say(
            frames.welcome(
                broadcast.plan, broadcast.epoch, follower.view, place, WINDOW, chat=False
            )
        )
        follower.queue_state(now)

    async def _turn(self) -> None:
        """Do what is due, report it, and wait for the next thing to happen."""
        table, follower = self.table, self.follower
        now = self.clock.now()
        table.step(now)
        if table.over and not self._reported:
            await self._keep()
            now = self.clock.now()
        self._queue(now)
        self.follower.pump(now)
        if self._reported and self.follower.served:
            self.follower.close(DONE)
            self.follower.pump(now)
        self._news.clear()
        due = now + LOOK_MS if table.due is None else min(table.due, now + LOOK_MS)
        await self.clock.wait(self._news, due)
        follower.check(self.clock.now())

    def _queue(self, now: int) -> None:
        for text in self.table.answers:
            self.follower.say(text)
        self.table.answers.clear()
        self.follower.queue_state(now)

    async def _keep(self) -> None:
        self._reported = True
        table, lag = self.table, self.follower.lag
        outcome = table.outcome()
        try:
            outcome = await _in_thread(self._scope, finished, self._found, outcome, lag)
        except DatabaseError as error:
            log.warning("a race is not kept: %s", error)
            outcome = {**outcome, "trouble": _("the site cannot store anything now")}
        table.tell(outcome, self.clock.now())

    def stop(self, close: Close) -> None:
        """End it: the player races elsewhere, or the process stops."""
        self.table.leave(self.clock.now())
        self.follower.close(close)
        self._news.set()

    def heard(self, now: int) -> None:
        """The player has said something: answers go out before lines."""
        self._queue(now)
        self._news.set()

    def rights_changed(self, subject: str) -> None:
        """Rights may have changed: see at once whether the player may still see the match."""
        match = self._found.match
        about = changes.SITE, changes.of_match(match.pk), changes.of_class(match.school_class)
        if subject in about:
            self._rights.set()


class RaceHearing(Hearing[Frame]):
    _parse = staticmethod(parse)

    def __init__(self, race: RunningGhostRace, receive: Receive) -> None:
        super().__init__(race.follower, race.clock, receive, race.limits)
        self._race = race

    def _handle(self, frame: Frame, now: int) -> None:
        table, follower = self._race.table, self._race.follower
        match frame:
            case Act():
                action = frame.action(table.race.seat)
                table.act(frame.id, frame.round, action, follower.floor(now), now)
            case Got(seq):
                follower.got(seq, now)
            case Ping(n):
                follower.say(frames.pong(n, table.t(now)))
            case Ready(ready):
                if ready:
                    table.ready(now)
            case Leave():
                table.leave(now)
            case _:
                self._fault("not-now", "a race has nobody to talk to or to vote with", now)
        self._race.heard(now)


async def _listen(hearing: RaceHearing) -> None:
    with suppress(Disconnected):
        await hearing.run()


def _metrics() -> Metrics:
    """The process's metrics, which count closed sockets. In tests without live play, some."""
    running = routing.running()
    return running.hub.metrics if running else _unseen


async def _in_thread(scope: Scope, work: Callable[..., Any], *args: Any) -> Any:
    """Call this with the visitor behind the session now, without delaying pages or commits."""
    visit = visit_of_session(scope["session"].session_key)
    do = database_sync_to_async(work, thread_sensitive=False, executor=_pool)
    return await do(visit, *args)


def route(app: Any) -> Any:
    """The address of races: the number of the match. The place, seat and speed are in the query."""
    return re_path(r"^ws/races/(?P<match>[1-9][0-9]{0,17})/$", SessionMiddlewareStack(app))


def routes(guard: Any) -> list[Any]:
    """The sockets of races. `guard` admits only this site's own pages."""
    limit, registry = ConnectionLimit(SOCKETS, SOCKETS_PER_ADDRESS), Registry()
    routing.on_leave(registry.close, registry.wait_until_saved)
    routing.rights_news.follow(registry.rights_changed)
    return [route(guard(GhostRaceSocket(MonotonicClock(), limit, registry)))]
