"""Reviews in this process: their sockets, and the start and stop of their services.

The first connection starts them. They are closed when the process begins to drain.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Any, Final

from channels.sessions import SessionMiddlewareStack
from django.urls import re_path

from games.live.cluster.supervisor import keep_running
from games.live.fanout.chat import Chats
from games.live.fanout.close_codes import NO_DATABASE, RESTART
from games.live.host.rate_limits import ConnectionLimit
from games.live.wire.routing import PROCESS, clock, doorbell_of, rights_news, running
from games.people import changes
from replays.reviews.consumer import Reception, ReviewConsumer
from replays.reviews.hub import ReviewHub
from replays.reviews.store import DatabaseStore

GROUP: Final = "reviews"
_open: list[Reception] = []
_tasks: list[asyncio.Task[None]] = []


def reception() -> Reception:
    """This process's reviews. The first call starts their services, in a running event loop."""
    if not _open:
        doorbell = doorbell_of(GROUP)
        store = DatabaseStore(PROCESS)
        live = running()
        metrics = live.hub.metrics if live else None
        hub = ReviewHub(store, clock, wall, doorbell, metrics=metrics)
        chat = Chats(store, clock, doorbell)

        def rung(key: str, version: int) -> None:
            hub.rung(key, version)
            chat.rung(key)

        doorbell.start(rung)
        works = (*hub.services(), chat.write, chat.tell)
        _tasks.extend(asyncio.create_task(keep_running(GROUP, work, clock)) for work in works)
        _open.append(Reception(hub, chat, store))
        rights_news.start()
    return _open[0]


def wall() -> int:
    """The wall clock, in ms: the one clock that processes share."""
    return time.time_ns() // 1_000_000


def close() -> None:
    """Close all connections. Their clients come back to another process."""
    for opened in _open:
        opened.hub.drain()


def let_go() -> None:
    """Close all connections, because this process has lost its database."""
    for opened in _open:
        opened.hub.let_go(NO_DATABASE)


def rights_changed(subject: str) -> None:
    for opened in _open:
        if subject == changes.SITE:
            opened.hub.let_go(RESTART)
        else:
            opened.hub.rights_changed(subject)


def exposition() -> str:
    """The metrics of this process's reviews as text. Empty before the first connection."""
    return "".join(opened.hub.exposition() for opened in _open)


def routes(guard: Callable[[Any], Any], limit: ConnectionLimit) -> list[Any]:
    """The sockets of reviews. `guard` admits only this site's own pages."""
    app: Any = ReviewConsumer(reception, clock, limit)
    path = r"^ws/reviews/(?P<review>[A-Za-z0-9_-]{1,64})/$"
    return [re_path(path, guard(SessionMiddlewareStack(app)))]
