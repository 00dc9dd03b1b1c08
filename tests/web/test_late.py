"""The application that finds races in the browser tests: what it keeps in order, and what not."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from autobahn.twisted.websocket import WebSocketServerFactory, WebSocketServerProtocol
from twisted.internet.task import Clock

from games.live.fanout.transport import DIRECT
from tests.late import CLOSING_S, Late, Message, Waits, end_late
from tests.wires import GOODBYE, UPGRADE, Wire

MOST_S = 400
WAITS = Waits(1_000 * MOST_S, "a seed")


class Turned(selectors.SelectSelector):
    """A selector that turns the clock on instead of waiting."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        self.now += timeout or 0
        return super().select(timeout and 0)


class Impatient(asyncio.SelectorEventLoop):
    """A loop on which waiting takes no time."""

    def __init__(self) -> None:
        self._clock = Turned()
        super().__init__(self._clock)

    def time(self) -> float:
        return self._clock.now


def at_once(test: Callable[[], Coroutine[Any, Any, None]]) -> Callable[[], None]:
    """The test on a loop on which waiting takes no time."""

    def run() -> None:
        with asyncio.Runner(loop_factory=Impatient) as runner:
            runner.run(test())

    run.__name__ = test.__name__
    return run


def get(path: str) -> dict[str, Any]:
    return {"type": "http", "method": "GET", "path": path}


@at_once
async def test_requests_overtake_each_other_and_none_is_lost() -> None:
    handled: list[str] = []

    async def app(scope: Any, _receive: Any, send: Any) -> None:
        handled.append(scope["path"])
        await send({"type": "http.response.start"})
        await send({"type": "http.response.body", "body": scope["path"]})

    answered: list[str] = []

    async def send(message: Message) -> None:
        if message["type"] == "http.response.body":
            answered.append(message["body"])

    asked = [f"/{number}" for number in range(20)]
    late, nothing = Late(app, WAITS), asyncio.Queue[Message]()
    await asyncio.gather(*(late(get(path), nothing.get, send) for path in asked))
    assert sorted(handled) == sorted(answered) == sorted(asked)
    assert handled != asked
    assert answered != handled


@at_once
async def test_frames_keep_their_order_in_both_directions() -> None:
    heard: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        for number in range(10):
            text = f"frame {number}"
            if number % 2:
                assert scope["extensions"][DIRECT]([text])
            else:
                await send({"type": "websocket.send", "text": text})
            heard.append((await receive())["text"])

    coming: asyncio.Queue[Message] = asyncio.Queue()
    for number in range(10):
        coming.put_nowait({"type": "websocket.receive", "text": str(number)})
    sent: list[str] = []

    async def send(message: Message) -> None:
        sent.append(message["text"])

    await Late(app, WAITS)({"type": "websocket", "path": "/ws/"}, coming.get, send)
    assert heard == [str(number) for number in range(10)]
    assert sent == [f"frame {number}" for number in range(10)]


@at_once
async def test_a_socket_is_opened_late() -> None:
    async def app(_scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})

    loop, opened = asyncio.get_running_loop(), list[float]()

    async def send(_message: Message) -> None:
        opened.append(loop.time() - begun)

    for number in range(20):
        coming, begun = asyncio.Queue[Message](), loop.time()
        coming.put_nowait({"type": "websocket.connect"})
        await Late(app, WAITS)({"type": "websocket", "path": f"/{number}"}, coming.get, send)
    assert 0 < sum(took > 1 for took in opened) < len(opened)
    assert MOST_S < max(opened) < 2 * MOST_S + 1


def connected(wait: Callable[[str], float], later: Callable[..., Any]) -> tuple[Any, Wire]:
    """A server's side of a WebSocket that `end_late` has changed, before the handshake."""

    class Protocol(WebSocketServerProtocol):
        pass

    end_late(Protocol, wait, later)
    factory: Any = WebSocketServerFactory()
    factory.protocol = Protocol
    connection, wire = factory.buildProtocol(None), Wire()
    connection.makeConnection(wire)
    return connection, wire


@pytest.mark.parametrize("wait", [0.0, CLOSING_S])
def test_a_connection_lasts_longer_than_its_goodbye(wait: float) -> None:
    clock = Clock()
    connection, wire = connected({"/ws/": wait}.__getitem__, clock.callLater)
    connection.dataReceived(UPGRADE)
    wire.clear()
    connection.dataReceived(GOODBYE)
    assert wire.value()[:1] == GOODBYE[:1]
    clock.advance(wait * 0.99)
    assert wire.disconnecting == (wait == 0)
    clock.advance(wait)
    assert wire.disconnecting


def test_what_said_no_goodbye_ends_at_once() -> None:
    connection, wire = connected(pytest.fail, pytest.fail)
    connection.dataReceived(b"no WebSocket\r\n\r\n")
    assert wire.disconnecting


def test_a_seed_repeats_the_waits_of_each_request() -> None:
    def waits(seed: str, *names: str) -> list[float]:
        some = Waits(400, seed)
        by_name = {name: [some.next(some.of(name)) for _ in range(20)] for name in names}
        return by_name["GET /a"]

    assert waits("1", "GET /a") == waits("1", "GET /b", "GET /a") != waits("2", "GET /a")
    assert 0 < sum(wait > 0 for wait in waits("1", "GET /a")) < 20
    some, again = Waits(400, "1"), Waits(400, "1")
    ends = [some.closing("/ws/") for _ in range(40)]
    assert ends == [again.closing("/ws/") for _ in range(40)]
    assert 0 < sum(end > 0 for end in ends) < 40
    assert 1 < max(ends) < CLOSING_S
