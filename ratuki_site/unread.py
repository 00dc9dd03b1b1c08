"""Clients that don't read: what waits for them in this process is bounded, in time and bytes.

A response is made at once and then waits to be sent. A connection that takes nothing of it for a
while is closed. Where too much waits for one address, those that have waited longest are closed.
"""

import logging
from collections import defaultdict
from collections.abc import Callable, Iterable
from time import monotonic
from typing import Any, Final

Origin = Callable[[dict[str, Any]], str]
"""Which address a request of this ASGI scope (`client`, `headers`) counts for."""
SWEEP_S: Final = 0.5
_FORWARDED: Final = b"x-forwarded-for"
log: Final = logging.getLogger(__name__)


def bound_unread(seconds: float, most: int, origin: Origin) -> None:
    """Close Daphne's connections that take nothing for so long. `most`: bytes for one address."""
    from daphne.http_protocol import WebRequest
    from daphne.server import Server
    from twisted.internet import reactor
    from twisted.internet.tcp import Server as Accepted

    running: Any = reactor
    process, run, write = WebRequest.process, Server.run, Accepted.writeSomeData
    waiting = _Waiting(seconds, most)

    def processed(request: Any) -> Any:
        request.transport.ratuki_origin = origin(_scope(request))
        return process(request)

    def written(accepted: Any, data: bytes) -> Any:
        count = write(accepted, data)
        if isinstance(count, int) and count:
            accepted.ratuki_took = monotonic()
        return count

    def again() -> None:
        closed = waiting.close(each for each in running.getWriters() if isinstance(each, Accepted))
        if closed:
            log.warning("%d connections closed whose clients did not read", closed)
        running.callLater(SWEEP_S, again)

    def begin(server: Any) -> None:
        running.callWhenRunning(again)
        run(server)

    setattr(WebRequest, "process", processed)  # noqa: B010 - mypy forbids the plain way
    setattr(Accepted, "writeSomeData", written)  # noqa: B010
    setattr(Accepted, "ratuki_took", 0.0)  # noqa: B010
    setattr(Accepted, "ratuki_origin", "")  # noqa: B010
    setattr(Server, "run", begin)  # noqa: B010


def _scope(request: Any) -> dict[str, Any]:
    forwarded = request.requestHeaders.getRawHeaders(_FORWARDED) or []
    host = getattr(request.transport.getPeer(), "host", "")
    return {"client": (host, 0), "headers": [(_FORWARDED, value) for value in forwarded]}


class _Waiting:
    """Accepted connections with bytes that the client has not taken, the oldest first."""

    def __init__(self, seconds: float, most: int) -> None:
        self._seconds = seconds
        self._most = most
        self._since: dict[Any, float] = {}

    def close(self, waiting: Iterable[Any]) -> int:
        """Close those of them that have to go. Returns how many."""
        now = monotonic()
        there = dict.fromkeys(waiting, now)
        known = {each: at for each, at in self._since.items() if each in there}
        self._since = known | {each: at for each, at in there.items() if each not in known}
        bytes_for: defaultdict[str, int] = defaultdict(int)
        closed = 0
        for each in reversed(self._since):
            bytes_for[each.ratuki_origin] += _unsent(each)
            idle = now - max(self._since[each], each.ratuki_took) >= self._seconds
            if idle or bytes_for[each.ratuki_origin] > self._most:
                bytes_for[each.ratuki_origin] -= _unsent(each)
                each.abortConnection()
                closed += 1
        return closed


def _unsent(accepted: Any) -> int:
    kept = len(accepted.dataBuffer) - accepted.offset + accepted._tempDataLen  # noqa: SLF001
    return int(kept)
