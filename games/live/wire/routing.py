"""Live play as ASGI applications, and the start and stop of its supervisor.

Under Daphne, which has no lifespan, the reactor's events start and drain it. Servers with a
lifespan use that. Elsewhere the first connection starts it.
"""

import asyncio
import logging
import os
import sys
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

from channels.layers import get_channel_layer
from channels.routing import URLRouter
from channels.sessions import SessionMiddlewareStack
from django.urls import re_path

from games.live.cluster.channel_layer import GROUP, ChannelLayerDoorbell
from games.live.cluster.supervisor import Supervisor
from games.live.fanout.close_codes import RESTART
from games.live.fanout.doorbell import Doorbell
from games.live.fanout.hub import MOST_WATCHERS
from games.live.host.clock import MonotonicClock
from games.live.host.leases import Reach
from games.live.host.rate_limits import ConnectionLimit
from games.live.storage.availability import end_in_time
from games.live.storage.leases import process_name
from games.live.storage.store import Store
from games.live.wire.consumer import Consumer, by_session, by_token, if_it_matters
from games.live.wire.entrance import Receive, Scope, Send
from games.live.wire.pieces import Pieces
from games.live.wire.rights_news import RightsNews
from games.people import changes
from games.tables.retention import KEEP_DAYS

PROCESS: Final = process_name()
MATCH: Final = r"(?P<match>[A-Za-z0-9_-]{1,64})/$"
log: Final = logging.getLogger(__name__)
clock: Final = MonotonicClock()
_running: list[Supervisor] = []
_left: list[Supervisor] = []
_leaving: list[bool] = []
_others: list[Callable[[], None]] = []
_letting_go: list[Callable[[], None]] = []
_waits: list[Callable[[], Awaitable[None]]] = []


def doorbell_of(group: str) -> Doorbell:
    """The doorbell of one group of sockets, if processes share a channel layer."""
    layer = get_channel_layer()
    shared = layer is not None and "InMemory" not in type(layer).__name__
    return ChannelLayerDoorbell(layer, PROCESS, group) if shared else Doorbell()


rights_news: Final = RightsNews(doorbell_of)


def _come_again(subject: str) -> None:
    """Close all connections where the door has changed. Clients that still may come, come back."""
    if subject == changes.SITE:
        for supervised in _running:
            supervised.hub.let_go(RESTART)


rights_news.follow(_come_again)


def supervisor() -> Supervisor:
    """This process's supervisor. The first call starts it, inside a running event loop.

    After the drain has begun, it is the one that has left: another would take the leases back.
    """
    if _left:
        return _left[-1]
    if not _running:
        doorbell = doorbell_of(GROUP)
        house = _number("LIVE_HOUSE_MATCHES", 0)
        days = _number("LIVE_KEEP_DAYS", KEEP_DAYS)
        made = Supervisor(PROCESS, Store(PROCESS), clock, doorbell, house=house, keep_days=days)
        doorbell.start(made.rung)
        made.letting_go += _letting_go
        if os.environ.get("WATCH_BY") == "pieces":
            made.hub.most_watchers = 0
        else:
            made.hub.most_watchers = _number("WATCHERS", MOST_WATCHERS)
        made.start()
        rights_news.start()
        _running.append(made)
    return _running[0]


def running() -> Supervisor | None:
    """This process's supervisor, if it is started and not draining."""
    return _running[0] if _running else None


def serving() -> bool:
    """Whether this process has not begun to drain."""
    return not _leaving


def reach() -> Reach:
    return _running[0].watch.reach if _running else Reach.WHOLE


def on_outage(let_go: Callable[[], None]) -> None:
    """Let other sockets of this process be closed while its database is away."""
    _letting_go.append(let_go)


async def drain() -> None:
    """Close the connections, stop hosting, give up the leases."""
    _leaving.append(True)
    rights_news.stop()
    for close in _others:
        close()
    while _running:
        _left.append(_running.pop())
        await _left[-1].drain()
    for wait in _waits:
        await wait()


def on_leave(close: Callable[[], None], wait: Callable[[], Awaitable[None]] | None = None) -> None:
    """Let other sockets of this process be closed when it begins to drain.

    `wait`: what has to be done after that before the process ends.
    """
    _others.append(close)
    if wait is not None:
        _waits.append(wait)


def sockets(
    guard: Callable[[Any], Any],
    framed: Callable[[Any], Any],
    refuse: Any,
    more: Callable[[ConnectionLimit], Sequence[Any]] = lambda _limit: (),
) -> Any:
    """All WebSockets. `guard` wraps those that only this site's pages may open, `framed` the one
    that embeds open as well.

    `more`: routes before the one that turns all others away. They may share the limit.
    """
    limit = ConnectionLimit(
        _number("LIVE_SOCKETS", 10_000), _number("LIVE_SOCKETS_PER_ADDRESS", 250)
    )
    play: Any = Consumer(supervisor, clock, by_session, limit, chat=True)
    watch: Any = Consumer(supervisor, clock, if_it_matters, limit, plays=False, members=by_session)
    bots: Any = Consumer(supervisor, clock, by_token, limit, watches=False)
    return URLRouter(
        [
            re_path(rf"^ws/matches/{MATCH}", guard(SessionMiddlewareStack(play))),
            re_path(rf"^ws/watch/{MATCH}", framed(SessionMiddlewareStack(watch))),
            re_path(rf"^ws/bots/{MATCH}", bots),
            *more(limit),
            re_path("", refuse),
        ]
    )


def by_pieces(app: Any) -> Pieces:
    """An application with the matches' logs by pieces in front of it."""
    return Pieces(app, supervisor, clock)


def _number(name: str, default: int) -> int:
    return int(os.environ.get(name, default))


async def lifespan(_scope: Scope, receive: Receive, send: Send) -> None:
    """Start and drain under servers that support lifespan."""
    while True:
        message = await receive()
        if message["type"] == "lifespan.startup":
            supervisor()
            await send({"type": "lifespan.startup.complete"})
        else:
            await drain()
            await send({"type": "lifespan.shutdown.complete"})
            return


def follow_reactor() -> None:
    """Start when Daphne's reactor runs, and drain before it shuts down."""
    if "daphne.server" not in sys.modules:
        return
    from twisted.internet import reactor
    from twisted.internet.defer import Deferred
    from twisted.internet.tcp import Port

    running: Any = reactor

    def leave() -> Any:
        for reader in running.getReaders():
            if isinstance(reader, Port):
                reader.stopListening()  # reconnecting clients now reach another process
        end_in_time()
        # At once: Daphne closes all connections right after this.
        for close in _others:
            close()
        if _running:
            _running[0].hub.drain()
        return Deferred.fromFuture(asyncio.ensure_future(drain()))

    # Its startup event comes just before its event loop runs.
    running.callWhenRunning(running.callLater, 0, supervisor)
    running.addSystemEventTrigger("before", "shutdown", leave)


follow_reactor()
