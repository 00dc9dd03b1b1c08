"""How long Daphne waits for a client that is slow to say goodbye."""

from __future__ import annotations

from typing import Any

import pytest
from autobahn.twisted.websocket import WebSocketServerProtocol
from daphne.ws_protocol import WebSocketFactory
from twisted.internet.task import Clock

from ratuki_site.daphne_server import GOODBYE_S, close_patiently
from tests.wires import GOODBYE, UPGRADE, Wire


@pytest.fixture
def closing(monkeypatch: pytest.MonkeyPatch) -> tuple[Any, Wire, Clock]:
    """A connection on which the server has said goodbye, its wire, and its clock."""
    monkeypatch.setattr(WebSocketFactory, "__init__", WebSocketFactory.__init__)
    close_patiently()
    clock, wire = Clock(), Wire()
    monkeypatch.setattr("txaio.config.loop", clock)
    factory: Any = WebSocketFactory(None)
    factory.protocol = WebSocketServerProtocol
    connection = factory.buildProtocol(None)
    connection.makeConnection(wire)
    connection.dataReceived(UPGRADE)
    connection.sendClose(4001)
    return connection, wire, clock


def test_a_slow_client_hears_the_end(closing: tuple[Any, Wire, Clock]) -> None:
    connection, wire, clock = closing
    clock.advance(GOODBYE_S - 1)
    assert not wire.disconnecting
    connection.dataReceived(GOODBYE)
    assert wire.disconnecting
    assert connection.wasClean


def test_who_never_answers_is_let_go(closing: tuple[Any, Wire, Clock]) -> None:
    _connection, wire, clock = closing
    clock.advance(GOODBYE_S + 1)
    assert wire.disconnecting
